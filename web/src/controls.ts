// The controls above the map.
import { make } from "./dom";
import { csv, picture, save, svg } from "./export";
import { Overlay } from "./overlay";
import { Pointer, Tool } from "./pointer";
import { Scene } from "./scene";
import { State } from "./state";

function choice(name: string, options: [string, string][], chosen: string, change: (value: string) => void): HTMLElement {
  const select = make("select", { name });
  for (const [value, text] of options) select.append(make("option", { value, selected: value === chosen, dir: "auto" }, text));
  select.addEventListener("change", () => change(select.value));
  return make("label", {}, name, select);
}

function button(text: string, action: () => void): HTMLButtonElement {
  const element = make("button", { type: "button" }, text);
  element.addEventListener("click", action);
  return element;
}

function toggle(text: string, on: boolean, change: (on: boolean) => void): HTMLButtonElement {
  const element = button(text, () => {
    const now = element.getAttribute("aria-pressed") !== "true";
    element.setAttribute("aria-pressed", String(now));
    change(now);
  });
  element.setAttribute("aria-pressed", String(on));
  return element;
}

/** Samples whose id or label contains the text. */
export function search(state: State, text: string): number[] {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return [];
  const { data } = state;
  const labels = data.labelNames.map((name) => name.toLowerCase().includes(wanted));
  const found: number[] = [];
  for (let i = 0; i < data.n; i++)
    if (labels[data.anyLabel(i)] || data.id(i).toLowerCase().includes(wanted)) found.push(i);
  return found;
}

export class Controls {
  readonly element = make("div");
  private depth!: HTMLElement;

  constructor(private state: State, private scene: Scene, private overlay: Overlay, private pointer: Pointer, private say: (text: string) => void) {
    this.element.append(
      make("div", { class: "bar" }, ...this.axes(), this.colors(), this.searchBox()),
      make("div", { class: "bar", role: "group", "aria-label": "Tools" }, ...this.tools(), ...this.switches(), ...this.exports()),
    );
  }

  private axes(): HTMLElement[] {
    const { data, axes } = this.state;
    const names: [string, string][] = data.coordinates.map((_, k) => [String(k), `coordinate ${k + 1}`]);
    const set = (place: number) => (value: string) => {
      const next = [...this.state.axes];
      if (value === "") next.length = 2;
      else next[place] = Number(value);
      this.state.setAxes(next);
    };
    if (names.length < 2) return [];
    const list = [choice("Horizontal", names, String(axes[0]), set(0)), choice("Vertical", names, String(axes[1]), set(1))];
    this.depth = choice("Depth", [["", "none (flat)"], ...names], "", set(2));
    if (names.length > 2) list.push(this.depth);
    return list;
  }

  private colors(): HTMLElement {
    const { colorings, coloring } = this.state;
    return choice("Colour", colorings.map((c) => [c.key, c.name]), coloring.key, (key) => this.state.setColoring(key));
  }

  private searchBox(): HTMLElement {
    const input = make("input", { type: "search", name: "Search", placeholder: "id or label", autocomplete: "off" });
    input.addEventListener("change", () => {
      const found = search(this.state, input.value);
      this.state.select(found.length > 0 ? found : null);
      if (found.length > 0) this.state.setFocus(found[0]);
      this.say(input.value.trim() ? `${found.length} samples found` : "Search cleared");
    });
    return make("label", {}, "Search", input);
  }

  private tools(): HTMLElement[] {
    const buttons = new Map<Tool, HTMLButtonElement>();
    const use = (tool: Tool) => {
      this.pointer.use(tool);
      for (const [name, element] of buttons) element.setAttribute("aria-pressed", String(name === tool));
    };
    for (const [tool, text] of [["move", "Move"], ["lasso", "Lasso"], ["box", "Box"]] as [Tool, string][])
      buttons.set(tool, button(text, () => use(tool)));
    use("move");
    return [...buttons.values(), button("Show all", () => this.scene.reset()), button("Clear selection", () => this.state.select(null))];
  }

  private switches(): HTMLElement[] {
    const { state } = this;
    const show = (change: () => void) => {
      change();
      state.notify("view");
    };
    const list: HTMLElement[] = [];
    if (state.data.images) list.push(toggle("Images", state.showImages, (on) => show(() => (state.showImages = on))));
    if (state.data.labelNames.length > 0) list.push(toggle("Names", state.showNames, (on) => show(() => (state.showNames = on))));
    list.push(toggle("Density", state.showDensity, (on) => show(() => (state.showDensity = on))));
    if (state.data.coordinates.length > 2) {
      const spin = toggle("Rotate", false, (on) => {
        if (on && !this.scene.isDeep) {
          state.setAxes([state.axes[0], state.axes[1], [0, 1, 2].find((k) => !state.axes.includes(k)) ?? 2]);
          this.depth.querySelector("select")!.value = String(state.axes[2]);
        }
        this.scene.spin(on);
      });
      state.listen((change) => change === "axes" && !this.scene.isDeep && spin.setAttribute("aria-pressed", "false"));
      list.push(spin);
    }
    return list;
  }

  private exports(): HTMLElement[] {
    return [
      button("Save CSV", () => save("samples.csv", new Blob([csv(this.state)], { type: "text/csv" }))),
      button("Save PNG", () => picture(this.scene, this.overlay).toBlob((blob) => blob && save("map.png", blob))),
      button("Save SVG", () => save("map.svg", new Blob([svg(this.state, this.scene, this.overlay)], { type: "image/svg+xml" }))),
    ];
  }
}
