// The selection as CSV, and the picture as PNG or SVG.
import { hex, MARKS } from "./color";
import { Overlay } from "./overlay";
import { Scene } from "./scene";
import { State } from "./state";

const MOST_IN_SVG = 20000;

export function save(name: string, content: Blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Quotes as RFC 4180; a text that a spreadsheet would take for a formula is preceded by an apostrophe.
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+(e[+-]?\d+)?$/i.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The selected samples, or all. */
export function csv(state: State): string {
  const { data } = state;
  const name = (label: number) => (label >= 0 ? data.labelNames[label] : "");
  const head = ["id", "kind", "label", "predicted", "confidence", "residual"];
  data.coordinates.forEach((_, k) => head.push(`y${k + 1}`));
  const lines = [head.join(",")];
  const rows = state.selection ? [...state.selection].sort((a, b) => a - b) : Array.from({ length: data.n }, (_, i) => i);
  for (const i of rows) {
    const ofNew = (values: Float32Array | null) => (values && data.isNew(i) ? String(values[i - data.nTrain]) : "");
    const cells = [data.id(i), data.isNew(i) ? "new" : "training", name(data.label(i)), name(data.predicted(i))];
    cells.push(ofNew(data.confidence), ofNew(data.residuals), ...data.coordinates.map((c) => String(c[i])));
    lines.push(cells.map(cell).join(","));
  }
  return lines.join("\r\n") + "\r\n";
}

/** The points, and what is drawn over them, on the colour of the page. */
export function picture(scene: Scene, overlay: Overlay): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = scene.canvas.width;
  canvas.height = scene.canvas.height;
  const context = canvas.getContext("2d")!;
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  for (const layer of [scene.canvas, overlay.canvas]) context.drawImage(layer, 0, 0, canvas.width, canvas.height);
  return canvas;
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Marks and names as shapes; of very many points, and for thumbnails, a picture of them. */
export function svg(state: State, scene: Scene, overlay: Overlay): string {
  const [width, height] = scene.size;
  const screen = scene.positions();
  const style = getComputedStyle(document.body);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">`,
    `<rect width="100%" height="100%" fill="${style.backgroundColor}"/>`,
  ];
  if (state.data.n > MOST_IN_SVG || overlay.thumbnails.length > 0)
    parts.push(`<image width="${width}" height="${height}" href="${picture(scene, overlay).toDataURL("image/png")}"/>`);
  else {
    for (let i = 0; i < state.data.n; i++) {
      const [x, y] = [screen[2 * i], screen[2 * i + 1]];
      if (!(x >= 0 && y >= 0 && x <= width && y <= height)) continue;
      const alpha = state.colors[4 * i + 3] / 255;
      parts.push(`<path d="${MARKS[state.mark(i)]}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})" fill="${hex(state.color(i))}" fill-opacity="${alpha.toFixed(2)}"/>`);
    }
    for (const { x, y, w, h, text } of overlay.names)
      parts.push(`<text x="${(x + w / 2).toFixed(1)}" y="${(y + h - 4).toFixed(1)}" text-anchor="middle" font-size="13" font-weight="600" fill="${style.color}" stroke="${style.backgroundColor}" stroke-width="4" paint-order="stroke">${escaped(text)}</text>`);
  }
  return parts.join("\n") + "\n</svg>\n";
}

