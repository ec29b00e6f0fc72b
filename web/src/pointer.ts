// Pointing at samples, and selecting them by a lasso or a box.
import { isolated, make } from "./dom";
import { facts, sampleImage } from "./panel";
import { nearest, within } from "./pick";
import { Scene } from "./scene";
import { State } from "./state";

export type Tool = "move" | "lasso" | "box";

export class Pointer {
  readonly tip = make("div", { class: "tip", hidden: true });
  readonly outline = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  private shape = document.createElementNS("http://www.w3.org/2000/svg", "polygon");
  private tool: Tool = "move";
  private path: [number, number][] = [];
  private hovered = -1;
  private pressed: [number, number] | null = null;
  private dragged = false;

  constructor(private state: State, private scene: Scene, private stage: HTMLElement) {
    this.outline.setAttribute("class", "over");
    this.outline.setAttribute("aria-hidden", "true");
    this.shape.setAttribute("fill", "currentColor");
    this.shape.setAttribute("fill-opacity", "0.12");
    this.shape.setAttribute("stroke", "currentColor");
    this.shape.setAttribute("stroke-dasharray", "4 3");
    this.outline.append(this.shape);
    const canvas = scene.canvas;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => this.end());
    canvas.addEventListener("pointerleave", () => this.hover(-1, 0, 0));
  }

  use(tool: Tool) {
    this.tool = tool;
    this.scene.useControls(tool === "move");
    this.scene.canvas.style.cursor = tool === "move" ? "grab" : "crosshair";
    this.scene.canvas.style.touchAction = "none";
  }

  private place(event: PointerEvent): [number, number] {
    const box = this.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private down(event: PointerEvent) {
    this.pressed = this.place(event);
    this.dragged = false;
    if (this.tool === "move") return;
    this.scene.canvas.setPointerCapture(event.pointerId);
    this.path = [this.pressed];
  }

  private move(event: PointerEvent) {
    const at = this.place(event);
    if (this.pressed && Math.hypot(at[0] - this.pressed[0], at[1] - this.pressed[1]) >= 5) this.dragged = true;
    if (this.path.length > 0) {
      if (this.tool === "lasso") this.path.push(at);
      else {
        const [x, y] = this.path[0];
        this.path = [[x, y], [at[0], y], at, [x, at[1]]];
      }
      this.shape.setAttribute("points", this.path.map((p) => p.join(",")).join(" "));
      return;
    }
    if (event.buttons === 0) this.hover(this.find(at, event.pointerType), ...at);
  }

  private up(event: PointerEvent) {
    const at = this.place(event);
    if (this.path.length > 2 && this.dragged) this.state.select(within(this.scene.positions(), this.path));
    else if (this.pressed && !this.dragged) this.state.setFocus(this.find(at, event.pointerType));
    this.end();
  }

  private end() {
    this.path = [];
    this.pressed = null;
    this.shape.setAttribute("points", "");
  }

  private find([x, y]: [number, number], kind: string): number {
    return nearest(this.scene.positions(), x, y, kind === "touch" ? 26 : 14, this.state.data.nTrain);
  }

  private hover(i: number, x: number, y: number) {
    if (i !== this.hovered) {
      this.hovered = i;
      this.tip.hidden = i < 0;
      this.tip.dataset.sample = String(i);
      if (i >= 0) {
        this.tip.replaceChildren(make("strong", {}, isolated(this.state.data.id(i))));
        const image = sampleImage(this.state, i, 72);
        if (image) this.tip.append(image);
        for (const [name, text] of facts(this.state, i)) this.tip.append(make("div", {}, `${name}: `, isolated(text)));
        for (let k = 0; k < Math.min(5, this.state.data.features.length) && !image; k++)
          this.tip.append(make("div", {}, isolated(this.state.data.features[k].name), `: ${this.state.data.feature(k, i).toPrecision(4)}`));
      }
    }
    if (i < 0) return;
    const [width, height] = this.scene.size;
    this.tip.style.left = `${x < width - 190 ? x + 14 : Math.max(0, x - 14 - this.tip.offsetWidth)}px`;
    this.tip.style.top = `${Math.max(0, Math.min(y + 10, height - this.tip.offsetHeight - 4))}px`;
  }
}
