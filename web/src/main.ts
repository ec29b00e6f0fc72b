// Puts the explorer together, in the element that the page reserves for it.
import { Controls, search } from "./controls";
import { MapData } from "./data";
import { make } from "./dom";
import { csv, picture, svg } from "./export";
import { listenToKeys, spoken } from "./keyboard";
import { Legend } from "./legend";
import { Overlay } from "./overlay";
import { Panel } from "./panel";
import { Pointer } from "./pointer";
import { Scene } from "./scene";
import { State } from "./state";
import { Table } from "./table";

declare const LICENCES: { name: string; version: string; licence: string; text: string }[];

function licences(): HTMLElement {
  const element = make("details", {}, make("summary", {}, "Licences"));
  element.append(make("p", {}, "foldout is under the Apache License 2.0. This page also contains:"));
  for (const { name, version, licence, text } of LICENCES) {
    const body = make("pre", { class: "quiet" }, text);
    body.style.whiteSpace = "pre-wrap";
    element.append(make("h3", {}, `${name} ${version} (${licence})`), body);
  }
  return element;
}

function start(root: HTMLElement) {
  const data = new MapData(JSON.parse(document.getElementById("map-data")!.textContent!));
  const state = new State(data);
  const table = new Table(state);
  const status = make("p", { class: "quiet", role: "status", "aria-live": "polite" });
  const say = (text: string) => (status.textContent = text);
  document.querySelector("main")!.append(licences());
  let scene: Scene;
  try {
    scene = new Scene(state);
  } catch {
    root.append(make("p", {}, "This browser cannot draw the map (it has no WebGL). The samples are in the table."), table.element);
    table.element.open = true;
    return;
  }
  const overlay = new Overlay(state, scene);
  const stage = make("div", {
    class: "stage",
    tabindex: 0,
    role: "application",
    "aria-roledescription": "map",
    "aria-label": `Map of ${data.n} samples. Arrow keys move from sample to sample, plus and minus zoom, Enter shows the details. The table below has the same samples.`,
  });
  const pointer = new Pointer(state, scene, stage);
  stage.append(scene.canvas, overlay.canvas, pointer.outline, pointer.tip);
  const panel = new Panel(state);
  const legend = new Legend(state);
  const controls = new Controls(state, scene, overlay, pointer, say);
  root.replaceChildren(controls.element, make("div", { class: "view" }, stage, panel.element), legend.element, status, table.element);
  listenToKeys(stage, state, scene, panel.element);
  scene.onFrame = (resting) => overlay.draw(resting);
  for (const sheets of [data.images, data.errorImages, data.atomImages]) void sheets?.ready.then(() => overlay.draw(true));
  state.listen((change) => {
    if (change === "focus") {
      say(spoken(state));
      overlay.draw(true);
    }
    if (change === "selection") say(state.selection ? `${state.selection.size} samples selected` : "No selection");
  });
  new ResizeObserver(() => scene.resize(stage.clientWidth, stage.clientHeight)).observe(stage);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => state.setAxes(state.axes));
  // For scripts and tests: what the page shows, and what its buttons save.
  const saved = { csv: () => csv(state), svg: () => svg(state, scene, overlay), png: () => picture(scene, overlay).toDataURL("image/png") };
  Object.assign(window, { foldoutExplorer: { data, state, scene, overlay, search: (text: string) => search(state, text), ...saved } });
}

const root = document.getElementById("explorer");
if (root) start(root);
