// Does in Firefox, over WebDriver BiDi, what lines of JSON ask for, one after the other.
import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const [executablePath, width, height] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox", executablePath, headless: true,
  defaultViewport: { width: Number(width), height: Number(height) },
});
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));

const does = {
  goto: (link) => page.goto(link).then(() => null),
  evaluate: (script, given) =>
    page.evaluate(/^\(?\w*\)? =>/.test(script) ? `(${script})(${JSON.stringify(given ?? null)})` : script),
  tap: (x, y) => page.touchscreen.tap(x, y),
  click: (x, y) => page.mouse.click(x, y),
  type: (text) => page.keyboard.type(text),
  press: async (...keys) => {
    const last = keys.pop();
    for (const key of keys) await page.keyboard.down(key);
    await page.keyboard.press(last);
    for (const key of keys) await page.keyboard.up(key);
  },
  errors: () => errors,
  version: () => browser.version(),
};
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  let answer;
  try {
    answer = { is: (await does[name](...given)) ?? null };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
await browser.close();
