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

/** @typedef {{m?: [number, number], "="?: Record<string, unknown>, u?: [number, Change][], _?: (Told | [number, number | Change])[]}} Change */

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
  if (change.m) return moved(old, ...change.m);
  /** @type {Told} */
  const node = { ...old };
  for (const [key, value] of Object.entries(change["="] || {})) {
    if (value === null) Reflect.deleteProperty(node, key);
    else Reflect.set(node, key, value);
  }
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
 * Return a node and all that lies on it, so far away.
 * @param {Told} old
 * @param {number} dx
 * @param {number} dy
 * @returns {Told}
 */
function moved(old, dx, dy) {
  const [x, y, w, h] = old.b;
  /** @type {Told} */
  const node = { ...old, b: [x + dx, y + dy, w, h] };
  if (old.p) node.p = old.p.map(([px, py]) => [px + dx, py + dy]);
  if (old._) node._ = old._.map((kid) => moved(kid, dx, dy));
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
 * Return the point that a finger means which has come down beside everything: small
 * things are as large for it as a finger is, also where they stand at an edge.
 * @param {Told} node
 * @param {{x: number, y: number}} point
 * @param {number} least how large, in pixels of the scene
 * @returns {{x: number, y: number}}
 */
export function meant(node, point, least) {
  const { x, y } = point;
  if (at(node, x, y, (each) => Boolean(each.i & (LIVE | DRAG)))) return point;
  let found = point, far = Infinity;
  /**
   * @param {Told} each
   * @param {[number, number, number, number]} seen what nothing cuts off: left, top, right, bottom
   */
  const look = (each, seen) => {
    const [l, u, w, h] = each.b;
    const left = Math.max(l, seen[0]), upper = Math.max(u, seen[1]), right = Math.min(l + w, seen[2]), low = Math.min(u + h, seen[3]);
    const to = { x: Math.min(Math.max(x, left), right - 1), y: Math.min(Math.max(y, upper), low - 1) };
    const dx = Math.max(0, left - x, x - right), dy = Math.max(0, upper - y, y - low), there = left < right && upper < low;
    if (each.i & CLIP && !(there && Math.max(dx, dy) <= least / 2)) return;
    if (there && each.i & LIVE && each.i & ENABLED && dx <= Math.max(0, least - right + left) / 2 && dy <= Math.max(0, least - low + upper) / 2 && dx + dy < far) {
      far = dx + dy;
      found = to;
    }
    for (const kid of each._ || []) look(kid, each.i & CLIP ? [left, upper, right, low] : seen);
  };
  look(node, [-Infinity, -Infinity, Infinity, Infinity]);
  return found;
}

/**
 * Tell whether something is too small for a finger that has others within its reach,
 * or others that are small, too, and as near for `meant`: what stands alone is found by
 * that, and a slider follows the finger.
 * @param {Told} root
 * @param {Told} node
 * @param {number} least how large a finger is, in pixels of the scene
 * @returns {boolean}
 */
export function crowded(root, node, least) {
  const [left, upper, w, h] = node.b;
  if (node.k === "slider" || Math.min(w, h) >= least - 0.5) return false;
  const x = left + w / 2, y = upper + h / 2, reach = least / 2;
  /** @param {Told} each @param {boolean} own @returns {boolean} */
  const meets = (each, own) => {
    own ||= each === node;
    const [l, u, ew, eh] = each.b;
    /** @param {number} wide @param {number} high how much farther it reaches than it is seen */
    const within = (wide, high) => l - wide < x + reach && l + ew + wide > x - reach && u - high < y + reach && u + eh + high > y - reach;
    if (each.i & CLIP && !within(reach, reach)) return false;
    const near = within(Math.max(0, (least - ew) / 2 - 1), Math.max(0, (least - eh) / 2 - 1));
    const holds = l <= left && u <= upper && l + ew >= left + w && u + eh >= upper + h;
    if (!own && near && !holds && each.i & LIVE && each.i & ENABLED) return true;
    return (each._ || []).some((kid) => meets(kid, own));
  };
  return meets(root, false);
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
