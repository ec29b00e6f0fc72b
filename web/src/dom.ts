// Elements of the page. Texts are set as text, never as markup.

type Child = Node | string | null | false | undefined;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | number | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  for (const child of children) if (child) element.append(child);
  return element;
}

/** A text of any direction that does not disturb the texts around it. */
export function isolated(text: string): HTMLElement {
  return make("bdi", {}, text);
}

/** One line of at most `most` characters, without characters that control direction, for drawing. */
export function plain(text: string, most = 40): string {
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, " ").trim();
  const letters = [...line];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "\u2026" : line;
}

/** A number as short as a reader needs it. */
export function short(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(4))) : "unknown";
}

export function mark(path: string, color: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "-5 -5 10 10");
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  shape.setAttribute("fill", color);
  svg.append(shape);
  return svg;
}
