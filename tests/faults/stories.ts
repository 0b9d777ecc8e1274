// Runs of workflows for drivers to be killed in: two tasks of a pair with score, lock and signature; plan-and-execute with
// one retry; two tasks side by side. Each agent keeps count of its own turns in a file.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fullPackage, type Rig } from "../acceptance/rig.ts";
import { configure } from "../cli/workflow-scene.ts";
import { quality_checks } from "../helpers/quality.ts";
import type { Played, Story } from "./whole-bubble.ts";

const counts = (tool: Rig, agent: string) => ({ run: `echo turn >> ${join(tool.folder, `turns-${agent}`)}` });

/** The agents that play the usual roles without being named. */
const usual: readonly string[] = ["codex", "claude"];

type Turns = Readonly<Record<string, readonly (readonly object[])[]>>;

const makes = (path: string, text: string) => [
  { write: { path, text } },
  { pass: { summary: `wrote ${path}`, ...fullPackage } },
];
const looked = (file: string) => [{ file, line: 1, why: "its first line says what the task asks for" }];
const wrong = (file: string, evidence: string) => ({
  severity: "P1",
  title: "Not what was asked for",
  file,
  line: 1,
  evidence,
});
const review = (said: object) => [{ review: { tree: "{{tree}}", findings: [], ...said } }];

function storyOf(workflow: string, file: string, turns: Turns, more: Partial<Story> = {}): Story {
  return {
    prepare(tool) {
      if (file) tool.write(`flows/${file}`, workflow);
      const agents = Object.entries(turns).map(([agent, all]) => [
        agent,
        all.map((steps) => ({ steps: [counts(tool, agent), ...steps] })),
      ]);
      configure(tool, Object.fromEntries(agents), "defaults: { notifications: { enabled: false } }");
    },
    created: [
      ...["--task", "Write both documents", "--test", "true"],
      ...["--workflow", file ? `flows/${file}` : workflow],
      ...Object.keys(turns).flatMap((agent) =>
        usual.includes(agent) ? [] : ["--agent", `${agent}=${agent}`],
      ),
    ],
    ...more,
  };
}

const twoTasks = `
tasks:
  design:
    agent: implementer
    overlays:
      paired_workflow: { enabled: true, challenger_agent: reviewer, max_iterations: 3 }
      confidence_loop: { enabled: true, threshold: 0.99 }
  build:
    agent: implementer
    depends_on: [design]
    overlays:
      paired_workflow: { enabled: true, challenger_agent: reviewer, max_iterations: 3 }
      hil: { enabled: true, requires_human: true }
`;

/** One rejection in the first task; the second one is signed by a human while nothing runs. */
export const pairedTasks = storyOf(
  twoTasks,
  "two.yaml",
  {
    codex: [makes("design.md", "draft\n"), makes("design.md", "design\n"), makes("build.md", "build\n")],
    claude: [
      review({
        challenger_approved: false,
        critique: "this is a draft",
        findings: [wrong("design.md", "draft")],
      }),
      review({
        challenger_approved: true,
        critique: "this can be built",
        prior_findings: [{ id: "F1", status: "fixed", reason: "it is written out now" }],
        checked: looked("design.md"),
      }),
      review({
        challenger_approved: true,
        critique: "this is what was designed",
        checked: [
          ...looked("build.md"),
          { file: "design.md", line: 1, why: "the design is as it was locked" },
        ],
      }),
    ],
  },
  { reply: ["--choose", "approve", "--message", "seen"] },
);

const verdict = { confidence: 0.9, sop_review: [] };

/** One retry after a review that can be answered; every step has its time. */
export const planned = storyOf("plan-and-execute", "", {
  codex: [makes("src/cart.txt", "total: 3\n"), makes("src/cart.txt", "total: 2\n")],
  claude: [
    review({
      ...verdict,
      verdict: "rejected",
      rejection_type: "fixable",
      feedback: "the total is 3",
      findings: [wrong("src/cart.txt", "total: 3")],
    }),
    review({
      ...verdict,
      verdict: "approved",
      feedback: "the total is 2",
      prior_findings: [{ id: "F1", status: "fixed", reason: "the total is 2 now" }],
      checked: looked("src/cart.txt"),
    }),
  ],
});

const twoAtOnce = `
max_concurrent: 2
join: { agent: codex, reviewer: claude }
tasks:
  cart: { agent: ann, title: Cart }
  shop: { agent: ben, title: Shop }
`;

/** Two children side by side, merged and judged once. */
export const sideBySide = storyOf(twoAtOnce, "wide.yaml", {
  ann: [makes("cart.md", "cart\n")],
  ben: [makes("shop.md", "shop\n")],
  codex: [makes("both.md", "both\n")],
  claude: [
    review({
      decision: "GO",
      quality_checks,
      feedback: "both belong together",
      checked: [
        ...looked("cart.md"),
        { file: "shop.md", line: 1, why: "the shop document was written next to the cart document" },
      ],
    }),
  ],
});

/** No agent was asked to work more often than the record of the run and of its children says. */
export function callProblems({ tool }: Played): string[] {
  const started = readdirSync(join(tool.repo, ".pairflow", "bubbles"))
    .flatMap((bubble) => tool.log(bubble))
    .flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload.agent] : []));
  const agents = readdirSync(tool.folder).flatMap((file) => /^turns-(.+)$/.exec(file)?.[1] ?? []);
  return agents.flatMap((agent) => {
    const calls = readFileSync(join(tool.folder, `turns-${agent}`), "utf8").split("\n").length - 1;
    const known = started.filter((one) => one === agent).length;
    return calls > known ? [`${agent} was started ${calls} times, of which the record knows ${known}`] : [];
  });
}
