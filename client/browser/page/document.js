// The same tree as a document: what screen readers read, Tab goes through, and fields
// that are typed into.  It lies over the canvas, unseen but for its fields.
import { CLIP, ENABLED, FOCUSABLE, LIVE, SELECTED, top } from "./scene.js";
import { css } from "./paint.js";

/** @typedef {import("./scene.js").Told} Told */
/** @typedef {HTMLElement & {told?: Told, turn?: number, hint?: string}} Element */

const HANDLED = new Set(["button", "choice", "check", "slider", "tab", "item", "cell", "tile"]);

/**
 * Tell whether a text says what a field is for: it stands at its left, or just above.
 * @param {Told} label
 * @param {Told} field
 */
function isOf(label, field) {
  const [x, y, w, h] = label.b, [left, above, , tall] = field.b;
  if (x > left + 4) return false;
  if (y < above + tall && y + h > above) return true;
  return h <= 40 && x + w > left && y + h <= above && above - (y + h) <= 12;
}

export class Document {
  /**
   * @param {HTMLElement} place
   * @param {(message: object) => void} say
   */
  constructor(place, say) {
    this.place = place;
    this.say = say;
    /** @type {Map<string, Element>} */
    this.elements = new Map();
    this.turn = 0;
    this.moving = false;
    this.title = document.createElement("h1");
    place.append(this.title);
    place.addEventListener("click", (event) => {
      const told = this.of(event.target);
      if (told && HANDLED.has(told.k)) this.say({ do: "use", name: told.n });
    });
    place.addEventListener("focusin", (event) => {
      const told = this.of(event.target);
      if (told && !this.moving) this.say({ do: "focus", name: told.n });
    });
    place.addEventListener("input", (event) => this.edited(event.target));
    document.addEventListener("selectionchange", () => {
      const field = document.activeElement;
      if (field instanceof HTMLInputElement && this.of(field)) this.edited(field);
    });
  }

  /**
   * Return the node that an element stands for.
   * @param {EventTarget | null} element
   * @returns {Told | undefined}
   */
  of(element) {
    const told = /** @type {Element | null} */ (element)?.told;
    return told?.n ? told : undefined;
  }

  /** @param {EventTarget | null} target */
  edited(target) {
    const field = /** @type {HTMLInputElement & Element} */ (target);
    const told = this.of(field);
    if (!told || told.k !== "entry") return;
    const ends = [field.selectionStart ?? 0, field.selectionEnd ?? 0];
    const key = `${field.value}\n${ends}`;
    if (field.dataset.said === key) return;
    field.dataset.said = key;
    field.turn = ++this.turn;
    this.say({ do: "edit", name: told.n, text: field.value, anchor: ends[0], caret: ends[1], turn: field.turn });
  }

  /**
   * Let the document be as the scene is.
   * @param {Told} root
   * @param {string} title
   * @param {Record<string, number>} typed what the server has heard last of each field
   */
  settle(root, title, typed) {
    this.title.textContent = title;
    /** @type {Set<string>} */
    const seen = new Set();
    /** @type {Element[]} */
    const order = [];
    /** @type {Told | null} */
    let label = null;
    /** @param {Told} node @param {string} path */
    const add = (node, path) => {
      if (node.a !== undefined || node.k === "entry" || node.k === "dialog") {
        const key = node.n || `#${path}`;
        if (!seen.has(key)) {
          seen.add(key);
          order.push(this.element(key, node, typed, label));
          if (node.k === "label") label = node;
        }
        // What stands on a button is its name already.
        if (HANDLED.has(node.k) && node.k !== "item") return;
      }
      (node._ || []).forEach((kid, i) => add(kid, `${path}.${i}`));
      if (node.i & CLIP) label = null; // what is scrolled says nothing of what comes after
    };
    // What lies under a dialog cannot be used, and often has the same names.
    add(top(root), "");
    for (const [key, element] of this.elements)
      if (!seen.has(key)) {
        element.remove();
        this.elements.delete(key);
      }
    let before = /** @type {Node} */ (this.title);
    for (const element of order) {
      // Moving an element would take the keyboard from it: only what is elsewhere moves.
      if (before.nextSibling !== element) this.place.insertBefore(element, before.nextSibling);
      before = element;
    }
  }

  /**
   * @param {string} key
   * @param {Told} node
   * @param {Record<string, number>} typed
   * @param {Told | null} label the last text before it
   */
  element(key, node, typed, label) {
    const handled = HANDLED.has(node.k) && (node.i & LIVE || node.i & FOCUSABLE);
    const kind = node.k === "entry" ? "INPUT" : handled ? "BUTTON" : node.k === "dialog" ? "DIV" : "P";
    let element = this.elements.get(key);
    if (element && element.tagName !== kind) {
      element.remove();
      element = undefined;
    }
    if (!element) {
      const made = document.createElement(kind);
      if (made instanceof HTMLInputElement) {
        made.type = "text";
        made.autocomplete = "off";
        made.spellcheck = false;
        made.setAttribute("autocapitalize", "off");
        made.value = node.t || "";
      }
      element = /** @type {Element} */ (made);
      this.elements.set(key, element);
    }
    if (element.told === node) return element;
    element.told = node;
    const [x, y, w, h] = node.b, style = element.style;
    style.left = `${x}px`;
    style.top = `${y}px`;
    style.width = `${w}px`;
    style.height = `${h}px`;
    if (element instanceof HTMLInputElement) {
      // A field that is empty shows what belongs there.
      if (!node.t) element.hint = node.a;
      const [title, before] = [label && isOf(label, node) ? label.a : "", label?.a];
      element.setAttribute("aria-label", title || element.hint || before || node.a || key);
      this.field(element, node, typed);
    }
    else if (handled) this.handled(element, node);
    else if (node.k === "dialog") {
      element.setAttribute("role", "dialog");
      element.setAttribute("aria-modal", "true");
      element.setAttribute("aria-label", node.a || "");
    } else if (element.textContent !== node.a) element.textContent = node.a || "";
    return element;
  }

  /** @param {Element} element @param {Told} node */
  handled(element, node) {
    const on = Boolean(node.i & ENABLED);
    element.setAttribute("aria-label", node.a || node.n || "");
    element.tabIndex = on && node.i & FOCUSABLE ? 0 : -1;
    element.setAttribute("aria-disabled", String(!on));
    const [, , w] = node.b;
    switch (node.k) {
      case "check":
        element.setAttribute("role", "checkbox");
        element.setAttribute("aria-checked", String(node.v === "on"));
        break;
      case "choice":
        element.setAttribute("aria-haspopup", "listbox");
        break;
      case "slider": {
        const knob = (node._ || []).at(-1);
        const at = knob ? (knob.b[0] - node.b[0]) / Math.max(1, w - knob.b[2]) : 0;
        element.setAttribute("role", "slider");
        element.setAttribute("aria-valuenow", String(Math.round(100 * at)));
        element.setAttribute("aria-valuetext", node.v || "");
        break;
      }
      case "tab":
      case "item":
        element.setAttribute("aria-pressed", String(Boolean(node.i & SELECTED)));
        break;
    }
  }

  /** @param {HTMLInputElement & Element} field @param {Told} node @param {Record<string, number>} typed */
  field(field, node, typed) {
    const name = node.n || "";
    field.disabled = !(node.i & ENABLED);
    const style = field.style;
    style.fontSize = `${node.y || 14}px`;
    style.padding = `0 ${node.x || 0}px`;
    style.color = css(node.f ?? 0);
    style.caretColor = style.color;
    const text = node.t || "", heard = typed[name] ?? 0;
    if (field.value !== text && heard >= (field.turn || 0)) {
      field.value = text;
      const [from, to] = node.c || [text.length, text.length];
      if (document.activeElement === field) field.setSelectionRange(Math.min(from, to), Math.max(from, to));
      field.dataset.said = `${text}\n${[field.selectionStart, field.selectionEnd]}`;
    }
  }

  /**
   * Give the keyboard to what has the focus in the scene.
   * @param {string} name
   */
  focus(name) {
    const element = this.elements.get(name);
    const now = document.activeElement;
    this.moving = true;
    if (element && now !== element) element.focus({ preventScroll: true });
    else if (!name && now instanceof HTMLElement && this.place.contains(now)) now.blur();
    this.moving = false;
  }
}
