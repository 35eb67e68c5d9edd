// The scene as the server tells it; the keys of a node are those of drawing.py.

/**
 * @typedef {object} Told
 * @property {string} k role
 * @property {[number, number, number, number]} b rectangle
 * @property {number} i flags, see below
 * @property {string} [n] name
 * @property {string} [s] shape
 * @property {[number, number][]} [p] points
 * @property {number} [r] radius
 * @property {number} [d] depth
 * @property {number} [w] border
 * @property {number} [g] ground
 * @property {number} [f] ink
 * @property {number} [e] edge
 * @property {string} [q] pattern
 * @property {[string, number, number, number]} [m] mark, and its square
 * @property {[string, number, number, number, number, number][]} [l] lines
 * @property {Told} [z] miniature
 * @property {string} [t] text of a field
 * @property {[number, number]} [c] its selection
 * @property {number} [y] its height of text
 * @property {number} [x] its padding
 * @property {string} [a] what it is called
 * @property {string} [v] its state
 * @property {number} [h] height of all that a list holds
 * @property {number} [o] how far a list is scrolled
 * @property {Told[]} [_] what lies on it
 */

/**
 * @typedef {object} Change
 * @property {Told} [=]
 * @property {[number, Change][]} [u]
 * @property {(Told | [number, number | Change])[]} [_]
 */

/** @typedef {{focus: string, hover: string, pressed: string, lift: string, by: [number, number], over: string}} Touch */
/** @typedef {{ground: number, veil: number, focus: number, accent: number, panel: number, ring: number, over: number, dark: boolean}} Theme */

export const LIVE = 1, FOCUSABLE = 2, DRAG = 4, DROP = 8, ENABLED = 16, SELECTED = 32, GHOST = 64, CLIP = 128;

/**
 * Return a node after a change.
 * @param {Told} old
 * @param {Change} change
 * @returns {Told}
 */
export function changed(old, change) {
  const own = change["="];
  /** @type {Told} */
  const node = own ? { ...own } : { ...old };
  let kids = old._ || [];
  if (change.u) {
    kids = kids.slice();
    for (const [i, part] of change.u) kids[i] = changed(kids[i], part);
  } else if (change._) {
    /** @type {Told[]} */
    const fresh = [];
    for (const part of change._) {
      if (!Array.isArray(part)) fresh.push(part);
      else if (typeof part[1] === "number") fresh.push(...kids.slice(part[0], part[0] + part[1]));
      else fresh.push(changed(kids[part[0]], part[1]));
    }
    kids = fresh;
  }
  if (kids.length) node._ = kids;
  else delete node._;
  return node;
}

/**
 * Return the part that takes input: the uppermost dialog, or all.
 * @param {Told} root
 * @returns {Told}
 */
export function top(root) {
  let found = root;
  /** @param {Told} node */
  const look = (node) => {
    if (node.k === "dialog") found = node;
    if (!(node.i & CLIP)) for (const kid of node._ || []) look(kid);
  };
  look(root);
  return found;
}

/**
 * Return the uppermost node at a point for which a test holds.
 * @param {Told} node
 * @param {number} x
 * @param {number} y
 * @param {(node: Told) => boolean} test
 * @returns {Told | null}
 */
export function at(node, x, y, test) {
  const [left, upper, w, h] = node.b;
  const inside = x >= left && x < left + w && y >= upper && y < upper + h;
  if (node.i & CLIP && !inside) return null;
  const kids = node._ || [];
  for (let i = kids.length - 1; i >= 0; i--) {
    const found = at(kids[i], x, y, test);
    if (found) return found;
  }
  return inside && test(node) ? node : null;
}

/**
 * @param {Told} node
 * @param {string} name
 * @returns {Told | null}
 */
export function find(node, name) {
  if (!name) return null;
  if (node.n === name) return node;
  for (const kid of node._ || []) {
    const found = find(kid, name);
    if (found) return found;
  }
  return null;
}
