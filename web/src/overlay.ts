// What is drawn over the points: density contours and class names at low zoom, thumbnails where there is room, the sample
// in focus and lines to its reasons.
import { contourDensity } from "d3-contour";
import { css } from "./color";
import { plain } from "./dom";
import { Scene } from "./scene";
import { State } from "./state";

const LOW_ZOOM = 3;
const MOST_WHILE_MOVING = 50000;
const NAME_FONT = "600 13px system-ui, sans-serif";

interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Name extends Box {
  text: string;
}
export interface Thumbnail extends Box {
  sample: number;
}

// Boxes that are taken, by cells, so that a new one is compared with its neighbours only.
class Room {
  private cells = new Map<string, Box[]>();
  constructor(private side: number) {}

  take(box: Box): boolean {
    const keys: string[] = [];
    for (let a = Math.floor(box.x / this.side); a <= Math.floor((box.x + box.w) / this.side); a++)
      for (let b = Math.floor(box.y / this.side); b <= Math.floor((box.y + box.h) / this.side); b++) keys.push(`${a} ${b}`);
    const clash = (o: Box) => o.x < box.x + box.w && box.x < o.x + o.w && o.y < box.y + box.h && box.y < o.y + o.h;
    if (keys.some((key) => this.cells.get(key)?.some(clash))) return false;
    for (const key of keys) this.cells.set(key, [...(this.cells.get(key) ?? []), box]);
    return true;
  }
}

export class Overlay {
  readonly canvas = document.createElement("canvas");
  names: Name[] = [];
  thumbnails: Thumbnail[] = [];
  private classes: { label: number; members: number[] }[] = [];
  private order: number[];

  constructor(private state: State, private scene: Scene) {
    this.canvas.className = "over";
    const data = state.data;
    this.order = [];
    for (let i = data.nTrain; i < data.n; i++) this.order.push(i);
    const step = 7919; // visits the training samples in an order that does not follow their rows
    for (let i = 0; i < data.nTrain; i++) this.order.push(data.nTrain % step === 0 ? i : (i * step) % data.nTrain);
    this.collectClasses();
  }

  private collectClasses() {
    const members = new Map<number, number[]>();
    for (let i = 0; i < this.state.data.n; i++) {
      const label = this.state.data.anyLabel(i);
      if (label < 0) continue;
      const list = members.get(label);
      if (list) list.push(i);
      else members.set(label, [i]);
    }
    this.classes = [...members].map(([label, list]) => ({ label, members: list }));
    this.classes.sort((a, b) => b.members.length - a.members.length || a.label - b.label);
    this.classes.length = Math.min(this.classes.length, 400);
  }

  draw(resting: boolean) {
    const [width, height] = this.scene.size;
    const ratio = Math.min(2, window.devicePixelRatio);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    this.names = [];
    this.thumbnails = [];
    if (!resting && this.state.data.n > MOST_WHILE_MOVING) return;
    const screen = this.scene.positions();
    const low = this.scene.zoom < LOW_ZOOM;
    if (resting && low && this.state.showDensity && !this.scene.isDeep) this.drawDensity(context, screen, width, height);
    const room = new Room(64);
    room.take({ x: 0, y: 0, w: 110, h: 22 }); // the names of the axes
    room.take({ x: width - 110, y: height - 24, w: 110, h: 24 });
    const named = low && this.state.showNames && this.state.coloring.key === "label";
    if (named) this.placeNames(context, screen, width, height, room);
    if (this.state.showImages) this.drawImages(context, screen, width, height, room);
    this.drawReasons(context, screen);
    this.drawNames(context);
    if (!this.scene.isDeep) this.drawAxes(context, width, height);
    this.drawFocus(context, screen);
  }

  private ink(name: string): string {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }

  private drawDensity(context: CanvasRenderingContext2D, screen: Float32Array, width: number, height: number) {
    const step = Math.max(1, Math.floor(this.state.data.n / 20000));
    const points: [number, number][] = [];
    for (let i = 0; i < this.state.data.n; i += step) points.push([screen[2 * i], screen[2 * i + 1]]);
    const contours = contourDensity().size([width, height]).bandwidth(18).cellSize(4).thresholds(7)(points);
    for (const contour of contours) {
      context.beginPath();
      for (const polygon of contour.coordinates)
        for (const ring of polygon)
          ring.forEach(([x, y], k) => (k === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      for (const [color, line, alpha] of [["--paper", 3, 0.5], ["--ink", 1, 0.85]] as const) {
        context.strokeStyle = this.ink(color);
        context.lineWidth = line;
        context.globalAlpha = alpha;
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  private drawImages(context: CanvasRenderingContext2D, screen: Float32Array, width: number, height: number, room: Room) {
    const images = this.state.data.images;
    if (!images) return;
    const { width: iw, height: ih } = images.about;
    const side = Math.min(64, Math.max(26, Math.max(iw, ih), width / 22));
    const [w, h] = [(side * iw) / Math.max(iw, ih), (side * ih) / Math.max(iw, ih)];
    context.imageSmoothingEnabled = iw >= side;
    const order = this.state.focus >= 0 ? [this.state.focus, ...this.order] : this.order;
    for (const i of order) {
      const slot = this.state.data.imageSlot(i);
      const [x, y] = [screen[2 * i] - w / 2, screen[2 * i + 1] - h / 2];
      if (slot < 0 || !(x >= 0 && y >= 0 && x + w <= width && y + h <= height)) continue;
      if (this.state.selection && !this.state.selection.has(i)) continue;
      if (!room.take({ x: x - 1, y: y - 1, w: w + 2, h: h + 2 })) continue;
      const isNew = this.state.data.isNew(i);
      images.draw(context, slot, x, y, w, h);
      context.lineWidth = isNew ? 3 : 1.5;
      context.strokeStyle = css(this.state.color(i));
      context.setLineDash(isNew ? [5, 2] : []);
      context.strokeRect(x, y, w, h);
      this.thumbnails.push({ x, y, w, h, sample: i });
      if (this.thumbnails.length >= 600) break;
    }
    context.setLineDash([]);
  }

  // At the median of each class, large classes first.
  private placeNames(context: CanvasRenderingContext2D, screen: Float32Array, width: number, height: number, room: Room) {
    context.font = NAME_FONT;
    for (const { label, members } of this.classes) {
      const text = plain(this.state.data.labelNames[label], 24);
      const w = context.measureText(text).width + 4;
      const median = (axis: number) => {
        const step = Math.max(1, Math.floor(members.length / 500));
        const values = members.filter((_, k) => k % step === 0).map((i) => screen[2 * i + axis]);
        return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
      };
      const box = { x: median(0) - w / 2, y: median(1) - 8, w, h: 17 };
      const inside = box.x >= 0 && box.y >= 0 && box.x + w <= width && box.y + box.h <= height;
      if (inside && room.take(box)) this.names.push({ ...box, text });
    }
  }

  private drawNames(context: CanvasRenderingContext2D) {
    context.font = NAME_FONT;
    for (const { x, y, text } of this.names) this.haloed(context, text, x + 2, y + 2);
  }

  private haloed(context: CanvasRenderingContext2D, text: string, x: number, y: number) {
    context.textBaseline = "top";
    context.lineJoin = "round";
    context.lineWidth = 4;
    context.strokeStyle = this.ink("--paper");
    context.strokeText(text, x, y);
    context.fillStyle = this.ink("--ink");
    context.fillText(text, x, y);
  }

  // Which coordinate runs where; their scales have no unit.
  private drawAxes(context: CanvasRenderingContext2D, width: number, height: number) {
    const { axes } = this.state;
    context.font = "12px system-ui, sans-serif";
    const across = `coordinate ${axes[0] + 1} \u2192`;
    this.haloed(context, across, width - context.measureText(across).width - 8, height - 19);
    if (axes.length > 1) this.haloed(context, `\u2191 coordinate ${axes[1] + 1}`, 8, 6);
  }

  private drawReasons(context: CanvasRenderingContext2D, screen: Float32Array) {
    const { data, focus } = this.state;
    const reasons = focus >= 0 && !data.reasonsAreAtoms ? data.reasons(focus) : null;
    if (!reasons) return;
    const most = Math.max(...reasons.list.map((r) => Math.abs(r.weight)), 1e-30);
    context.strokeStyle = this.ink("--accent");
    for (const { anchor, weight } of reasons.list) {
      context.lineWidth = data.reasonKind === "codes" ? 0.8 + 3 * (Math.abs(weight) / most) : 1.2;
      context.beginPath();
      context.moveTo(screen[2 * focus], screen[2 * focus + 1]);
      context.lineTo(screen[2 * anchor], screen[2 * anchor + 1]);
      context.stroke();
    }
  }

  private drawFocus(context: CanvasRenderingContext2D, screen: Float32Array) {
    const i = this.state.focus;
    if (i < 0) return;
    const image = this.thumbnails.find((t) => t.sample === i);
    for (const [color, line] of [["--paper", 7], ["--accent", 3]] as const) {
      context.strokeStyle = this.ink(color);
      context.lineWidth = line;
      context.beginPath();
      if (image) context.rect(image.x - 4, image.y - 4, image.w + 8, image.h + 8);
      else context.arc(screen[2 * i], screen[2 * i + 1], 11, 0, 2 * Math.PI);
      context.stroke();
    }
  }
}
