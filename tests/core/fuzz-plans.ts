// What a plan goes through: its document, the papers that agents hand in for it, and the pipeline's configuration.
// Whatever is accepted can be kept and is read back as it was.

import { isDeepStrictEqual } from "node:util";
import { planReader } from "../../src/app/files/plan.ts";
import { parsePipelineConfig } from "../../src/app/pipeline/config.ts";
import { type Plan, PlanTasks } from "../../src/core/model/plan.ts";
import { check } from "../../src/core/model/value/validate.ts";
import type { PaperContext, PaperValue } from "../../src/core/paper/kind.ts";
import { paperKinds } from "../../src/core/paper/kinds.ts";
import { readPaper } from "../../src/core/paper/read.ts";
import { serializePaper } from "../../src/core/paper/text.ts";
import { renderConstraints, sortConstraints } from "../../src/core/plan/constraints.ts";
import { type PlanDocument, tidy } from "../../src/core/plan/document.ts";
import { parsePlan, renderPlan } from "../../src/core/plan/markdown.ts";
import { markSuperseding, readSuperseded } from "../../src/core/plan/supersede.ts";
import { checkPlanTasks, listReadyPlanTasks, orderTasks } from "../../src/core/plan/tasks/check.ts";
import { parseExecutionTasks } from "../../src/core/plan/tasks/execution.ts";
import { compileGlobs } from "../../src/core/text/glob.ts";
import type { Target } from "./fuzz-run.ts";

const nothing = (_result: unknown): undefined => undefined;

const planDocuments: Target = {
  name: "plans as documents",
  seeds: [
    "# Plan: Discounts\n\n## Situation\nsrc/cart.ts:12 sums.\n\n```ts\n## no heading\n```\n\n## Mission\nCodes.\n\nSuccess criteria:\n- SAVE10 takes 10 % off\n- An unknown code gets 404\n\n## Execution\n1. Codes in `src/cart.ts` (S1)\n   Given a cart, when it is summed, then the code is off\n2. POST in `src/api.ts` (after 1) (S2)\n3. (parallel) Docs in `docs/codes.md`\n\n## Constraints\n- IN: src/**, tests/**\n- OUT: codes that expire\n- DO NOT TOUCH: src/billing/\n\n## Coordination\nSupersedes: old-codes\n\nAfter the tax release.\n",
    "# Plan: Empty\n\n## Situation\n<!-- what exists now -->\n\n## Mission\n\n## Execution\n1) one\n2) two (depends on 1 and 3)\n3) three (parallel)\n\n## Constraints\n- IN: `src/(app)/[id].ts`\n- in: `.env`\n  continues\n\n## Coordination\n",
    "# Plan: Odd\n## Situation\n\\## escaped\n\\\\```\n~~~\n# code\n~~~\n## Mission\n**Success criteria:** one\n## Execution\n## Constraints\n- DO_NOT_TOUCH: !(a|b)/{c,d}\n## Coordination\n",
  ],
  words: [
    ...[
      "# Plan: ",
      "## Situation\n",
      "## Mission\n",
      "## Execution\n",
      "## Constraints\n",
      "## Coordination\n",
    ],
    ...[
      "Success criteria:\n- ",
      "- IN: ",
      "- OUT: ",
      "- DO NOT TOUCH: ",
      "1. ",
      "2. ",
      "(after 1)",
      "(parallel)",
    ],
    ...[
      "(S1)",
      "(S1, S2)",
      "Given a when b then c",
      "\n```\n",
      "\n~~~~\n",
      "<!--",
      "-->",
      "\\##",
      "\\```",
      "`src/a.ts`",
    ],
    ...["`a[b].ts`", "**", "*.ts", "!(x)", "{a,b}", "Supersedes: x\n", "   ", "\\\\"],
  ],
  read(text) {
    const parsed = parsePlan(text);
    if (!parsed.ok) return parsed.problems.length > 0 ? undefined : "it was refused without a reason";
    return planProblem(parsed.document);
  },
};

/** What must hold of every plan that can be kept. */
function planProblem(plan: PlanDocument): string | undefined {
  const again = parsePlan(renderPlan(plan));
  if (!again.ok || !isDeepStrictEqual(again.document, tidy(plan)))
    return `it is read back otherwise: ${JSON.stringify(again)}`;
  const sorted = sortConstraints(plan.constraints);
  for (const patterns of Object.values(sorted.scope)) compileGlobs(patterns)("src/cart.ts");
  renderConstraints(plan.constraints);
  if (readSuperseded({ coordination: markSuperseding(plan.coordination, "other") }) !== "other")
    return "it does not supersede what it was told to";
  return tasksProblem(plan);
}

/** Tasks that are good enough to be executed can be kept and read again. */
function tasksProblem(plan: Pick<Plan, "mission" | "execution">): string | undefined {
  const tasks = parseExecutionTasks(plan);
  const ordered = orderTasks(tasks).length === tasks.length;
  if (!ordered) return "a task was lost when they were put in order";
  if (checkPlanTasks(tasks, plan).length > 0) return undefined;
  if (listReadyPlanTasks(tasks, new Set()).length === 0) return "no task can be begun";
  const kept = check(PlanTasks, { plan: "plan.x", from: "execution", tasks });
  return kept.ok ? undefined : `tasks without a problem cannot be kept: ${JSON.stringify(kept.issues)}`;
}

const context: PaperContext = {
  at: "2026-02-21T09:00:00.000Z",
  papers: {},
  payload: {
    task: { id: "t1", description: "Totals take a code off", files: ["src/cart.ts"] },
    plan: { mission: "Codes.\n\nSuccess criteria:\n- one\n- two" },
  },
  gates: [],
};

const examples = paperKinds.map(({ example }) => example);

/** Every kind is tried on each input. */
const papers: Target = {
  name: "papers",
  seeds: examples.flatMap((example) => [JSON.stringify(example), JSON.stringify(example, null, 1)]),
  words: [
    ...[
      '"id":',
      '"title":',
      '"tasks":[',
      '"depends_on":["t1"]',
      '"covers":["S1"]',
      '"files":["src/**"]',
      '"../x"',
    ],
    ...[
      '"criteria":[]',
      '"given":"a"',
      '"commands":["npm test"]',
      '"success_pattern":"("',
      '"failure_pattern":"^e"',
    ],
    ...[
      '"mode":"simple"',
      '"max_iterations":3',
      '"steps":[',
      '"action":"run"',
      '"mission":',
      '"constraints":{}',
    ],
    ...[
      "Success criteria:\\n- x",
      "## Mission",
      "```",
      "<!--",
      "\\u0000",
      "\\ud83d",
      "__proto__",
      "null",
      "[]",
      "{}",
    ],
  ],
  read(text) {
    const given = jsonIn(text);
    for (const kind of paperKinds) {
      const read = readPaper(kind, given, context);
      if (!read.ok && read.problems.length === 0) return `${kind.name} was refused without a reason`;
      if (!read.ok) continue;
      const problem = paperProblem(kind.name, read.value);
      if (problem) return `${kind.name}: ${problem}`;
    }
    return undefined;
  },
};

function paperProblem(name: string, value: PaperValue): string | undefined {
  const kind = paperKinds.find((one) => one.name === name);
  if (!kind) return "there is no such kind";
  if (!isDeepStrictEqual(JSON.parse(serializePaper(value)), JSON.parse(JSON.stringify(value))))
    return "its text says something else";
  const completed = kind.complete(value, { ...context, papers: { [name]: value } });
  if (!isDeepStrictEqual(completed, value)) return `completed twice it changes: ${JSON.stringify(completed)}`;
  return name === "plan" ? planProblem(value as unknown as PlanDocument) : undefined;
}

const printed = `{
  "autonomy": { "mode": "ralph-loop", "planReviewLoopLimit": 10, "codeReviewLoopLimit": 15 },
  "ralphLoop": { "defaultMaxIterations": 10, "completionPromise": "<promise>X</promise>" },
  "models": { "planner": "opus" }, "agents": { "codex": "kim" }
}`;

const planFiles: Target = {
  name: "plan.json, tasks.json and pipeline.config.json",
  seeds: [
    printed,
    '{"plan":"plan.x","from":"planner","tasks":[{"id":"t1","description":"one"}]}',
    '{"id":"plan.x","slug":"x","title":"X","committed":false,"situation":"","mission":"","execution":"","constraints":{},"coordination":"","created_at":"2026-01-01"}',
  ],
  words: [
    '"autonomy":',
    '"models":{',
    '"agents":[',
    '"mode":"simple"',
    "\\u0000",
    "1e999",
    "-1",
    "{",
    "}",
    '"\\ud83d"',
  ],
  read(text) {
    for (const reader of [
      (given: string) => nothing(parsePipelineConfig(given, "pipeline.config.json")),
      (given: string) => nothing(planReader.plan(given, "plan.json")),
      (given: string) => nothing(planReader.tasks(given, "tasks.json")),
    ])
      refusedOrRead(reader, text);
    return undefined;
  },
};

/** A usage error is an answer like any other; the next reader has its turn. */
function refusedOrRead(reader: (text: string) => void, text: string): void {
  try {
    reader(text);
  } catch (error) {
    if ((error as { usage?: unknown }).usage !== true) throw error;
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What plans are made of, each with its share of a long campaign. */
export const plans: readonly (readonly [target: Target, share: number])[] = [
  [planDocuments, 0.05],
  [papers, 0.05],
  [planFiles, 0.02],
];
