// The map by keyboard: arrows move the focus from sample to sample, + and - zoom, Home shows all, Escape clears.
import { facts } from "./panel";
import { next } from "./pick";
import { Scene } from "./scene";
import { State } from "./state";

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function middle(screen: Float32Array, [width, height]: [number, number]): number {
  let best = 0;
  let least = Infinity;
  for (let i = 0; 2 * i < screen.length; i++) {
    const d = (screen[2 * i] - width / 2) ** 2 + (screen[2 * i + 1] - height / 2) ** 2;
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

export function listenToKeys(stage: HTMLElement, state: State, scene: Scene, panel: HTMLElement) {
  stage.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (arrow) {
      const screen = scene.positions();
      const found = state.focus < 0 ? middle(screen, scene.size) : next(screen, state.focus, ...arrow);
      if (found >= 0) {
        state.setFocus(found);
        const [width, height] = scene.size;
        const [x, y] = [screen[2 * found], screen[2 * found + 1]];
        if (!(x > 0 && y > 0 && x < width && y < height)) scene.center(found);
      }
    } else if (event.key === "+" || event.key === "=") scene.zoomBy(1.3);
    else if (event.key === "-") scene.zoomBy(1 / 1.3);
    else if (event.key === "Home") scene.reset();
    else if (event.key === "Enter") panel.focus();
    else if (event.key === "Escape") {
      state.setFocus(-1);
      state.select(null);
    } else return;
    event.preventDefault();
  });
}

/** The sample in focus, for a screen reader. */
export function spoken(state: State): string {
  if (state.focus < 0) return "No sample in focus";
  return [`Sample ${state.data.id(state.focus)}`, ...facts(state, state.focus).map(([name, text]) => `${name} ${text}`)].join(", ");
}
