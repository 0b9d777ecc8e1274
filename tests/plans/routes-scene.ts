// Routes on stage: a run of `auto` whose plan and tasks are there already, or a single task, and what happens when the
// reviewer sends a task back to where it can be fixed.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Ran, Rig } from "../acceptance/rig.ts";
import { linesOf } from "../cli/workflow-scene.ts";
import { eventually, id, type Scene } from "../scenarios/scene.ts";
import { builds, objects, papersFolder, passes, plan, stage, task, verdict } from "./scene.ts";

export const slug = "totals";
/** How long a whole route may take where many others run, in milliseconds. */
export const patience = 240_000;

export const roles = {
  planner: "planner",
  architect: "architect",
  "plan-reviewer": "critic",
  developer: "dev",
  reviewer: "rev",
  integrator: "dev",
};

type Cast = Readonly<Record<string, readonly unknown[]>>;

/** The task that is sent back, as the plan has it. */
export const first = task("t1", "Tell the total with tax in src/cart.txt", ["src/cart.txt"], {
  covers: ["S1", "S2"],
});

/** A committed plan stands in the repository. */
export function planned(agents: Cast, constraints: object = plan().constraints): Scene {
  const idle = [{ steps: [{ say: "nobody should ask me" }] }];
  const everybody = { planner: idle, architect: idle, critic: idle, dev: idle, rev: idle };
  const scene = stage({ ...everybody, ...agents }, roles);
  scene.tool.write(
    `.pairflow/plans/${slug}/plan.json`,
    `${JSON.stringify(
      {
        id: `plan.${slug}`,
        slug,
        title: plan().title,
        committed: true,
        situation: plan().situation,
        mission: plan().mission,
        execution: plan().execution,
        constraints,
        coordination: plan().coordination,
        created_at: "2026-01-01T09:00:00.000Z",
        committed_at: "2026-01-01T09:00:00.000Z",
      },
      null,
      2,
    )}\n`,
  );
  return scene;
}

/** `auto` from a plan and its tasks: nobody plans any more. */
export function executes(
  scene: Scene,
  tasks: readonly object[] = [first],
  constraints: object = plan().constraints,
): Promise<Ran> {
  const papers = { plan: plan({ constraints }), tasks: { tasks } };
  scene.tool.write("payload.json", JSON.stringify({ slug, plan_slug: slug, papers }));
  const words = ["--task", "Totals with tax", "--test", "true", "--payload", "payload.json"];
  return scene.tool.run("workflow", "run", "auto", "--id", id, "--headless", ...words);
}

/** plan-and-execute for itself, nobody's child. */
export function runsAlone(scene: Scene, ...flags: string[]): Promise<Ran> {
  const told = ["--task", "Tell the total with tax", "--criterion", "the total is told with tax"];
  const words = [...told, "--test", "true", "--set", `slug=${slug}`, ...flags];
  return scene.tool.run("workflow", "run", "plan-and-execute", "--id", id, "--headless", ...words);
}

export const planFile = ({ tool }: Scene, file: string): string =>
  readFileSync(join(tool.repo, ".pairflow", "plans", slug, file), "utf8");

export const amendments = (scene: Scene): Record<string, string>[] => {
  try {
    return JSON.parse(planFile(scene, "amendments.json"));
  } catch {
    return [];
  }
};

export const lines = <T extends Parameters<typeof linesOf>[1]>(tool: Rig, bubble: string, type: T) =>
  linesOf<T>(tool.log(bubble), type);

/** Every turn of a bubble, in order. */
export const turnsOf = ({ tool }: Scene, bubble: string): string[] =>
  lines(tool, bubble, "TURN_STARTED")
    .filter(({ payload }) => payload.attempt === 1)
    .map(({ payload }) => `${payload.role} ${payload.agent}`);

/** The newest question of a bubble. */
export function asked({ tool }: Scene, bubble: string) {
  const question = lines(tool, bubble, "HUMAN_QUESTION").at(-1)?.payload;
  if (!question) throw new Error(`${bubble} asks nobody`);
  return question;
}

export const answers = ({ tool }: Scene, bubble: string, choice: string, message: string) =>
  tool.ok(
    ...["bubble", "reply", "--id", bubble, "--choose", choice, "--message", message],
    ...["--operator-key", tool.key],
  );

/** Waits until somebody has made this bubble and it has come to this. */
export async function waits({ tool }: Scene, bubble: string, state: string) {
  await eventually(
    `there is ${bubble}`,
    () => existsSync(tool.transcript(bubble)) && tool.log(bubble).length > 0,
  );
  return tool.until(bubble, (status) => status.state === state, `${bubble} is ${state}`, 60_000);
}

/** The bubbles there are. */
export const bubbles = async ({ tool }: Scene): Promise<string[]> => {
  const { bubbles: listed } = JSON.parse(await tool.ok("bubble", "list", "--all", "--json"));
  return listed.map((one: { bubble: string }) => one.bubble).sort();
};

export async function signs({ tool }: Scene, bubble: string): Promise<void> {
  await tool.ok("bubble", "approve", "--id", bubble, "--yes", "--operator-key", tool.key);
  await tool.ok("bubble", "commit", "--id", bubble, "--operator-key", tool.key);
}

/** The first try, which its reviewer sends back. */
export const wrong = (bubble: string, over: object = {}) =>
  builds(
    { "src/cart.txt": "total: wrong\n", "src/left-over.txt": "of the first try\n" },
    { bubble, ...over },
  );
export const sentBack = (bubble: string, type: string, feedback = `this is ${type}`) =>
  verdict({ file: "src/cart.txt", type, feedback, over: { findings: [problem(feedback)] } }, { bubble });
const problem = (title: string) => ({
  severity: "P1",
  title,
  file: "src/cart.txt",
  line: 1,
  evidence: "total: wrong",
});

export const right = (bubble: string) => builds({ "src/cart.txt": "total: 1.07\n" }, { bubble });
export const holds = (bubble: string, more: object = {}) =>
  verdict({ file: "src/cart.txt", quote: "total: 1.07", ...more }, { bubble });

export const refined = (over: object = {}) => ({
  diagnosis: "The total is told without its rate, which nobody wrote down",
  change: "The rate is part of this task",
  task: {
    description: "Tell the total with tax in src/cart.txt, with the rate in it",
    files: ["src/cart.txt"],
    // biome-ignore lint/suspicious/noThenProperty: the criterion's own word.
    criteria: [{ given: "the shop", when: "the cart is read", then: "it tells 1.07" }],
  },
  ...over,
});

const paper = `${papersFolder}/refinement.json`;
export const refinementPasses = (bubble: string, prior: readonly object[] = []) =>
  passes({ file: paper, line: 2, quote: "The total is told", prior }, { bubble });
export const refinementObjected = (bubble: string) =>
  objects({ file: paper, line: 3, quote: "The rate is", title: "Which rate is not said" }, { bubble });

/** What is in a bubble's own change, from where it began. */
export function changedIn({ tool }: Scene, bubble: string): string[] {
  const from = lines(tool, bubble, "BUBBLE_CREATED")[0]?.payload.base_commit ?? "";
  const to = lines(tool, bubble, "HANDOFF").findLast(({ payload }) => payload.ref)?.payload.commit ?? "";
  expect(from && to).toBeTruthy();
  return tool.git("diff", "--name-only", from, to).split("\n").filter(Boolean).sort();
}

/** Three parts: two side by side, and one that rests on the first. */
export const parts = {
  diagnosis: "The rate, the total and the receipt are three things",
  change: "Each is a task of its own",
  tasks: [
    part("rate", "Write the rate down in src/rate.txt", "src/rate.txt"),
    part("receipt", "Print the receipt in src/receipt.txt", "src/receipt.txt"),
    part("total", "Tell the total in src/cart.txt by the rate", "src/cart.txt", ["rate"]),
  ],
};

function part(name: string, description: string, file: string, after: string[] = []) {
  const { covers: _covers, ...rest } = task(name, description, [file], { depends_on: after });
  return rest;
}

export const splitPasses = (bubble: string) =>
  passes(
    { file: `${papersFolder}/decomposition.json`, line: 2, quote: "The rate, the total and the receipt" },
    { bubble },
  );

/** What each part makes, and what its reviewer looks at. */
export const partFiles = {
  rate: { file: "src/rate.txt", text: "the rate: 7\n", quote: "the rate: 7" },
  receipt: { file: "src/receipt.txt", text: "the receipt: with tax\n", quote: "the receipt: with tax" },
  total: { file: "src/cart.txt", text: "total: 1.07\n", quote: "total: 1.07" },
};

type PartKey = keyof typeof partFiles;
export const partKeys = Object.keys(partFiles) as PartKey[];
export const partBuilt = (key: PartKey, bubble: string) =>
  builds({ [partFiles[key].file]: partFiles[key].text }, { bubble });
export const partHolds = (key: PartKey, bubble: string) =>
  verdict({ file: partFiles[key].file, quote: partFiles[key].quote }, { bubble });

/** The criteria of the plan: its run as a whole answers for both. */
export const bothCriteria = { criteria: ["C1", "C2"] } as const;

/** The reviewer of the whole looks at every file. */
export const wholeHolds = (
  bubble: string,
  { criteria }: { criteria: readonly string[] } = { criteria: ["C1"] },
) =>
  verdict(
    {
      file: "src/cart.txt",
      over: {
        checked: partKeys.map((key) => ({
          for: criteria,
          file: partFiles[key].file,
          line: 1,
          quote: partFiles[key].quote,
          why: `what ${key} made is there and fits the others`,
        })),
      },
    },
    { bubble },
  );

/** Who reported what to a parent, in order. */
export const reports = ({ tool }: Scene, bubble: string): string[] =>
  lines(tool, bubble, "CHILD_REPORTED").map(
    ({ payload }) => `${payload.key} ${payload.bubble} ${payload.status}`,
  );

/** The task that a bubble works on, as its workflow is told. */
export const taskIdOf = ({ tool }: Scene, bubble: string): unknown =>
  lines(tool, bubble, "BUBBLE_CREATED")[0]?.payload.program.payload?.task_id;
