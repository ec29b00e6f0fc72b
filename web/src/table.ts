// The samples as a table, page by page: what a screen reader reads instead of the map.
import { isolated, make, short } from "./dom";
import { State } from "./state";

const ROWS = 100;

export class Table {
  readonly element = make("details", { class: "samples" });
  private body = make("tbody");
  private caption = make("caption", { class: "quiet" });
  private page = 0;

  constructor(private state: State) {
    const { data } = state;
    const names = ["sample", "kind"];
    if (data.labelNames.length > 0) names.push("label");
    if (data.nNew > 0 && data.labelNames.length > 0) names.push("predicted");
    if (data.confidence) names.push("confidence", "residual");
    const axes = data.coordinates.slice(0, 3).map((_, k) => `coordinate ${k + 1}`);
    const head = make("tr");
    for (const name of [...names, ...axes]) head.append(make("th", { scope: "col" }, name));
    const table = make("table", {}, this.caption, make("thead", {}, head), this.body);
    const previous = make("button", { type: "button" }, "Previous rows");
    const following = make("button", { type: "button" }, "Next rows");
    previous.addEventListener("click", () => this.turn(-1));
    following.addEventListener("click", () => this.turn(1));
    this.element.append(
      make("summary", {}, "Table of the samples"),
      make("div", { class: "bar" }, previous, following),
      make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of the samples" }, table),
    );
    this.element.addEventListener("toggle", () => this.fill());
    state.listen((change) => {
      if (change !== "selection") return;
      this.page = 0;
      this.fill();
    });
  }

  private turn(by: number) {
    const n = this.state.selection?.size ?? this.state.data.n;
    this.page = Math.min(Math.max(0, this.page + by), Math.max(0, Math.ceil(n / ROWS) - 1));
    this.fill();
  }

  private fill() {
    if (!this.element.open) return;
    const { data, selection } = this.state;
    const first = this.page * ROWS;
    const chosen = selection ? [...selection].slice(first, first + ROWS) : null;
    const n = selection?.size ?? data.n;
    const last = Math.min(n, first + ROWS);
    this.caption.textContent = `Rows ${Math.min(n, first + 1)} to ${last} of ${n}${selection ? " selected samples" : ""}`;
    this.body.replaceChildren();
    for (let k = first; k < last; k++) this.body.append(this.row(chosen ? chosen[k - first] : k));
  }

  private row(i: number): HTMLElement {
    const { data } = this.state;
    const button = make("button", { type: "button" }, isolated(data.id(i)));
    button.addEventListener("click", () => this.state.setFocus(i));
    const row = make("tr", {}, make("td", {}, button), make("td", {}, data.isNew(i) ? "new" : "training"));
    const text = (value: string) => row.append(make("td", {}, isolated(value)));
    const name = (label: number) => (label >= 0 ? data.labelNames[label] : "");
    if (data.labelNames.length > 0) text(name(data.label(i)));
    if (data.nNew > 0 && data.labelNames.length > 0) text(name(data.predicted(i)));
    if (data.confidence)
      for (const values of [data.confidence, data.residuals]) text(data.isNew(i) && values ? short(values[i - data.nTrain]) : "");
    for (const column of data.coordinates.slice(0, 3)) text(short(column[i]));
    return row;
  }
}
