# SPDX-License-Identifier: Apache-2.0
"""Figures as SVG: curves and maps, several panels beside each other."""
import base64
import html
import struct
import zlib

import numpy as np

COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#7f7f7f", "#e377c2", "#bcbd22")
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 380, 300, 56, 30, 44, 12


def text(x, y, content, anchor="middle", size=11, extra=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {extra}>{html.escape(str(content))}</text>'


def ticks(low, high, log):
    if log:
        return [10.0 ** e for e in range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
                if low / 1.01 <= 10.0 ** e <= high * 1.01] or [low, high]
    step = 10.0 ** np.floor(np.log10((high - low) / 2))
    step = next(s for s in (step, 2 * step, 5 * step, 10 * step) if (high - low) / s <= 6)
    first = np.ceil(low / step - 1e-9) * step
    return [first + i * step for i in range(int((high - first) / step + 1e-9) + 1)]


class Axis:
    """From values to pixels."""

    def __init__(self, values, begin, end, log):
        values = np.asarray([v for v in values if np.isfinite(v) and (v > 0 or not log)], dtype=float)
        values = values if len(values) else np.array([1.0, 2.0])
        self.low, self.high, self.log = float(values.min()), float(values.max()), log
        if self.low == self.high:
            self.low, self.high = (self.low / 2, self.high * 2) if log else (self.low - 0.5, self.high + 0.5)
        self.begin, self.end = begin, end

    def __call__(self, value):
        a, b, v = (np.log(x) if self.log else x for x in (self.low, self.high, value))
        return self.begin + (v - a) / (b - a) * (self.end - self.begin)


def curves_panel(title, series, x_label, y_label, log_x=False, log_y=False):
    """series: name -> (x, y); a name that ends in "(paper)" is dashed."""
    points = [(x, y) for xs, ys in series.values() for x, y in zip(xs, ys)]
    X = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT, log_x)
    Y = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP, log_y)
    parts = [text(WIDTH / 2, 18, title, size=12, extra='font-weight="bold"'), text(WIDTH / 2, HEIGHT - 8, x_label),
             text(14, HEIGHT / 2, y_label, extra=f'transform="rotate(-90 14 {HEIGHT / 2})"'),
             f'<path d="M{LEFT},{TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="#444"/>']
    parts += [text(X(t), HEIGHT - BOTTOM + 14, f"{t:g}", size=10) for t in ticks(X.low, X.high, log_x)]
    parts += [text(LEFT - 4, Y(t) + 3, f"{t:g}", "end", 10) for t in ticks(Y.low, Y.high, log_y)]
    solid = [name for name in series if not name.endswith("(paper)")]
    for name, (xs, ys) in series.items():
        colour = COLOURS[(solid.index(name.removesuffix(" (paper)")) if name.removesuffix(" (paper)") in solid
                          else 7) % len(COLOURS)]
        line = " ".join(f"{X(x):.1f},{Y(y):.1f}" for x, y in zip(xs, ys) if np.isfinite(y) and (y > 0 or not log_y))
        dash = ' stroke-dasharray="4 3"' if name.endswith("(paper)") else ""
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"{dash}/>')
    return "".join(parts), solid


def map_panel(title, Y, values, new=None, images=(), image_shape=None):
    """Points coloured by values in [0, 1]; new ones in red; thumbnails at some of the points: (row, pixels, is_new)."""
    Y = np.asarray(Y)[:, :2]
    every = Y if new is None else np.vstack([Y, np.asarray(new)[:, :2]])
    X, V = (Axis(every[:, j], *ends, False) for j, ends in ((0, (20, WIDTH - 20)), (1, (HEIGHT - 20, TOP + 8))))
    parts = [text(WIDTH / 2, 18, title, size=12, extra='font-weight="bold"')]
    for (x, y), value in zip(Y, values):
        parts.append(f'<circle cx="{X(x):.1f}" cy="{V(y):.1f}" r="1.6" fill="hsl({240 * (1 - float(value)):.0f} 75% 45%)"/>')
    for x, y in ([] if new is None else np.asarray(new)[:, :2]):
        parts.append(f'<circle cx="{X(x):.1f}" cy="{V(y):.1f}" r="2" fill="none" stroke="#d00"/>')
    for row, pixels, is_new in images:
        x, y = (new if is_new else Y)[row][:2]
        height, width = image_shape
        frame = ' style="outline:1px solid #d00"' if is_new else ""
        parts.append(f'<image x="{X(x) - 9:.1f}" y="{V(y) - 9 * height / width:.1f}" width="18" height="{18 * height / width:.1f}" '
                     f'href="data:image/png;base64,{png(pixels.reshape(height, width))}"{frame}/>')
    return "".join(parts), []


def png(pixels):
    """A grey image as base64."""
    span = max(float(pixels.max() - pixels.min()), 1e-12)
    grey = ((pixels - pixels.min()) / span * 255).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 8, 0, 0, 0, 0)
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT",
                                                                                  zlib.compress(rows)) + chunk(b"IEND", b"")).decode()


def figure(panels, columns=3):
    """Panels in rows, with one legend below."""
    columns = min(columns, len(panels))
    rows = -(-len(panels) // columns)
    names = list(dict.fromkeys(name for _, solid in panels for name in solid))
    width, height = columns * WIDTH, rows * HEIGHT + (24 if names else 4)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif"><rect width="100%" height="100%" fill="#fff"/>']
    for i, (panel, _) in enumerate(panels):
        parts.append(f'<g transform="translate({i % columns * WIDTH} {i // columns * HEIGHT})">{panel}</g>')
    x = 12
    for i, name in enumerate(names):
        parts.append(f'<rect x="{x}" y="{rows * HEIGHT + 6}" width="14" height="4" fill="{COLOURS[i % len(COLOURS)]}"/>')
        parts.append(text(x + 18, rows * HEIGHT + 12, name, "start"))
        x += 34 + 6.4 * len(name)
    return "".join(parts) + "</svg>\n"
