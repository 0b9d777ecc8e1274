// npm run bench [-- part … --quick]: measures, compares each figure with its limit and with the run recorded last, and
// keeps it as the last one (docs/performance.md is written from that). Exit 1 when a limit is missed.
// --quick measures fewer rounds and leaves out the long parts; it keeps nothing.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clis, panes } from "./agents.mjs";
import { contention, fifty, handoff, idle, wholeBubble } from "./bubbles.mjs";
import { imported } from "./bundle.mjs";
import { commands, folding, listing } from "./commands.mjs";
import { headless } from "./headless.mjs";
import { machines } from "./machines.mjs";
import { machine } from "./measure.mjs";
import { page } from "./page.mjs";
import { preparation } from "./preparation.mjs";
import { readRecord, record, report } from "./report.mjs";
import { review } from "./review.mjs";
import { sandbox } from "./sandbox.mjs";
import { workflowList, workflowSteps } from "./workflow.mjs";

const root = join(import.meta.dirname, "..");
const words = process.argv.slice(2);
const isQuick = words.includes("--quick");
const wanted = words.filter((word) => word !== "--quick");
const rounds = isQuick ? 5 : 15;

const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-"));
const lab = await imported("lab.ts", folder);
const real = () => imported("real.ts", folder);
const fresh = (name) => ({
  repo: join(folder, name),
  workflow: readFileSync(join(root, "workflows", "pair.yaml"), "utf8"),
});

/** Each gives { title, figures: [{ key, value, note }] }. */
const parts = {
  folding: () => folding(lab, fresh("fold")),
  commands: () => commands(lab, repository("commands"), rounds),
  listing: () => listing(lab, repository("listing"), rounds),
  contention: () => contention(),
  bubble: () => wholeBubble(isQuick ? 2 : 5),
  headless: () => headless(isQuick ? 1 : 3),
  handoff: () => handoff(),
  sandbox: () => sandbox(rounds),
  review: async () => review(await imported("review.ts", folder), folder, rounds),
  "workflow-steps": async () => workflowSteps(await imported("workflow.ts", folder), folder),
  "workflow-list": () => workflowList(lab, repository("workflow-list")),
  preparation: () => preparation(),
  clis: async () => clis(await real()),
  panes: async () => panes(await real()),
  machines: async () => machines(await imported("machines.ts", folder), folder, isQuick),
  fifty: () => fifty(),
  idle: () => idle(),
  page: () => page(lab, fresh("page"), isQuick ? 30 : 600),
};
const long = ["preparation", "clis", "panes", "fifty", "idle", "page", "workflow-list"];

function repository(name) {
  const made = fresh(name);
  mkdirSync(join(made.repo, ".git"), { recursive: true });
  return made;
}

const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(
    `Error: there is no part ${unknown.join(", ")}.\nHint: parts are ${Object.keys(parts).join(", ")}`,
  );
  process.exit(2);
}
const here = machine();
console.log(here);
const before = readRecord();
const measured = [];
let ok = true;
try {
  for (const [name, run] of Object.entries(parts)) {
    const isWanted = wanted.length > 0 ? wanted.includes(name) : !(isQuick && long.includes(name));
    if (!isWanted) continue;
    const { title, figures } = await run();
    ok = report(title, figures, before) && ok;
    measured.push(...figures);
    if (!isQuick) record(figures, here);
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
process.exitCode = ok ? 0 : 1;
