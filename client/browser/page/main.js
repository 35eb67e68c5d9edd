// The page: it paints what the server tells, and tells the server what hands do.
import { Document } from "./document.js";
import { Painter, css, measureAnew } from "./paint.js";
import { DRAG, DROP, ENABLED, LIVE, at, changed, crowded, find, meant, top } from "./scene.js";

/** @typedef {import("./scene.js").Told} Told */
/** @typedef {import("./scene.js").Touch} Touch */
/** @typedef {import("./scene.js").Theme} Theme */

const FAR = 8, LONG = 500, FINGER = 44, MOST = 4, TWICE = 300, BACK = 3000, TAKEN = 4409, AGAIN = [200, 400, 800, 1500, 3000];
/** Milliseconds: between looks whether the server is there, until it has answered, and for a way to open. */
const LOOK = 20000, LATE = 5000, OPENS = 15000;
/** Links of which this browser remembers what it was given for each. */
const LINKS = 50;
/** Of what was said, as many lines are kept. */
const LINES = 30;
const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("canvas"));
const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
const place = /** @type {HTMLElement} */ (document.getElementById("document"));
const message = /** @type {HTMLElement} */ (document.getElementById("message"));
const log = /** @type {HTMLElement} */ (document.getElementById("said"));

/** @type {Told | null} */
let root = null;
/** @type {Theme | null} */
let theme = null;
/** @type {Touch} */
let touch = { focus: "", hover: "", pressed: "", lift: "", by: [0, 0], over: "" };
let title = "Netplay", frame = 0, painted = 0, due = false, settling = 0;
/** @type {Record<string, number>} */
let typed = {};
/** @type {Record<string, string>} */
let words = {};
/** What of the scene is seen: how many times larger than the page fits, and from where. */
const view = { zoom: 1, x: 0, y: 0 };
/** What goes back to all of the page, after something was enlarged to be touched. */
let back = 0, laid = false;
/** The last tap where nothing can be touched. @type {PointerEvent | null} */
let tapped = null;

// The way to the server.

/** @type {WebSocket | null} */
let socket = null;
let tries = 0, over = false, waits = false, made = "";
/** Runs out where the server does not answer: a phone that slept is told of no end. And when it spoke last. */
let late = 0, heard = 0;

/** A name for this tab: the same after it is loaded again. */
function tab() {
  let found = sessionStorage.getItem("tab");
  if (!found) {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    found = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem("tab", found);
  }
  return found;
}

/** @param {object} said */
function say(said) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(said));
}

/** What was given for each link by which this browser has come in: it is good once. @returns {Record<string, string>} */
function links() {
  try {
    return Object(JSON.parse(localStorage.getItem("links") || "{}"));
  } catch {
    return {};
  }
}

/** What the link shows, or what was given for it; without a link what this tab had, or the last one. */
function shown() {
  const entry = location.hash.slice(1), given = links()[entry];
  if (entry) return given ? { token: given } : { entry };
  return { token: sessionStorage.getItem("token") || localStorage.getItem("token") || "" };
}

/** Remember what lets this browser in again. @param {string} token */
function keep(token) {
  const entry = location.hash.slice(1);
  if (entry) {
    const { [entry]: _old, ...others } = links();
    localStorage.setItem("links", JSON.stringify(Object.fromEntries([...Object.entries(others), [entry, token]].slice(-LINKS))));
    history.replaceState(null, "", location.pathname);
  }
  sessionStorage.setItem("token", token);
  localStorage.setItem("token", token);
}

/** Forget what lets nobody in any more. @param {string} token */
function forget(token) {
  localStorage.setItem("links", JSON.stringify(Object.fromEntries(Object.entries(links()).filter(([, each]) => each !== token))));
  for (const place of [sessionStorage, localStorage]) if (place.getItem("token") === token) place.removeItem("token");
}

/** How large the page is to be laid out: smaller, and so shown larger, where the browser is set to larger letters. */
function room() {
  const letters = Math.min(3, Math.max(1, parseFloat(getComputedStyle(document.documentElement).fontSize) / 16 || 1));
  const [w, h] = [innerWidth, innerHeight].map((each) => Math.min(10000, Math.max(100, Math.round(each / letters))));
  return { w, h };
}

/** What the browser is set to: who is only lent a seat has no preferences here. */
function wishes() {
  const [dark, contrast, still] = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(prefers-reduced-motion: reduce)"].map((each) => matchMedia(each).matches);
  return { lang: navigator.language.slice(0, 200), dark, contrast, still };
}

function connect() {
  const own = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/page`);
  socket = own;
  brings = null;
  clearTimeout(late);
  late = window.setTimeout(() => broken(own), OPENS);
  own.onopen = () => {
    own.send(JSON.stringify({ do: "hello", tab: tab(), ...room(), ...wishes(), ...shown() }));
  };
  own.onmessage = (event) => {
    if (socket !== own) return;
    clearTimeout(late);
    late = 0;
    heard = Date.now();
    take(JSON.parse(event.data));
  };
  own.onclose = (event) => {
    if (socket !== own || over) return;
    clearTimeout(late);
    late = 0;
    if (event.code === TAKEN) {
      over = true;
      tell(words.taken, words.here);
      return;
    }
    if (!waits) tell(words.lost || "");
    waits = false;
    setTimeout(connect, AGAIN[Math.min(tries++, AGAIN.length - 1)]);
  };
}

/** Look whether the server is there: nobody tells a phone that slept that its way is broken. */
function ask() {
  const own = socket;
  if (over || late || own?.readyState !== WebSocket.OPEN || Date.now() - heard < LATE / 2) return;
  own.send('{"do":"there"}');
  // Once more round: an answer may have come while this page was not let run.
  late = window.setTimeout(() => (late = window.setTimeout(() => broken(own), LATE / 5)), LATE);
}

/** Come again by a new way. @param {WebSocket} own */
function broken(own) {
  if (socket !== own || over) return;
  tell(words.lost || "");
  connect();
  own.close();
}

/** @param {any} told */
function take(told) {
  if (over || told.there) return;
  if (told.more) {
    bring();
    return;
  }
  if (told.refused !== undefined) {
    document.documentElement.lang = told.lang;
    tell(told.refused);
    if (told.later) {
      waits = true;
      return;
    }
    over = true;
    message.classList.add("alone");
    root = null; // whoever may not come in sees nothing more, and waits for no game
    canvas.hidden = true;
    place.replaceChildren();
    log.replaceChildren();
    const { token } = shown();
    if (token) forget(token); // a bad link says nothing of it
    return;
  }
  if (told.bye) {
    over = true;
    tell(words.over);
    return;
  }
  if (told.token) {
    tries = 0;
    words = told.words;
    tell("");
    keep(told.token);
    if (made && told.made !== made) location.reload(); // Netplay was updated
    made = told.made;
    return;
  }
  const before = back && root ? top(root) : null;
  if (told.scene) root = told.scene;
  else if (told.change && root) root = changed(root, told.change);
  const now = before && root ? top(root) : null;
  // A dialog came or went: what was enlarged to be touched is not there any more.
  if (before && now && (now.k !== before.k || now.n !== before.n)) whole();
  if (told.theme) theme = told.theme;
  if (told.lang) document.documentElement.lang = told.lang;
  if (told.typed) typed = told.typed;
  if (told.title) title = document.title = told.title;
  const focused = touch.focus;
  if (told.touch) touch = told.touch;
  frame = told.frame;
  for (const each of told.news || []) news(each);
  if (told.scene || told.change || touch.focus !== focused) {
    if (touch.focus !== focused || find(/** @type {Told} */ (root), touch.focus)?.k === "entry") settle();
    else if (!settling) settling = window.setTimeout(settle, 60);
  }
  cover();
  draw();
}

function settle() {
  clearTimeout(settling);
  settling = 0;
  if (!root) return;
  doc.settle(root, title, typed);
  doc.focus(touch.focus);
}

/** Say something over the page. @param {string} text @param {string} [again] on a button that loads the page again */
function tell(text, again) {
  message.textContent = text;
  message.hidden = !text;
  if (!again) return;
  const button = document.createElement("button");
  button.textContent = again;
  button.onclick = () => location.reload();
  message.append(button);
}

// What only a page can do.

/** @type {Map<string, Promise<AudioBuffer>>} */
const sounds = new Map();
/** @type {AudioContext | null} */
let audio = null;
/** Whether there was something to call for that the browser has not been asked to let us. */
let wanted = false;

/** @param {any} each */
function news(each) {
  switch (each.do) {
    case "play": play(each.sound, each.loud / 100); break;
    case "copy": copy(each.text); break;
    case "paste":
      navigator.clipboard?.readText().then((text) => say({ do: "text", text: text.slice(0, 4000) }), () => {});
      break;
    case "full":
      if (document.fullscreenElement) document.exitFullscreen();
      else document.documentElement.requestFullscreen?.().catch(() => {});
      break;
    case "save": save(each); break;
    case "said": hear(each.lines, each.only); break;
    case "flash": if (each.text && "Notification" in window) notify(each.title || "Netplay", each.text); break;
  }
}

/** Let a screen reader say what has happened: nothing else of a page is said unasked. @param {string[]} lines @param {boolean} only and nothing before is to be read again */
function hear(lines, only) {
  if (only) log.replaceChildren();
  for (const line of lines) {
    const said = document.createElement("p");
    said.textContent = line;
    log.append(said);
  }
  while (log.childElementCount > LINES) log.firstElementChild?.remove();
}

/** Call whoever looks elsewhere; what a browser asks for that, it asks at the next touch. @param {string} title @param {string} body */
function notify(title, body) {
  wanted ||= Notification.permission === "default";
  if (!document.hidden || Notification.permission !== "granted") return;
  const plain = () => {
    try {
      new Notification(title, { body });
    } catch {} // phones have none but those of workers
  };
  const workers = navigator.serviceWorker;
  if (!workers) plain();
  // There is none with a certificate that nobody trusts.
  else workers.register("/worker.js").then(() => workers.ready).then((found) => found.showNotification(title, { body })).catch(plain);
}

/** @param {string} name @param {number} loud */
async function play(name, loud) {
  if (!audio || audio.state !== "running") return;
  let made = sounds.get(name);
  if (!made) {
    const context = audio;
    made = fetch(`/sound-${name}.wav`).then((answer) => answer.arrayBuffer()).then((data) => context.decodeAudioData(data));
    sounds.set(name, made);
  }
  const source = audio.createBufferSource(), gain = audio.createGain();
  source.buffer = await made;
  gain.gain.value = loud;
  source.connect(gain).connect(audio.destination);
  source.start();
}

// Files: they are chosen and kept where the page is.

/** The button at which the browser asks for a file: it does so at a touch alone, not later when the server has heard of it. */
const PICK = "file.pick", PIECE = 16384;
const chosen = document.createElement("input");
chosen.type = "file";
/** The file that is being brought, and how much of it. @type {{file: File, at: number} | null} */
let brings = null;
/** What has come of a file. @type {Uint8Array<ArrayBuffer>[]} */
let come = [];

chosen.addEventListener("change", () => {
  const file = chosen.files?.[0];
  if (!file) return;
  brings = { file, at: 0 };
  bring();
});

function pick() {
  chosen.value = ""; // the same file may be chosen once more
  chosen.click();
}

/** Say the next piece of the file; the server asks for the one after. */
async function bring() {
  const now = brings;
  if (!now) return;
  const { file, at } = now, name = [...file.name].slice(-200).join("");
  try {
    const data = new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer());
    if (brings !== now) return; // another was chosen meanwhile
    now.at += data.length;
    if (now.at >= file.size) brings = null;
    say({ do: "file", name, size: file.size, at, data: btoa(String.fromCharCode(...data)) });
  } catch {
    if (brings !== now) return;
    brings = null;
    say({ do: "file", name, size: -1 });
  }
}

/** Have the browser keep a file, once all of it is here. @param {any} piece */
function save(piece) {
  if (!piece.at) come = [];
  come.push(Uint8Array.from(atob(piece.data), (each) => each.charCodeAt(0)));
  if (!piece.end) return;
  const link = document.createElement("a"), url = URL.createObjectURL(new Blob(come, { type: "application/octet-stream" }));
  come = [];
  link.href = url;
  link.download = piece.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60000);
}

/** @param {string} text */
function copy(text) {
  if (navigator.clipboard) {
    navigator.clipboard.writeText(text).catch(() => {});
    return;
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// Painting.

const doc = new Document(place, (said) => {
  if ("name" in said && said.name === PICK && "do" in said && said.do === "use") pick();
  say(said);
});

/** Return how many CSS pixels one of the scene takes. */
function scale() {
  return root ? (innerWidth / root.b[2]) * view.zoom : 1;
}

function draw() {
  if (due) return;
  due = true;
  requestAnimationFrame(() => {
    due = false;
    if (!root || !theme) return;
    const ratio = devicePixelRatio || 1, wide = Math.round(innerWidth * ratio), high = Math.round(innerHeight * ratio);
    if (canvas.width !== wide || canvas.height !== high) {
      canvas.width = wide;
      canvas.height = high;
      canvas.style.width = `${innerWidth}px`;
      canvas.style.height = `${innerHeight}px`;
    }
    const k = scale();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = css(theme.ground);
    context.fillRect(0, 0, wide, high);
    document.body.style.background = context.fillStyle;
    context.setTransform(k * ratio, 0, 0, k * ratio, view.x * ratio, view.y * ratio);
    new Painter(context, k * ratio).paint(root, touch, theme);
    place.style.transform = `translate(${view.x}px, ${view.y}px) scale(${k})`;
    if (frame !== painted) say({ do: "drawn", frame: (painted = frame) });
  });
}

// Hands.

/** @param {{clientX: number, clientY: number}} event */
function spot(event) {
  const k = scale();
  return { x: Math.round((event.clientX - view.x) / k), y: Math.round((event.clientY - view.y) / k) };
}

/** What was pressed last, and whether it was let go where a file is chosen. */
let pressed = "", picks = false;

/** Tell of the pointer with what is seen there. @param {"down" | "up" | "menu"} what @param {{x: number, y: number}} to */
function point(what, to) {
  const seen = root && at(top(root), to.x, to.y, (each) => Boolean(each.i & (LIVE | DRAG | DROP)));
  if (what === "up") picks = pressed === PICK && seen?.n === PICK;
  pressed = what === "down" ? seen?.n || "" : "";
  say({ do: "point", what, ...to, at: seen?.n || "" });
}

/**
 * A finger that is down: what it does is known once it moves, or is lifted.
 * @type {{id: number, from: {x: number, y: number}, px: [number, number], last: {x: number, y: number}, way: "" | "press" | "scroll" | "view" | "menu", late: number} | null}
 */
let finger = null;
/** @type {Map<number, PointerEvent>} */
const fingers = new Map();
let wide = 0;

canvas.addEventListener("pointerdown", (event) => {
  awake();
  canvas.setPointerCapture(event.pointerId);
  if (event.pointerType !== "touch") {
    if (event.button === 0) point("down", spot(event));
    else if (event.button === 2) point("menu", spot(event));
    return;
  }
  fingers.set(event.pointerId, event);
  if (fingers.size > 1) {
    cancel();
    wide = apart();
    return;
  }
  const from = root ? meant(top(root), spot(event), FINGER / scale()) : spot(event);
  finger = { id: event.pointerId, from, px: [event.clientX, event.clientY], last: from, way: "", late: 0 };
  const node = root && at(top(root), from.x, from.y, (each) => Boolean(each.i & (LIVE | DRAG)));
  if (node?.k === "slider") press();
  // Whoever rests on a button presses it, too: a menu is of tiles and where they lie.
  else if (!node || node.i & (DRAG | DROP))
    finger.late = window.setTimeout(() => {
      if (finger && !finger.way) {
        finger.way = "menu";
        point("menu", finger.from);
      }
    }, LONG);
});

function press() {
  if (!finger) return;
  clearTimeout(finger.late);
  finger.way = "press";
  point("down", finger.from);
}

function letGo() {
  if (finger) clearTimeout(finger.late);
  finger = null;
}

/** What a finger held lies where it lay: there is another, or the browser takes it. */
function cancel() {
  moved = null;
  if (finger?.way === "press") say({ do: "point", what: "cancel" });
  letGo();
}

function apart() {
  const [one, other] = [...fingers.values()];
  return other ? Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) : 0;
}

/** @type {{x: number, y: number} | null} */
let moved = null;

/** Tell of the pointer once a frame: more than that nobody sees. @param {{x: number, y: number}} to */
function move(to) {
  if (!moved) requestAnimationFrame(flush);
  moved = to;
}

function flush() {
  if (moved) say({ do: "point", what: "move", ...moved });
  moved = null;
}

canvas.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "touch") {
    move(spot(event));
    return;
  }
  const before = fingers.get(event.pointerId);
  fingers.set(event.pointerId, event);
  if (fingers.size === 2) {
    pinch(event, before);
    return;
  }
  if (!finger || finger.id !== event.pointerId) return;
  const now = spot(event);
  if (!finger.way && Math.hypot(event.clientX - finger.px[0], event.clientY - finger.px[1]) >= FAR) {
    const { from } = finger;
    const node = root && at(top(root), from.x, from.y, (each) => Boolean(each.i & (LIVE | DRAG)));
    clearTimeout(finger.late);
    if (node && node.i & DRAG && node.i & ENABLED) press();
    else if (root && at(top(root), from.x, from.y, (each) => each.k === "list" && (each.h || 0) > each.b[3])) finger.way = "scroll";
    else finger.way = "view";
  }
  if (finger.way === "press") move(now);
  else if (finger.way === "scroll" && now.y !== finger.last.y) {
    say({ do: "wheel", ...finger.from, by: finger.last.y - now.y });
    finger.last = now;
  } else if (finger.way === "view" && before) look(view.zoom, view.x + event.clientX - before.clientX, view.y + event.clientY - before.clientY);
});

/** @param {PointerEvent} event */
function lifted(event) {
  if (event.pointerType !== "touch") {
    flush();
    if (event.button === 0) point("up", spot(event));
    return;
  }
  fingers.delete(event.pointerId);
  if (!finger || finger.id !== event.pointerId) return;
  flush();
  const up = finger.way ? spot(event) : finger.from;
  if (!finger.way && enlarged(event)) {
    letGo();
    return;
  }
  if (!finger.way) press();
  if (finger.way === "press") point("up", up);
  if (laid) whole(); // what was chosen has come to its place
  laid = false;
  if (finger.way !== "scroll") say({ do: "point", what: "left" });
  letGo();
}
canvas.addEventListener("pointerup", lifted);
canvas.addEventListener("pointercancel", (event) => {
  fingers.delete(event.pointerId);
  cancel();
});
canvas.addEventListener("pointerleave", (event) => {
  if (event.pointerType === "mouse") say({ do: "point", what: "left" });
});
canvas.addEventListener("click", () => {
  if (picks) pick();
  picks = false;
});
canvas.addEventListener("contextmenu", (event) => event.preventDefault());
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const by = Math.round(event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY);
  if (by) say({ do: "wheel", ...spot(event), by });
}, { passive: false });

/** Two fingers enlarge what is between them. @param {PointerEvent} event @param {PointerEvent | undefined} before */
function pinch(event, before) {
  const now = apart();
  if (!before || !wide || !now) return;
  const middle = [...fingers.values()].reduce((sum, each) => [sum[0] + each.clientX / 2, sum[1] + each.clientY / 2], [0, 0]);
  const zoom = Math.min(MOST, Math.max(1, (view.zoom * now) / wide)), times = zoom / view.zoom;
  wide = now;
  clearTimeout(back);
  back = 0;
  look(
    zoom,
    middle[0] - (middle[0] - view.x) * times + (event.clientX - before.clientX) / 2,
    middle[1] - (middle[1] - view.y) * times + (event.clientY - before.clientY) / 2,
  );
}

/**
 * Enlarge what is too small to be touched among others, and tell whether that was done:
 * the next tap touches it.  Soon after that all is shown again.  Two taps where nothing
 * can be touched enlarge, too, until two more.
 * @param {PointerEvent} event
 */
function enlarged(event) {
  if (!root || !finger) return false;
  const over = top(root), { x, y } = finger.from;
  const node = at(over, x, y, (each) => Boolean(each.i & (LIVE | DRAG)) && each.k !== "dialog");
  const before = tapped;
  tapped = node ? null : event;
  if (!node) {
    // Two quick taps at different places are two: the page may not have heard yet of
    // the tile that the first took, and so not know that the second can be touched.
    if (before && event.timeStamp - before.timeStamp < TWICE && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < FINGER) {
      around(event, view.zoom > 1 ? 1 : 2);
      tapped = null;
    }
    return false;
  }
  laid = Boolean(back && node.i & DROP);
  if (back) awaitBack();
  // A tap on what can be dragged only picks it up: the wrong one is put back by another.
  if (node.i & DRAG || !(node.i & ENABLED) || !crowded(over, node, FINGER / scale())) return false;
  const wanted = (view.zoom * FINGER) / (Math.min(node.b[2], node.b[3]) * scale());
  if (view.zoom >= MOST) return false;
  around(event, Math.min(MOST, wanted * 1.01));
  awaitBack();
  return true;
}

/** Show all again after a while, once no finger is down. */
function awaitBack() {
  clearTimeout(back);
  back = window.setTimeout(() => {
    if (fingers.size) awaitBack();
    else whole();
  }, BACK);
}

/** Show all again. */
function whole() {
  clearTimeout(back);
  back = 0;
  look(1, 0, 0);
}

/** Enlarge round a finger. @param {PointerEvent} event @param {number} zoom */
function around(event, zoom) {
  clearTimeout(back);
  back = 0;
  const times = zoom / view.zoom;
  look(zoom, event.clientX - (event.clientX - view.x) * times, event.clientY - (event.clientY - view.y) * times);
}

/** Show another part of the scene, never beside it. @param {number} zoom @param {number} x @param {number} y */
function look(zoom, x, y) {
  view.zoom = zoom;
  view.x = Math.min(0, Math.max(innerWidth * (1 - zoom), x));
  view.y = Math.min(0, Math.max(innerHeight * (1 - zoom), y));
  draw();
}

// The keyboard.

/** @type {Record<string, string>} */
const KEYS = {
  Enter: "enter", Escape: "escape", Backspace: "backspace", Delete: "delete", ArrowLeft: "left",
  ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", Home: "home", End: "end", PageUp: "page up",
  PageDown: "page down", Tab: "tab", " ": "space", Insert: "insert", Pause: "pause",
};

/** @param {KeyboardEvent} event */
function keyed(event) {
  if (event.isComposing) return;
  awake();
  const field = document.activeElement instanceof HTMLInputElement;
  const single = [...event.key].length === 1;
  // AltGr, which is Ctrl and Alt at once on Windows, and Option of a Mac write letters.
  const written = event.getModifierState("AltGraph") || (event.altKey && !event.ctrlKey && single && event.key > "~");
  const ctrl = !written && (event.ctrlKey || event.metaKey), alt = !written && event.altKey;
  let key = KEYS[event.key] || (single || /^F\d+$/.test(event.key) ? event.key.toLowerCase() : "");
  if (event.code === "NumpadAdd") key = "kp+";
  if (event.code === "NumpadSubtract") key = "kp-";
  if (!key || key === "tab") return; // the browser's own Tab goes through the document
  if (field && !["enter", "escape", "up", "down", "page up", "page down"].includes(key) && !/^f\d+$/.test(key)) return;
  if (ctrl && !field && ["t", "w", "n", "r", "l"].includes(key)) return;
  const down = event.type === "keydown";
  if (down && !event.repeat && touch.focus === PICK && (key === "enter" || key === "space")) pick();
  const typedText = single && !field && !ctrl && !alt ? event.key : "";
  say({ do: "key", key, text: down ? typedText : "", shift: event.shiftKey, ctrl, alt, down });
  event.preventDefault();
}
addEventListener("keydown", keyed);
addEventListener("keyup", keyed);
addEventListener("paste", (event) => {
  if (document.activeElement instanceof HTMLInputElement) return;
  const text = event.clipboardData?.getData("text") || "";
  if (text) say({ do: "text", text: text.slice(0, 4000) });
});

// The way back of a phone closes what lies over the page, as Escape does.

/** Whether the browser has a step back that does not lead away from here. */
let step = Boolean(history.state?.over);

function cover() {
  if (step || !root || top(root) === root) return;
  step = true;
  history.pushState({ over: true }, "");
}
addEventListener("popstate", () => {
  if (location.hash) return; // a link, opened in this tab
  step = Boolean(history.state?.over);
  if (step) return;
  if (!root || top(root) === root) {
    history.back(); // it was closed otherwise: the step is left over
    return;
  }
  for (const down of [true, false]) say({ do: "key", key: "escape", text: "", shift: false, ctrl: false, alt: false, down });
});

/** Sounds may be heard from the first touch on. */
function awake() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  if (!wanted) return;
  wanted = false;
  Notification.requestPermission().catch(() => {});
}

addEventListener("blur", () => say({ do: "away" }));
document.addEventListener("visibilitychange", () => {
  if (document.hidden) say({ do: "away" });
  else ask();
});
for (const name of ["pageshow", "online", "focus", "pointerdown", "keydown"]) addEventListener(name, ask, true);
setInterval(() => document.hidden || ask(), LOOK);
addEventListener("hashchange", () => {
  if (location.hash) location.reload(); // a new link, opened in the tab of the one before
});
addEventListener("resize", () => {
  look(1, 0, 0);
  say({ do: "size", ...room() });
});

function fontsCame() {
  measureAnew();
  draw();
}
document.fonts.addEventListener("loadingdone", fontsCame);
Promise.all([0, 1, 2].map((n) => document.fonts.load(`16px Netplay${n}`))).then(fontsCame);
connect();
