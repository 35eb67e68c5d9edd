// Paints a scene on a canvas, as client/paint does on a surface.
import { CLIP, DROP, ENABLED, GHOST, LIVE, find } from "./scene.js";

/** @typedef {import("./scene.js").Told} Told */
/** @typedef {import("./scene.js").Touch} Touch */
/** @typedef {import("./scene.js").Theme} Theme */
/** @typedef {CanvasRenderingContext2D} Context */

const SMALL = 200 * 200, GHOSTLY = 110 / 255, VEIL = 120 / 255;
const FAMILIES = ["Netplay0", "Netplay1", "Netplay2", "Netplay3", "sans-serif"];
/** Of each font and size, how many pixels a letter takes. @type {Map<string, Map<string, number>>} */
const ADVANCES = new Map();

/** Measure anew: other fonts have come. */
export function measureAnew() {
  ADVANCES.clear();
}

/** @type {Map<number, string>} */
const inks = new Map();

/** @param {number} colour */
export function css(colour) {
  let found = inks.get(colour);
  if (!found) inks.set(colour, (found = "#" + colour.toString(16).padStart(6, "0")));
  return found;
}

/**
 * @param {number} one
 * @param {number} other
 * @param {number} part
 */
function mix(one, other, part) {
  let out = 0;
  for (const shift of [16, 8, 0]) {
    const a = (one >> shift) & 255, b = (other >> shift) & 255;
    out |= Math.round(a + (b - a) * part) << shift;
  }
  return out;
}

/**
 * Return a convex polygon whose sides lie farther in.
 * @param {[number, number][]} corners
 * @param {number} by
 * @returns {[number, number][]}
 */
function smaller(corners, by) {
  const n = corners.length;
  const cx = corners.reduce((sum, c) => sum + c[0], 0) / n;
  const cy = corners.reduce((sum, c) => sum + c[1], 0) / n;
  let near = Infinity;
  corners.forEach(([ax, ay], i) => {
    const [bx, by_] = corners[(i + 1) % n];
    const long = Math.max(1e-6, Math.hypot(bx - ax, by_ - ay));
    near = Math.min(near, Math.abs((bx - ax) * (ay - cy) - (ax - cx) * (by_ - ay)) / long);
  });
  const part = Math.max(0, 1 - by / Math.max(near, 1e-6));
  return corners.map(([x, y]) => [cx + (x - cx) * part, cy + (y - cy) * part]);
}

/**
 * Return the corners of a shape that has some, in pixels of the scene.
 * @param {Told} node
 * @returns {[number, number][]}
 */
function outline(node) {
  const [x, y, w, h] = node.b;
  if (node.s !== "flat hexagon") return node.p || [];
  const q = Math.floor(w / 4), m = y + Math.floor(h / 2);
  return [[x + q, y], [x + w - q, y], [x + w, m], [x + w - q, y + h], [x + q, y + h], [x, m]];
}

/**
 * Add a node's shape to the path, smaller all round and at its foot.
 * @param {Context} c
 * @param {Told} node
 * @param {number} inner
 * @param {number} lower
 */
function trace(c, node, inner, lower) {
  const [x, y, w, h] = node.b;
  if (node.s === "rect" || node.s === "round") {
    const wide = Math.max(0, w - 2 * inner), high = Math.max(0, h - 2 * inner - lower);
    const all = Math.min(node.r || 0, w >> 1, h >> 1);
    const r = node.s === "round" ? Math.max(0, all - inner) : 0;
    if (r) c.roundRect(x + inner, y + inner, wide, high, r);
    else c.rect(x + inner, y + inner, wide, high);
  } else if (node.s === "circle") {
    const r = Math.max(0, Math.min(w, h) / 2 - inner - lower / 2);
    c.moveTo(x + w / 2 + r, y + (h - lower) / 2);
    c.arc(x + w / 2, y + (h - lower) / 2, r, 0, 2 * Math.PI);
  } else {
    const part = (h - lower) / h;
    /** @type {[number, number][]} */
    let corners = outline(node).map(([px, py]) => [px, y + (py - y) * part]);
    if (inner) corners = smaller(corners, inner);
    polygon(c, corners);
  }
}

/**
 * @param {Context} c
 * @param {[number, number][]} corners
 */
function polygon(c, corners) {
  corners.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
  c.closePath();
}

/** @type {Record<string, [number, number][]>} */
const PLATES = {
  disc: Array.from({ length: 48 }, (_, n) => [0.5 + 0.38 * Math.sin((Math.PI * n) / 24), 0.5 + 0.38 * Math.cos((Math.PI * n) / 24)]),
  box: [[0, 0.02], [1, 0.02], [1, 0.98], [0, 0.98]],
  gem: [[0.5, -0.06], [1.06, 0.5], [0.5, 1.06], [-0.06, 0.5]],
  wedge: [[0.5, -0.06], [1.1, 0.94], [-0.1, 0.94]],
  funnel: [[-0.1, 0.06], [1.1, 0.06], [0.5, 1.06]],
  pill: [[0.26, -0.1], [0.74, -0.1], [0.74, 1.1], [0.26, 1.1]],
};

/**
 * @param {Context} c
 * @param {Told} node
 * @param {number} inner
 */
function texture(c, node, inner) {
  const [x, y, w, h] = node.b, depth = node.d || 0;
  const plate = PLATES[node.q || ""];
  if (plate) {
    const side = Math.min(w, h - depth) * 0.72;
    const left = x + (w - side) / 2, upper = y + (h - depth - side) / 2;
    c.fillStyle = css(node.e ?? 0);
    c.beginPath();
    polygon(c, plate.map(([px, py]) => [left + side * px, upper + side * py]));
    c.fill();
    return;
  }
  c.save();
  c.beginPath();
  trace(c, node, inner, depth);
  c.clip();
  c.fillStyle = css(mix(node.g ?? 0x808080, node.e ?? 0, 0.55));
  const pitch = Math.max(4, Math.floor(Math.min(w, h) / 5)), thick = Math.max(1, pitch / 4);
  c.beginPath();
  for (let j = 0; j <= h / pitch + 1; j++)
    for (let i = -1; i <= w / pitch + 1; i++) {
      const px = x + i * pitch + (j % 2 ? pitch / 2 : 0), py = y + j * pitch;
      c.moveTo(px + thick, py);
      c.arc(px, py, thick, 0, 2 * Math.PI);
    }
  c.fill();
  c.restore();
}

/**
 * Paint a node's shape with its edge and pattern; a large one is but a ground.
 * @param {Context} c
 * @param {Told} node
 * @param {boolean} [ring] it is the ring round something
 */
function body(c, node, ring) {
  const { g, e } = node;
  const large = !ring && node.b[2] * node.b[3] > SMALL && (node.s === "rect" || node.s === "round");
  if (large && g === undefined) return;
  const depth = large ? 0 : node.d || 0, border = node.w || 0;
  const inner = e !== undefined ? border : 0;
  if (e !== undefined && (border || depth)) {
    c.fillStyle = css(e);
    c.beginPath();
    trace(c, node, 0, 0);
    if (g === undefined) trace(c, node, inner, depth);
    c.fill("evenodd");
  }
  if (g !== undefined) {
    c.fillStyle = css(g);
    c.beginPath();
    trace(c, node, inner, depth);
    c.fill();
  }
  if (node.q && !large) texture(c, node, inner);
}

/** @type {Record<string, (m: number, s: number, t: number) => [number, number][][]>} */
const MARKS = {
  bar: (m, s, t) => [[[0, m - t], [s, m - t], [s, m + t], [0, m + t]]],
  plus: (m, s, t) => [
    [[0, m - t], [s, m - t], [s, m + t], [0, m + t]],
    [[m - t, 0], [m + t, 0], [m + t, s], [m - t, s]],
  ],
  cross: (m, s, t) => {
    const a = t * 1.4;
    return [
      [[0, a], [a, 0], [s, s - a], [s - a, s]],
      [[s - a, 0], [s, a], [a, s], [0, s - a]],
    ];
  },
  square: (m, s, t) => {
    const a = t * 1.4;
    return [[[a, a], [s - a, a], [s - a, s - a], [a, s - a]]];
  },
  diamond: (m, s) => [[[m, 0], [s, m], [m, s], [0, m]]],
  triangle: (m, s) => [[[m, s * 0.06], [s, s * 0.94], [0, s * 0.94]]],
  star: (m) => [
    Array.from({ length: 10 }, (_, i) => {
      const r = i % 2 ? m * 0.45 : m;
      return /** @type {[number, number]} */ ([m + Math.sin((Math.PI * i) / 5) * r, m - Math.cos((Math.PI * i) / 5) * r]);
    }),
  ],
  left: (m, s) => [[[0, m], [s * 0.8, 0], [s * 0.8, s]]],
  right: (m, s) => [[[s, m], [s * 0.2, 0], [s * 0.2, s]]],
  up: (m, s) => [[[m, s * 0.15], [s, s * 0.85], [0, s * 0.85]]],
  down: (m, s) => [[[m, s * 0.85], [s, s * 0.15], [0, s * 0.15]]],
};

/**
 * Paint a sign in a square.
 * @param {Context} c
 * @param {string} mark
 * @param {number} x
 * @param {number} y
 * @param {number} s
 */
function sign(c, mark, x, y, s) {
  const m = s / 2, thick = Math.max(1, s / 6);
  /** @param {number} px @param {number} py @param {number} r */
  const disc = (px, py, r) => {
    c.beginPath();
    c.arc(x + px, y + py, r, 0, 2 * Math.PI);
  };
  const shapes = MARKS[mark];
  if (shapes) {
    for (const corners of shapes(m, s, s * 0.11)) {
      c.beginPath();
      polygon(c, corners.map(([px, py]) => [x + px, y + py]));
      c.fill();
    }
    return;
  }
  c.lineWidth = thick;
  switch (mark) {
    case "dot": disc(m, m, s * 0.32); c.fill(); break;
    case "linked": disc(m, m, s * 0.46); c.fill(); break;
    case "ring": disc(m, m, m - thick / 2); c.stroke(); break;
    case "cut":
      for (const [from, to] of [[-0.2, 0.7], [0.8, 1.7]]) {
        c.beginPath();
        c.arc(x + m, y + m, m - thick / 2, from * Math.PI, to * Math.PI);
        c.stroke();
      }
      break;
    case "bomb":
      disc(m * 0.9, m * 1.15, s * 0.36);
      c.fill();
      c.beginPath();
      c.moveTo(x + m * 1.3, y + m * 0.7);
      c.lineTo(x + s * 0.92, y + s * 0.08);
      c.stroke();
      break;
    case "eye":
      c.lineWidth = Math.max(1, s / 9);
      c.beginPath();
      c.ellipse(x + m, y + m, m - c.lineWidth / 2, s * 0.3 - c.lineWidth / 2, 0, 0, 2 * Math.PI);
      c.stroke();
      disc(m, m, s * 0.17);
      c.fill();
      break;
    case "checked":
      c.beginPath();
      c.moveTo(x + s * 0.08, y + s * 0.52);
      c.lineTo(x + s * 0.38, y + s * 0.82);
      c.lineTo(x + s * 0.92, y + s * 0.2);
      c.stroke();
      break;
  }
}

export class Painter {
  /**
   * @param {Context} context
   * @param {number} dots pixels of the device to one of the scene
   */
  constructor(context, dots) {
    this.c = context;
    this.dots = dots;
    /** @type {Touch} */
    this.touch = { focus: "", hover: "", pressed: "", lift: "", by: [0, 0], over: "" };
    /** @type {Theme | null} */
    this.theme = null;
    /** @type {Told | null} */
    this.root = null;
  }

  /**
   * @param {Told} root
   * @param {Touch} touch
   * @param {Theme} theme
   */
  paint(root, touch, theme) {
    this.root = root;
    this.touch = touch;
    this.theme = theme;
    this.node(root);
    const lifted = find(root, touch.lift);
    if (lifted) {
      this.touch = { ...touch, lift: "", focus: "" };
      this.c.save();
      this.c.translate(touch.by[0], touch.by[1]);
      this.node({ ...lifted, i: lifted.i & ~GHOST });
      this.c.restore();
    }
  }

  /** @param {Told} node */
  node(node) {
    if (node.i & GHOST || (node.n && node.n === this.touch.lift)) {
      this.ghost(node);
      return;
    }
    const { c, theme, root } = this;
    if (node.k === "dialog" && node.d && theme && root) {
      c.save();
      c.globalAlpha *= VEIL;
      c.fillStyle = css(theme.veil);
      c.fillRect(...root.b);
      c.restore();
    }
    this.own(this.touched(node));
    if (node.i & CLIP) {
      c.save();
      c.beginPath();
      c.rect(...node.b);
      c.clip();
    }
    for (const kid of node._ || []) this.node(kid);
    if (node.i & CLIP) c.restore();
    if (node.n && node.n === this.touch.focus) this.ring(node);
  }

  /**
   * Paint a node half visible, all of it at once: its parts do not shine through.
   * @param {Told} node
   */
  ghost(node) {
    const [x, y, w, h] = node.b, dots = this.dots;
    if (!w || !h) return;
    const layer = document.createElement("canvas");
    layer.width = Math.ceil(w * dots);
    layer.height = Math.ceil(h * dots);
    const context = layer.getContext("2d");
    if (!context) return;
    context.scale(dots, dots);
    context.translate(-x, -y);
    const inner = new Painter(context, dots);
    inner.theme = this.theme;
    inner.root = this.root;
    inner.node({ ...node, i: node.i & ~GHOST });
    this.c.save();
    this.c.globalAlpha *= GHOSTLY;
    this.c.drawImage(layer, x, y, layer.width / dots, layer.height / dots);
    this.c.restore();
  }

  /**
   * Return a node as it looks under the pointer.
   * @param {Told} node
   * @returns {Told}
   */
  touched(node) {
    const { touch, theme } = this, name = node.n;
    if (!name || !theme || !(node.i & ENABLED)) return node;
    if (name === touch.over && node.i & DROP) return { ...node, e: theme.accent, w: theme.over };
    if (!(node.i & LIVE) || (name !== touch.hover && name !== touch.pressed)) return node;
    const part = name === touch.pressed ? 0.16 : 0.08;
    if (node.g === undefined) {
      if (!["button", "tab", "item"].includes(node.k) || node.f === undefined) return node;
      return { ...node, g: mix(theme.panel, node.f, part), s: node.s || "rect" };
    }
    return { ...node, g: mix(node.g, node.f ?? 0, part) };
  }

  /** @param {Told} node */
  own(node) {
    const { c } = this;
    if (node.s === "line") this.line(node);
    else if (node.s && (node.g !== undefined || node.e !== undefined)) body(c, node);
    if (node.z) this.smaller(node, node.z);
    if (node.f === undefined) return;
    c.fillStyle = c.strokeStyle = css(node.f);
    if (node.m) sign(c, node.m[0], node.b[0] + node.m[1], node.b[1] + node.m[2], node.m[3]);
    // What is typed just now the field shows by itself.
    if (node.l && !(node.t && node.n === this.touch.focus)) this.texts(node);
  }

  /** @param {Told} node */
  line(node) {
    const { c } = this;
    if (node.e === undefined || !node.p) return;
    c.strokeStyle = css(node.e);
    c.lineWidth = Math.max(1, node.w || 0);
    c.lineJoin = c.lineCap = "round";
    c.beginPath();
    node.p.forEach(([x, y], i) => (i ? c.lineTo(x, y) : c.moveTo(x, y)));
    c.stroke();
  }

  /**
   * Paint texts where they were measured; each is as wide as was measured.
   * @param {Told} node
   */
  texts(node) {
    const { c } = this, [x, y] = node.b;
    for (const [text, dx, base, size, cut, wide] of node.l || []) {
      c.font = `${size}px ${FAMILIES[cut]}`;
      // Where fonts are not those that were measured, all of it fits nevertheless.
      const fit = wide > 0 ? wide / (this.advance(text) || wide) : 1;
      let left = x + dx;
      for (const word of text.split(/(?<= )(?=[^ ])/)) {
        const natural = c.measureText(word).width, room = this.advance(word) * fit;
        c.save();
        c.translate(left, y + base);
        if (natural > 0 && room > 0) c.scale(room / natural, 1);
        c.fillText(word, 0, 0);
        c.restore();
        left += room;
      }
    }
  }

  /**
   * Return how far a word reaches: each letter takes whole pixels, as in the window.
   * @param {string} word
   */
  advance(word) {
    const { c } = this;
    let known = ADVANCES.get(c.font);
    if (!known) ADVANCES.set(c.font, (known = new Map()));
    let sum = 0;
    for (const letter of word) {
      let wide = known.get(letter);
      if (wide === undefined) {
        // Fonts are measured in 64ths of pixels, and these are rounded.
        wide = Math.floor((Math.round(64 * c.measureText(letter).width) + 32) / 64);
        known.set(letter, wide);
      }
      sum += wide;
    }
    return sum;
  }

  /**
   * Paint another scene, smaller, so that it fills the node's shape.
   * @param {Told} node
   * @param {Told} scene
   */
  smaller(node, scene) {
    const { c } = this, [x, y, w, h] = node.b, [left, upper, wide, high] = scene.b;
    const part = Math.max(w / wide, h / high);
    c.save();
    c.beginPath();
    c.roundRect(x, y, w, h, node.r || 0);
    c.clip();
    c.translate(x + w / 2, y + h / 2);
    c.scale(part, part);
    c.translate(-left - wide / 2, -upper - high / 2);
    const inner = new Painter(c, this.dots * part);
    inner.theme = this.theme;
    inner.root = scene;
    if (this.theme) {
      c.fillStyle = css(this.theme.ground);
      c.fillRect(...scene.b);
    }
    inner.node(scene);
    c.restore();
  }

  /** @param {Told} node */
  ring(node) {
    const { theme } = this;
    if (!theme) return;
    const wide = theme.ring, [x, y, w, h] = node.b;
    const bodied = node.s && node.s !== "line";
    // Of a row its list and the next row would hide what is out.
    const out = node.p || node.k === "item" ? 0 : wide;
    body(this.c, {
      k: "label", i: 0, e: theme.focus, w: wide, p: node.p,
      b: [x - out, y - out, w + 2 * out, h + 2 * out],
      s: bodied ? node.s : "round", r: bodied ? (node.r || 0) + wide : wide * 2,
    }, true);
  }
}
