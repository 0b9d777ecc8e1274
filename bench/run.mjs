// npm run bench [-- name …]: every bench in one run, each figure beside its limit. Exit 1 when one is missed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clis, panes } from "./agents.mjs";
import { contention, fifty, handoff, idle } from "./bubbles.mjs";
import { imported } from "./bundle.mjs";
import { commands, folding, listing } from "./commands.mjs";
import { headless } from "./headless.mjs";
import { machine } from "./measure.mjs";
import { preparation } from "./preparation.mjs";
import { review } from "./review.mjs";
import { sandbox } from "./sandbox.mjs";
import { workflowList, workflowSteps } from "./workflow.mjs";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-"));
const lab = await imported("lab.ts", folder);
const real = () => imported("real.ts", folder);
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
  headless: () => headless(),
  preparation: () => preparation(),
  sandbox: () => sandbox(),
  review: async () => review(await imported("review.ts", folder), folder),
  "workflow-steps": async () => workflowSteps(await imported("workflow.ts", folder), folder),
  "workflow-list": () => workflowList(lab, repository("workflow-list")),
  clis: async () => clis(await real()),
  panes: async () => panes(await real()),
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
