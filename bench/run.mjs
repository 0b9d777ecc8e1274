// npm run bench [-- name …]: every bench in one run, each figure beside its limit. Exit 1 when one is missed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { contention, fifty, handoff, idle } from "./bubbles.mjs";
import { commands, folding, listing } from "./commands.mjs";
import { machine } from "./measure.mjs";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-"));
const out = join(folder, "lab.mjs");
await build({
  entryPoints: [join(import.meta.dirname, "lab.ts")],
  outfile: out,
  bundle: true,
  platform: "node",
  format: "esm",
  logLevel: "error",
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
});
const lab = await import(out);
const fresh = (name) => ({
  repo: join(folder, name),
  workflow: readFileSync(join(root, "workflows", "pair.yaml"), "utf8"),
});

const benches = {
  folding: () => folding(lab, fresh("fold")),
  commands: () => commands(lab, repository("commands")),
  listing: () => listing(lab, repository("listing")),
  contention: () => contention(),
  handoff: () => handoff(),
  fifty: () => fifty(),
  idle: () => idle(),
};

function repository(name) {
  const lab = fresh(name);
  return { ...lab, repo: made(lab.repo) };
}

function made(path) {
  mkdirSync(join(path, ".git"), { recursive: true });
  return path;
}

const wanted = process.argv.slice(2);
console.log(machine());
let ok = true;
try {
  for (const [name, run] of Object.entries(benches)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    ok = (await run()) && ok;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = ok ? 0 : 1;
