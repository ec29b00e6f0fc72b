// What is known about one sample: its image or values, and for a new one the training samples it is placed from.
import { Sheets } from "./data";
import { isolated, make, short } from "./dom";
import { State } from "./state";

const MOST_VALUES = 40;

function picture(sheets: Sheets, slot: number, side: number, name: string): HTMLCanvasElement {
  const { width, height } = sheets.about;
  const canvas = make("canvas", { role: "img", "aria-label": name, width, height });
  const scale = side / Math.max(width, height);
  canvas.style.width = `${width * scale}px`;
  canvas.style.height = `${height * scale}px`;
  void sheets.ready.then(() => sheets.draw(canvas.getContext("2d")!, slot, 0, 0, width, height));
  canvas.dataset.slot = String(slot);
  return canvas;
}

/** The image of a sample, if the page has it. */
export function sampleImage(state: State, i: number, side: number): HTMLCanvasElement | null {
  const slot = state.data.imageSlot(i);
  return state.data.images && slot >= 0 ? picture(state.data.images, slot, side, `Image of sample ${state.data.id(i)}`) : null;
}

/** What is known in short, as names and texts. */
export function facts(state: State, i: number): [string, string][] {
  const { data } = state;
  const rows: [string, string][] = [["kind", data.isNew(i) ? "new sample" : "training sample"]];
  const label = data.label(i);
  const predicted = data.predicted(i);
  if (label >= 0) rows.push(["label", data.labelNames[label]]);
  if (predicted >= 0)
    rows.push(["predicted label", data.labelNames[predicted] + (label < 0 ? "" : label === predicted ? " \u2713" : " \u2717")]);
  if (data.isNew(i) && data.confidence) rows.push(["confidence", short(data.confidence[i - data.nTrain])]);
  if (data.isNew(i) && data.residuals) rows.push(["residual", short(data.residuals[i - data.nTrain])]);
  return rows;
}

function list(rows: [string, string][]): HTMLElement {
  const dl = make("dl");
  for (const [name, text] of rows) dl.append(make("dt", {}, isolated(name)), make("dd", {}, isolated(text)));
  return dl;
}

const TITLES = {
  none: "",
  codes: "Reconstructed from",
  nearest: "Nearest training samples",
  nearest_on_map: "Nearest training samples on the map",
};

export class Panel {
  readonly element = make("section", { class: "side", "aria-label": "Details of a sample", tabindex: 0 });

  constructor(private state: State) {
    state.listen((change) => {
      if (change === "focus") this.show(state.focus);
    });
    this.show(-1);
  }

  private show(i: number) {
    const { data } = this.state;
    if (i < 0) {
      const rows: [string, string][] = [["training samples", String(data.nTrain)]];
      if (data.nNew > 0) rows.push(["new samples", String(data.nNew)]);
      rows.push(["coordinates", String(data.coordinates.length)]);
      if (data.labelNames.length > 0) rows.push(["labels", String(data.labelNames.length)]);
      this.element.replaceChildren(
        make("h2", {}, "Samples"),
        list(rows),
        make("p", {}, "Point at a sample, or tap it, to see it. With the keyboard, focus the map and use the arrow keys."),
        data.leftOut.length > 0 && make("p", { class: "quiet" }, `Left out of this page: ${data.leftOut.join("; ")}.`) || "",
      );
      return;
    }
    this.element.replaceChildren(make("h2", {}, "Sample ", isolated(data.id(i))));
    const images = make("div", { class: "pair" });
    const image = sampleImage(this.state, i, 112);
    if (image) images.append(make("figure", {}, image, make("figcaption", {}, "sample")));
    if (data.errorImages && data.isNew(i) && data.reasons(i)) {
      const slot = i - data.nTrain;
      if (slot < data.errorImages.about.columns * data.errorImages.about.rows * data.errorImages.about.sheets.length) {
        const error = picture(data.errorImages, slot, 112, `Error image of sample ${data.id(i)}`);
        error.classList.add("error-image");
        images.append(make("figure", {}, error, make("figcaption", {}, "left out by the code (grey: nothing)")));
      }
    }
    if (images.childNodes.length > 0) this.element.append(images);
    this.element.append(list(facts(this.state, i)));
    this.addReasons(i);
    this.addValues(i);
  }

  private addReasons(i: number) {
    const { data } = this.state;
    const reasons = data.reasons(i);
    if (!reasons) return;
    const codes = data.reasonKind === "codes";
    this.element.append(make("h3", {}, TITLES[data.reasonKind]));
    if (!codes)
      this.element.append(make("p", { class: "quiet" }, "This extension has no codes: the nearest samples are shown, with their distances."));
    const items = make("ul", { class: "reasons" });
    for (const { anchor, weight } of reasons.list) items.append(this.reason(anchor, weight, codes));
    this.element.append(items);
    if (reasons.total > reasons.list.length)
      this.element.append(make("p", { class: "quiet" }, `The ${reasons.list.length} largest of ${reasons.total} weights.`));
  }

  private reason(anchor: number, weight: number, codes: boolean): HTMLElement {
    const { data } = this.state;
    const name = data.reasonsAreAtoms ? `atom ${anchor + 1}` : data.id(anchor);
    const text = codes ? `${(100 * weight).toFixed(1)} %` : short(weight);
    const image = data.reasonsAreAtoms
      ? data.atomImages && picture(data.atomImages, anchor, 56, name)
      : sampleImage(this.state, anchor, 56);
    const label = data.reasonsAreAtoms ? -1 : data.label(anchor);
    const button = make("button", { type: "button", "data-anchor": anchor, "data-weight": weight }, image, make("strong", {}, text), isolated(name));
    if (label >= 0) button.append(isolated(data.labelNames[label]));
    if (data.reasonsAreAtoms) button.disabled = true;
    else button.addEventListener("click", () => this.state.setFocus(anchor));
    return make("li", {}, button);
  }

  private addValues(i: number) {
    const { data } = this.state;
    const rows: [string, string][] = data.coordinates.slice(0, 6).map((c, k) => [`coordinate ${k + 1}`, short(c[i])]);
    for (let k = 0; k < Math.min(MOST_VALUES, data.features.length); k++) {
      const value = data.feature(k, i);
      if (Number.isFinite(value)) rows.push([data.features[k].name, short(value)]);
    }
    this.element.append(make("h3", {}, "Values"), list(rows));
    if (data.features.length > MOST_VALUES)
      this.element.append(make("p", { class: "quiet" }, `The first ${MOST_VALUES} of ${data.features.length} features.`));
  }
}
