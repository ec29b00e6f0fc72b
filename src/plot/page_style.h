// SPDX-License-Identifier: Apache-2.0
// The style of all pages: light and dark, from telephones to wide screens.
#pragma once

#include <string_view>

namespace foldout {

inline constexpr std::string_view kPageStyle =
    R"(:root { color-scheme: light dark; --ink: #1d2126; --quiet: #565c66; --line: #d5d9df;
  --paper: #fff; --panel: #f5f6f8; --accent: #0b5cad; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea; --quiet: #a6adb8; --line: #3a3f48; --paper: #15171b;
  --panel: #1e2126; --accent: #7db8f5; --on-accent: #10151b; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { max-width: 76rem; margin: 0 auto; padding: 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .25rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1rem; margin: 1rem 0 .4rem; }
p { max-width: 48rem; }
a { color: var(--accent); }
details { border-top: 1px solid var(--line); padding: .5rem 0; }
summary { font-weight: 600; cursor: pointer; padding: .25rem 0; }
table { border-collapse: collapse; margin: .6rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .9rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line);
  overflow-wrap: break-word; max-width: 40rem; }
th { font-weight: 600; }
.number { text-align: right; white-space: nowrap; }
.scroll { overflow-x: auto; }
figure { margin: 1.2rem 0; }
figure svg { max-width: 100%; height: auto; }
figcaption, .quiet { font-size: .875rem; color: var(--quiet); }
.grid { display: flex; flex-wrap: wrap; gap: .5rem; }
.grid div { text-align: center; font-size: .75rem; color: var(--quiet); }
.grid img { display: block; image-rendering: pixelated; border-radius: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 1px; }
button, select, input { font: inherit; font-size: .9375rem; color: inherit; background: var(--paper); border: 1px solid #808792;
  border-radius: 6px; padding: .3rem .6rem; min-height: 2.25rem; max-width: 100%; }
button { cursor: pointer; }
button[aria-pressed=true] { background: var(--accent); color: var(--on-accent); border-color: var(--accent); }
.bar { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: end; margin: .5rem 0; }
.bar label { display: grid; font-size: .8125rem; color: var(--quiet); min-width: 0; }
.bar select { width: 11rem; }
.view { display: grid; grid-template-columns: minmax(0, 1fr) 20rem; gap: 1rem; }
.stage { position: relative; height: min(72vh, 46rem); min-height: 20rem; border: 1px solid var(--line);
  border-radius: 8px; overflow: hidden; background: var(--paper); }
.stage canvas, .stage svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.stage .over { pointer-events: none; }
.stage .tip { position: absolute; pointer-events: none; max-width: 14rem; padding: .4rem .5rem; font-size: .8125rem;
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px; overflow-wrap: anywhere; z-index: 2; }
.side { max-height: min(72vh, 46rem); overflow: auto; font-size: .875rem; background: var(--panel); border-radius: 8px;
  padding: .25rem .9rem .75rem; overflow-wrap: anywhere; }
.side canvas, .tip canvas { image-rendering: pixelated; border-radius: 3px; display: block; }
.side dl { display: grid; grid-template-columns: auto 1fr; gap: .1rem .75rem; margin: .4rem 0; }
.side dt { color: var(--quiet); } .side dd { margin: 0; }
.reasons { list-style: none; margin: 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(5rem, 1fr));
  gap: .5rem; }
.reasons button { width: 100%; height: 100%; padding: .3rem; display: grid; justify-items: center; align-content: start;
  font-size: .75rem; overflow-wrap: anywhere; }
.pair { display: flex; gap: .75rem; flex-wrap: wrap; }
.pair figure { margin: 0; width: 112px; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem .9rem; margin: .5rem 0; padding: 0; list-style: none;
  font-size: .8125rem; max-height: 8rem; overflow: auto; }
.legend svg { width: 12px; height: 12px; flex: none; margin-right: .2rem; }
.legend li { display: flex; align-items: center; }
.legend button { border: 0; padding: .1rem .25rem; min-height: 1.6rem; font-size: .8125rem; }
.legend button:hover { text-decoration: underline; }
.ramp { width: 10rem; height: .8rem; border-radius: 3px; margin: 0 .4rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 52rem) { main { padding: .75rem; } .view { grid-template-columns: minmax(0, 1fr); }
  .stage { height: 62vh; } .side { max-height: none; } .bar select { width: 9.5rem; }
  .bar[role=group] { flex-wrap: nowrap; overflow-x: auto; padding: 3px 3px .4rem; } .bar button { flex: none; } }
@media (min-width: 120rem) { main { max-width: 200rem; } .stage, .side { height: 78vh; max-height: none; } .view { grid-template-columns: minmax(0, 1fr) 30rem; }
  body { font-size: 18px; } }
@media print { .bar, .side { display: none; } }
)";

}  // namespace foldout
