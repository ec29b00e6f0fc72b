// Which samples are near a place, within a polygon, or next in a direction; all in pixels of the screen.
import { polygonContains } from "d3-polygon";

export function nearest(screen: Float32Array, x: number, y: number, reach: number, firstNew: number): number {
  let best = -1;
  let least = reach * reach;
  for (let i = 0; 2 * i < screen.length; i++) {
    const dx = screen[2 * i] - x;
    const dy = screen[2 * i + 1] - y;
    const d = (dx * dx + dy * dy) * (i >= firstNew ? 0.5 : 1); // new samples are drawn on top
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}

export function within(screen: Float32Array, polygon: [number, number][]): number[] {
  const found: number[] = [];
  if (polygon.length < 3) return found;
  const xs = polygon.map((p) => p[0]);
  const ys = polygon.map((p) => p[1]);
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  for (let i = 0; 2 * i < screen.length; i++) {
    const x = screen[2 * i];
    const y = screen[2 * i + 1];
    if (x >= left && x <= right && y >= top && y <= bottom && polygonContains(polygon, [x, y])) found.push(i);
  }
  return found;
}

/** The nearest sample whose direction is within 45 degrees of (dx, dy); -1 if there is none. */
export function next(screen: Float32Array, from: number, dx: number, dy: number): number {
  let best = -1;
  let least = Infinity;
  const [x, y] = [screen[2 * from], screen[2 * from + 1]];
  for (let i = 0; 2 * i < screen.length; i++) {
    const along = (screen[2 * i] - x) * dx + (screen[2 * i + 1] - y) * dy;
    const aside = Math.abs((screen[2 * i] - x) * dy) + Math.abs((screen[2 * i + 1] - y) * dx);
    if (along < 0.5 || aside > along) continue;
    const d = along * along + 2 * aside * aside;
    if (d < least) {
      least = d;
      best = i;
    }
  }
  return best;
}
