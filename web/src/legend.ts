// What the colours and marks mean. The name of a class selects its samples.
import { classColor, classMark, css, MARKS, NEW_MARK, rampColor } from "./color";
import { isolated, make, mark, plain, short } from "./dom";
import { State } from "./state";

const MOST = 60;

export class Legend {
  readonly element = make("ul", { class: "legend", "aria-label": "Legend", tabindex: 0 });

  constructor(private state: State) {
    state.listen((change) => {
      if (change === "colors") this.show();
    });
    this.show();
  }

  private entry(path: string, color: string, ...content: (Node | string)[]) {
    const item = make("li");
    item.append(mark(path, color), ...content);
    this.element.append(item);
  }

  private show() {
    const { data, coloring } = this.state;
    this.element.replaceChildren();
    if (coloring.key === "label") this.showClasses();
    else if (coloring.value) this.showRamp(coloring.low, coloring.high);
    if (coloring.key === "kind" && data.nNew > 0) {
      this.entry(MARKS[0], css([0, 114, 178]), "training sample");
      this.entry(MARKS[NEW_MARK], css([213, 94, 0]), "new sample");
    } else if (data.nNew > 0) {
      this.entry(MARKS[NEW_MARK], "currentColor", "new sample");
    }
  }

  private showClasses() {
    const { labelNames } = this.state.data;
    labelNames.slice(0, MOST).forEach((name, label) => {
      const button = make("button", { type: "button", title: "Select this class" }, isolated(plain(name, 32)));
      button.addEventListener("click", () => this.selectClass(label));
      this.entry(MARKS[classMark(label)], css(classColor(label)), button);
    });
    if (labelNames.length > MOST) this.element.append(make("li", {}, `and ${labelNames.length - MOST} more: use the search`));
  }

  private selectClass(label: number) {
    const found: number[] = [];
    for (let i = 0; i < this.state.data.n; i++) if (this.state.data.anyLabel(i) === label) found.push(i);
    this.state.select(found);
  }

  private showRamp(low: number, high: number) {
    const bar = make("canvas", { class: "ramp", width: 128, height: 1, role: "img", "aria-label": "Colours from low to high" });
    const context = bar.getContext("2d")!;
    for (let x = 0; x < 128; x++) {
      context.fillStyle = css(rampColor(x / 127));
      context.fillRect(x, 0, 1, 1);
    }
    this.element.append(make("li", {}, `${short(low)} `, bar, ` ${short(high)}`));
    if (this.state.coloring.key === "confidence" || this.state.coloring.key === "residual")
      this.element.append(make("li", {}, "grey: training samples, which have none"));
  }
}
