// What a phone needs to call its owner; it keeps nothing, and answers no request.
const own = /** @type {any} */ (self);

own.addEventListener("notificationclick", (/** @type {any} */ event) => {
  event.notification.close();
  const pages = own.clients.matchAll({ type: "window" });
  event.waitUntil(pages.then((/** @type {any[]} */ found) => (found[0] ? found[0].focus() : own.clients.openWindow("/"))));
});
