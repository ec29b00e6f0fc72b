// Colours and marks, the same as in the figures (src/plot/color.cpp).

export type Rgb = [number, number, number];

const CLASSES: Rgb[] = [
  [0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233],
  [213, 94, 0], [221, 204, 50], [128, 128, 128], [137, 87, 190], [140, 81, 48],
];
const RAMP: Rgb[] = [
  [68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141],
  [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37],
];
export const UNKNOWN: Rgb = [140, 140, 140];

/** SVG paths about 8 units wide around the origin; the last one is for new samples. */
export const MARKS = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
  "M-3.6 -3.6h7.2v7.2h-7.2z",
  "M0 -4.4L4.4 3.4H-4.4z",
  "M-4 -1.4h2.6v-2.6h2.8v2.6h2.6v2.8h-2.6v2.6h-2.8v-2.6h-2.6z",
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0zM-2 0a2 2 0 1 1 4 0a2 2 0 1 1 -4 0z",
  "M-1.5 -4.5h3v9h-3z",
  "M0 -4.9L4.9 0L0 4.9L-4.9 0z",
];
export const NEW_MARK = MARKS.length - 1;

export const classColor = (i: number): Rgb => (i < 0 ? UNKNOWN : CLASSES[i % CLASSES.length]);
export const classMark = (i: number): number => (i < 0 ? 0 : Math.floor(i / CLASSES.length) % (MARKS.length - 1));

export function rampColor(share: number): Rgb {
  if (!Number.isFinite(share)) return UNKNOWN;
  const place = Math.min(1, Math.max(0, share)) * (RAMP.length - 1);
  const low = Math.min(Math.floor(place), RAMP.length - 2);
  const t = place - low;
  return RAMP[low].map((c, k) => Math.round((1 - t) * c + t * RAMP[low + 1][k])) as Rgb;
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;
export const hex = (c: Rgb): string => "#" + c.map((v) => v.toString(16).padStart(2, "0")).join("");
