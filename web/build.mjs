// Bundles src/ into ../src/plot/explorer/explorer.js, with the licences of what is in it. With --check it compares
// instead of writing, and fails if the committed bundle is not the one that the sources give.
import { build } from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "../src/plot/explorer/explorer.js");

const options = {
  absWorkingDir: here,
  entryPoints: ["src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "ascii",
  legalComments: "none",
  write: false,
  logLevel: "error",
};

// The packages whose files esbuild took, each with its licence text.
async function licences() {
  const trial = await build({ ...options, metafile: true, define: { LICENCES: "[]" } });
  const names = new Set();
  for (const input of Object.keys(trial.metafile.inputs)) {
    const match = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (match) names.add(match[1]);
  }
  return [...names].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((f) => join(folder, f)).find(existsSync);
    return { name, version: about.version, licence: about.license, text: file ? readFileSync(file, "utf8").trim() : "" };
  });
}

const result = await build({ ...options, define: { LICENCES: JSON.stringify(await licences()) } });
const text = result.outputFiles[0].text.trim();
for (const forbidden of ["</script", "<!--", ')foldout"', "@PAGE_SCRIPT"])
  if (text.includes(forbidden)) throw new Error(`the bundle contains ${forbidden}, which must not stand in the page`);
if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) {
    console.error("src/plot/explorer/explorer.js is not what web/ gives: run `make web` and commit it");
    process.exit(1);
  }
  console.log(`the bundle is the one that the sources give (${text.length} bytes)`);
} else {
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  console.log(`${target}: ${text.length} bytes`);
}
