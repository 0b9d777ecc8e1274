// One run of each built-in workflow, as a person plays it: the first version is rejected, the second one approved, the
// result signed and committed. Agents are scripted and are real processes.
import { existsSync } from "node:fs";
import { fullPackage, oneLoop, type Rig } from "../acceptance/rig.ts";
import { configure } from "../cli/workflow-scene.ts";
import {
  buildWritingTurn,
  documentPath,
  documentTurns,
  draftDocument,
  dryRun,
  goodDocument,
} from "../helpers/document.ts";
import { quality_checks } from "../helpers/quality.ts";
import { eventually } from "../scenarios/scene.ts";
import { type PaperRun, paperRuns } from "./paper-runs.ts";

export const id = "run";

interface Run {
  readonly codex: readonly unknown[];
  readonly claude: readonly unknown[];
  /** What is typed to make the run, behind `pairflow`. */
  readonly create: readonly string[];
  /** What is answered before somebody is asked to sign. */
  readonly reply?: readonly string[];
}

const works = (text: string) => ({
  steps: [
    { write: { path: "src/cart.txt", text: `total: ${text}\n` } },
    { pass: { summary: `the total is ${text}`, ...fullPackage } },
  ],
});

const wrong = {
  severity: "P1",
  title: "Total is 3",
  file: "src/cart.txt",
  line: 1,
  evidence: "total: 3",
};
const looked = {
  file: "src/cart.txt",
  line: 1,
  why: "the first line holds the total the task asks for",
};
const fixed = { id: "F1", status: "fixed", reason: "the total is 2 now" };

/** Rejected once, then approved, in the words of a dialect. */
const reviews = (rejected: object, approved: object): unknown[] => [
  { steps: [{ review: { ...rejected, tree: "{{tree}}", findings: [wrong] } }] },
  {
    steps: [
      { review: { ...approved, tree: "{{tree}}", findings: [], prior_findings: [fixed], checked: [looked] } },
    ],
  },
];

const verdict = { confidence: 0.9, sop_review: [] };

const task = ["--task", "Make the total right", "--test", "grep -q total src/cart.txt"];
const twice = [works("3"), works("2")];
const run = (workflow: string) => ["workflow", "run", workflow, "--id", id, ...task];

export const runs: Readonly<Record<string, Run>> = {
  pair: {
    codex: oneLoop.implementer,
    claude: oneLoop.reviewer,
    create: run("pair"),
  },
  document: {
    codex: [buildWritingTurn(draftDocument), buildWritingTurn(goodDocument), dryRun],
    claude: documentTurns.reviewer,
    create: [
      ...["bubble", "create", "--id", id, "--task", "Write down how carts are kept"],
      ...["--kind", "document", "--document", documentPath],
    ],
    reply: ["--choose", "understood", "--message", "carts of signed-in shoppers are kept for 90 days"],
  },
  paired: {
    codex: twice,
    claude: reviews(
      { challenger_approved: false, critique: "the total is still wrong" },
      { challenger_approved: true, critique: "the total is what the task asks for" },
    ),
    create: run("paired"),
  },
  review: {
    codex: twice,
    claude: reviews(
      { decision: "NO_GO", feedback: "the total is still wrong" },
      { decision: "GO", quality_checks, feedback: "the total is what the task asks for" },
    ),
    create: run("review"),
  },
  "plan-and-execute": {
    codex: twice,
    claude: reviews(
      { ...verdict, verdict: "rejected", rejection_type: "fixable", feedback: "the total is still wrong" },
      { ...verdict, verdict: "approved", feedback: "the total is what the task asks for" },
    ),
    create: run("plan-and-execute"),
  },
};

/** Every workflow of which a run is written down. */
export const names = [...Object.keys(runs), ...Object.keys(paperRuns)];

/** Plays it to its end. */
export async function playRun(tool: Rig, name: string): Promise<void> {
  const papers = paperRuns[name];
  await (papers ? playPapers(tool, papers) : playLoop(tool, name));
}

async function playPapers(tool: Rig, run: PaperRun): Promise<void> {
  configure(tool, run.agents, run.config);
  tool.write("payload.json", JSON.stringify(run.payload));
  const words = ["--task", "Tell the total with tax", "--test", "true", "--payload", "payload.json"];
  await tool.run("workflow", "run", run.workflow, "--id", id, "--headless", ...words);
  for (const reply of run.replies ?? []) {
    await tool.until(id, ({ state }) => state === "WAITING_HUMAN", "somebody is asked");
    await tool.ok("bubble", "reply", "--id", id, ...reply, "--operator-key", tool.key);
  }
  if (run.end === "signed") await signs(tool, id);
  else if (run.end === "done") await tool.until(id, ({ state }) => state === "DONE", "it is over");
  else await signs(tool, run.end.routedTo);
}

async function signs(tool: Rig, bubble: string): Promise<void> {
  const key = ["--operator-key", tool.key];
  await eventually(
    `there is ${bubble}`,
    () => existsSync(tool.transcript(bubble)) && tool.log(bubble).length > 0,
  );
  await tool.until(
    bubble,
    ({ state }) => state === "READY_FOR_APPROVAL",
    `${bubble} asks for approval`,
    60_000,
  );
  await tool.ok("bubble", "approve", "--id", bubble, "--yes", ...key);
  await tool.ok("bubble", "commit", "--id", bubble, ...key);
}

/** Plays it to its commit. */
async function playLoop(tool: Rig, name: string): Promise<void> {
  const { codex, claude, create, reply } = runs[name] ?? {};
  if (!codex || !claude || !create) throw new Error(`no run of ${name} is written down`);
  configure(tool, { codex, claude }, "defaults: { notifications: { enabled: false } }");
  await tool.ok(...create);
  if (create[0] === "bubble") await tool.ok("bubble", "start", "--id", id, "--headless");
  const key = ["--operator-key", tool.key];
  if (reply) await tool.ok("bubble", "reply", "--id", id, ...reply, ...key);
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", `${name} asks for approval`);
  await tool.ok("bubble", "approve", "--id", id, "--yes", ...key);
  await tool.ok("bubble", "commit", "--id", id, ...key);
}
