// A parent and its children in random histories: reports in any order and more than once, routes, budgets, time, redo and
// people. Something is always owed or somebody is asked, the record alone gives the same state, and spending counts once.
import { expect, it } from "vitest";
import { listDueEffects } from "../../../src/core/bubble/due.ts";
import { evolve } from "../../../src/core/bubble/evolve.ts";
import { isFinal } from "../../../src/core/bubble/lifecycle.ts";
import type { Command, CommandOf } from "../../../src/core/model/command.ts";
import type { Envelope } from "../../../src/core/model/record/envelope.ts";
import type { Opinion } from "../../../src/core/model/review/verdict.ts";
import type { State } from "../../../src/core/model/state.ts";
import type { Scenario } from "../../../src/testing/scenario.ts";
import { driver, operator } from "../../../src/testing/scenario-actors.ts";
import { chance, type Dice } from "../fuzz-dice.ts";
import { builtIn, running } from "../phase-scene.ts";

const cast = {
  planner: "pat",
  "plan-reviewer": "ann",
  integrator: "wim",
  reviewer: "cleo",
  developer: "wim",
};
const plan = {
  ...{ title: "Totals", mission: "Tell them.\n\nSuccess criteria:\n- it does" },
  constraints: { in: ["src/**"], out: [], do_not_touch: [] },
};
const task = (id: string, depends_on: readonly string[] = []) => ({
  ...{ id, description: `Do ${id}`, files: [`src/${id}.ts`], criteria: [], depends_on },
});
const executing = (): Scenario =>
  running(builtIn("auto"), {
    payload: { slug: "x", papers: { plan, tasks: { tasks: [task("t1"), task("t2"), task("t3", ["t1"])] } } },
    config: { agents: cast, budget: { max_tokens: 500 } },
  });

type Report = CommandOf<"child-reported">;
/** What each bubble has used is a fact: every report about it says the same. */
const costOf = (bubble: string) =>
  1 + ((bubble.length * 7 + (bubble.codePointAt(bubble.length - 1) ?? 0)) % 20);

function reportOf(dice: Dice, key: string): Report {
  const generation = 1 + dice.below(3);
  const name = (n: number) => `run-${key}-${n}`;
  const after = Array.from({ length: generation - 1 }, (_, i) => name(i + 1));
  const status = dice.pick(["completed", "completed", "failed", "cancelled", "exceeded", "routed"] as const);
  const bubble = name(generation);
  return {
    ...{ type: "child-reported", actor: driver, key, bubble, status, why: "it is over" },
    ...{ tree: `tree-${bubble}`, commit: `c-${bubble}`, spent: { input: costOf(bubble), output: 0 } },
    ...(after.length > 0
      ? { after, before: after.map((one) => ({ bubble: one, spent: { input: costOf(one), output: 0 } })) }
      : {}),
    ...(status === "routed" && generation < 3 ? { to: name(generation + 1) } : {}),
  };
}

/** Something that a driver or a person could say now; much of it is refused. */
function move(dice: Dice, scene: Scenario, n: number): Command {
  const { state } = scene;
  const key = dice.pick(["t1", "t2", "t3"]);
  const question = state.questions[0];
  if (question && dice.below(3) > 0) {
    const options = question.options
      ?.map((option) => option.key)
      .filter((one) => one !== "reject" || dice.below(8) === 0);
    const choice = options && options.length > 0 ? dice.pick(options) : undefined;
    return {
      type: "reply",
      actor: operator,
      question: question.id,
      message: "so be it",
      ...(choice ? { choice } : {}),
    };
  }
  switch (dice.below(9)) {
    case 0:
    case 1:
      return { type: "child-started", actor: driver, key, bubble: `run-${key}-1` };
    case 2:
    case 3:
    case 4:
      return reportOf(dice, key);
    case 5:
      return {
        type: "check-budget",
        actor: driver,
        children: { total: { input: dice.below(600), output: 0 }, minutes: 0 },
      };
    case 6:
      return { type: "go-on", actor: driver, entered: state.position.seq };
    case 7:
      return {
        type: "redo",
        actor: operator,
        step: dice.pick(["work", "gates", "review", "mend"]),
        reason: "again",
      };
    default:
      return {
        ...{
          type: "joined",
          actor: driver,
          tree: `J${n}`,
          commit: `c${n}`,
          ref: "r",
          touched: [],
          children: [],
        },
        files: [{ path: "src/a.ts", status: "added", added: 1, removed: 0 }],
        conflicts: dice.below(4) === 0 ? ["src/a.ts"] : [],
      };
  }
}

/** What the driver of the parent would do about turns and gates. */
function work(scene: Scenario, n: number): Scenario {
  const kinds = listDueEffects(scene.state).map(({ kind }) => kind);
  if (kinds.includes("gates")) return scene.gatesPass();
  if (!kinds.includes("start-turn")) return scene;
  return scene.turn.role === "integrator" ? scene.hands(`M${n}`) : scene.judges({ opinion: approve });
}
const approve: Opinion = {
  dialect: "verdict",
  decision: "approve",
  confidence: 0.9,
  sop_review: [],
  patterns: [],
};

const asksSomebody = ({ lifecycle, questions }: State) =>
  questions.length > 0 || !["RUNNING", "PREPARING_WORKSPACE"].includes(lifecycle);

function replayed(log: readonly Envelope[]): State | undefined {
  let state: State | undefined;
  for (const line of JSON.parse(JSON.stringify(log)) as Envelope[]) state = evolve(state, line);
  return state;
}

/** Each bubble that a report has told about, once for each group of children it was told to. */
function told(log: readonly Envelope[]): number {
  let sum = 0;
  let counted = new Set<string>();
  for (const line of log) {
    if (line.type === "CHILDREN_OPENED") counted = new Set();
    if (line.type !== "CHILD_REPORTED") continue;
    for (const { bubble } of [line.payload, ...(line.payload.before ?? [])])
      if (!counted.has(bubble)) {
        counted.add(bubble);
        sum += costOf(bubble);
      }
  }
  return sum;
}

function checked(scene: Scenario, seed: number, n: number): void {
  const where = `seed ${seed}, move ${n}: ${scene.state.lifecycle} at ${scene.state.position.step}`;
  const owed = listDueEffects(scene.state).filter(({ kind }) => kind !== "notify");
  expect(isFinal(scene.state.lifecycle) || owed.length > 0 || asksSomebody(scene.state), where).toBe(true);
  expect(replayed(scene.log), where).toEqual(scene.state);
  expect(scene.state.spent.total.input, where).toBe(told(scene.log));
  if (scene.state.position.step !== "approval") return;
  const { tree, reviews } = scene.state;
  const isJudged = reviews.some((review) => review.clean && review.tree === tree?.id);
  const isAccepted = scene.log.some(
    (line) => line.type === "HUMAN_REPLY" && line.payload.choice === "accept" && line.seq > (tree?.seq ?? 0),
  );
  expect(isJudged || isAccepted, `${where}: unjudged`).toBe(true);
}

it("continues or asks, replays to the same state, counts each bubble once and approves nothing unjudged", () => {
  const reached = new Set<string>();
  for (let seed = 1; seed <= 25; seed += 1) {
    const dice = chance(seed);
    let scene = executing();
    for (let n = 1; n <= 60 && !isFinal(scene.state.lifecycle); n += 1) {
      const outcome = scene.tries(move(dice, scene, n));
      if (!outcome.decision.refusal) scene = scene.after(outcome);
      if (dice.below(4) === 0) scene = work(scene, n);
      reached.add(scene.state.position.step ?? "");
      if (n % 5 === 0 || isFinal(scene.state.lifecycle)) checked(scene, seed, n);
    }
  }
  expect([...reached]).toEqual(
    expect.arrayContaining(["work", "failed", "conflict", "gates", "review", "approval"]),
  );
});
