// What is shown: the axes, the colours, the selection and the sample in focus. Views listen to its changes.
import { MapData } from "./data";
import { classColor, classMark, NEW_MARK, rampColor, Rgb, UNKNOWN } from "./color";

export type Change = "axes" | "colors" | "selection" | "focus" | "view";

export interface Coloring {
  key: string;
  name: string;
  /** Of a sample; NaN where it is unknown. Absent: by class. */
  value?: (i: number) => number;
  low: number;
  high: number;
}

export class State {
  axes: number[];
  coloring: Coloring;
  readonly colorings: Coloring[];
  readonly colors: Uint8Array;
  selection: Set<number> | null = null;
  focus = -1;
  showImages: boolean;
  showNames = true;
  showDensity: boolean;
  private listeners: ((change: Change) => void)[] = [];

  constructor(readonly data: MapData) {
    this.axes = data.coordinates.length > 1 ? [0, 1] : [0];
    this.colorings = listColorings(data);
    this.coloring = this.colorings[0];
    this.colors = new Uint8Array(4 * data.n);
    this.showImages = data.images !== null;
    this.showDensity = data.images === null && data.n >= 2000;
    this.paint();
  }

  listen(listener: (change: Change) => void) {
    this.listeners.push(listener);
  }
  notify(change: Change) {
    for (const listener of this.listeners) listener(change);
  }

  setAxes(axes: number[]) {
    this.axes = axes;
    this.notify("axes");
  }
  setColoring(key: string) {
    this.coloring = this.colorings.find((c) => c.key === key) ?? this.colorings[0];
    this.paint();
    this.notify("colors");
  }
  select(samples: Iterable<number> | null) {
    const set = samples ? new Set(samples) : null;
    this.selection = set && set.size > 0 ? set : null;
    this.paint();
    this.notify("selection");
  }
  setFocus(i: number) {
    this.focus = i;
    this.notify("focus");
  }

  color(i: number): Rgb {
    const { value, low, high } = this.coloring;
    if (!value) return this.coloring.key === "label" ? classColor(this.data.anyLabel(i)) : this.data.isNew(i) ? [213, 94, 0] : [0, 114, 178];
    const v = value(i);
    return Number.isFinite(v) ? rampColor(high > low ? (v - low) / (high - low) : 0.5) : UNKNOWN;
  }
  /** The mark of a sample: new samples are diamonds, the others have the mark of their class. */
  mark(i: number): number {
    return this.data.isNew(i) ? NEW_MARK : classMark(this.data.label(i));
  }

  private paint() {
    for (let i = 0; i < this.data.n; i++) {
      this.colors.set(this.color(i), 4 * i);
      this.colors[4 * i + 3] = this.selection ? (this.selection.has(i) ? 255 : 36) : this.data.isNew(i) ? 255 : 215;
    }
  }
}

function ranged(key: string, name: string, n: number, value: (i: number) => number): Coloring {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < n; i++) {
    const v = value(i);
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return { key, name, value, low, high };
}

function listColorings(data: MapData): Coloring[] {
  const list: Coloring[] = [];
  if (data.labelNames.length > 0) list.push({ key: "label", name: "label", low: 0, high: 0 });
  if (data.nNew > 0 || list.length === 0)
    list.push({ key: "kind", name: data.nNew > 0 ? "training or new" : "one colour", low: 0, high: 0 });
  const ofNew = (values: Float32Array) => (i: number) => (data.isNew(i) ? values[i - data.nTrain] : NaN);
  if (data.confidence) list.push({ ...ranged("confidence", "confidence", data.n, ofNew(data.confidence)), low: 0, high: 1 });
  if (data.residuals) list.push(ranged("residual", "residual", data.n, ofNew(data.residuals)));
  data.coordinates.forEach((c, k) => list.push(ranged(`y${k}`, `coordinate ${k + 1}`, data.n, (i) => c[i])));
  data.features.forEach((f, k) => list.push(ranged(`x${k}`, f.name, data.n, (i) => data.feature(k, i))));
  return list;
}
