// The data of the page (src/plot/map_json.h writes them), decoded into typed arrays.

interface Column {
  type: "f32" | "q16" | "u16" | "u32";
  data: string;
  low?: number;
  high?: number;
  name?: string;
}

interface SheetsJson {
  width: number;
  height: number;
  columns: number;
  rows: number;
  sheets: string[];
}

export interface Feature {
  name: string;
  values: Float32Array;
}

export interface Reason {
  anchor: number;
  weight: number;
}

function bytes(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

function floats(column: Column): Float32Array {
  const buffer = bytes(column.data).buffer;
  if (column.type === "f32") return new Float32Array(buffer);
  const numbers = new Uint16Array(buffer);
  const low = column.low ?? 0;
  const step = ((column.high ?? 0) - low) / 65535;
  return Float32Array.from(numbers, (q) => low + q * step);
}

const shorts = (column?: Column) => (column ? new Uint16Array(bytes(column.data).buffer) : null);
const counts = (column: Column) => new Uint32Array(bytes(column.data).buffer);

/** Small images on sheets: image `i` is the i-th, row by row, sheet by sheet. */
export class Sheets {
  private bitmaps: (ImageBitmap | null)[];
  readonly ready: Promise<unknown>;

  constructor(readonly about: SheetsJson) {
    this.bitmaps = about.sheets.map(() => null);
    this.ready = Promise.all(
      about.sheets.map(async (png, i) => {
        this.bitmaps[i] = await createImageBitmap(new Blob([bytes(png)], { type: "image/png" }));
      }),
    );
  }

  draw(context: CanvasRenderingContext2D, i: number, x: number, y: number, width: number, height: number) {
    const { columns, rows, width: w, height: h } = this.about;
    const bitmap = this.bitmaps[Math.floor(i / (columns * rows))];
    const at = i % (columns * rows);
    if (bitmap) context.drawImage(bitmap, (at % columns) * w, Math.floor(at / columns) * h, w, h, x, y, width, height);
  }
}

export class MapData {
  readonly n: number;
  readonly nTrain: number;
  readonly nNew: number;
  readonly version: string;
  readonly coordinates: Float32Array[];
  readonly labelNames: string[];
  readonly leftOut: string[];
  readonly features: Feature[];
  readonly featuresFrom: number;
  readonly confidence: Float32Array | null;
  readonly residuals: Float32Array | null;
  readonly images: Sheets | null;
  readonly errorImages: Sheets | null;
  readonly atomImages: Sheets | null;
  readonly reasonKind: "none" | "codes" | "nearest" | "nearest_on_map";
  readonly reasonsAreAtoms: boolean;
  private readonly ids: string[] | null;
  private readonly labels: Uint16Array | null;
  private readonly predictions: Uint16Array | null;
  private readonly slots = new Map<number, number>();
  private readonly reasonStarts: number[] = [0];
  private readonly reasonTotals: Uint32Array | null = null;
  private readonly anchors: Uint32Array | null = null;
  private readonly weights: Float32Array | null = null;

  // eslint-disable-next-line
  constructor(json: any) {
    this.nTrain = json.n_train;
    this.nNew = json.n_new;
    this.n = this.nTrain + this.nNew;
    this.version = json.version;
    this.coordinates = json.coordinates.map(floats);
    this.labelNames = json.label_names ?? [];
    this.leftOut = json.left_out ?? [];
    this.ids = json.ids ?? null;
    this.labels = shorts(json.labels);
    this.predictions = shorts(json.predicted);
    this.features = (json.values ?? []).map((column: Column) => ({ name: column.name ?? "", values: floats(column) }));
    this.featuresFrom = json.values_from ?? 0;
    this.confidence = json.confidence ? floats(json.confidence) : null;
    this.residuals = json.residuals ? floats(json.residuals) : null;
    this.images = json.images ? new Sheets(json.images) : null;
    if (json.images) counts(json.images.samples).forEach((sample, slot) => this.slots.set(sample, slot));
    this.reasonKind = json.reasons?.kind ?? "none";
    this.reasonsAreAtoms = json.reasons?.atoms ?? false;
    this.errorImages = json.reasons?.errors ? new Sheets(json.reasons.errors) : null;
    this.atomImages = json.reasons?.atom_images ? new Sheets(json.reasons.atom_images) : null;
    if (json.reasons) {
      let start = 0;
      for (const count of counts(json.reasons.counts)) this.reasonStarts.push((start += count));
      this.reasonTotals = counts(json.reasons.totals);
      this.anchors = counts(json.reasons.anchors);
      this.weights = floats(json.reasons.weights);
    }
  }

  isNew(i: number): boolean {
    return i >= this.nTrain;
  }
  id(i: number): string {
    if (this.ids) return this.ids[i];
    return this.isNew(i) ? `new ${i - this.nTrain + 1}` : `${i + 1}`;
  }
  /** The number of the label, -1 for none. */
  label(i: number): number {
    return this.labels ? this.labels[i] - 1 : -1;
  }
  predicted(i: number): number {
    return this.predictions && this.isNew(i) ? this.predictions[i - this.nTrain] - 1 : -1;
  }
  /** The label, or else the predicted one. */
  anyLabel(i: number): number {
    const known = this.label(i);
    return known >= 0 ? known : this.predicted(i);
  }
  feature(k: number, i: number): number {
    return i >= this.featuresFrom ? this.features[k].values[i - this.featuresFrom] : NaN;
  }
  imageSlot(i: number): number {
    return this.slots.get(i) ?? -1;
  }
  reasons(i: number): { list: Reason[]; total: number } | null {
    const k = i - this.nTrain;
    if (!this.anchors || !this.weights || !this.reasonTotals || k < 0 || k >= this.reasonTotals.length) return null;
    const list: Reason[] = [];
    for (let j = this.reasonStarts[k]; j < this.reasonStarts[k + 1]; j++)
      list.push({ anchor: this.anchors[j], weight: this.weights[j] });
    return { list, total: this.reasonTotals[k] };
  }
}
