// What every keeper of plans must keep: the promises are the sentences of ports/record/plans.ts.
import assert from "node:assert/strict";
import type { Amendment, Plan, PlanTasks } from "../../core/model/plan.ts";
import type { Plans } from "../../ports/record/plans.ts";
import { defineContract, requireAbility } from "./contract.ts";

export interface PlansRig {
  readonly plans: Plans;
  /** The plans as another process gets them: same storage, no memory. */
  again(): Plans;
  /** The plans of a process that dies at its n-th write, from 1; undefined where nothing can die in between. */
  readonly dying?: (write: number) => Plans;
  close(): Promise<void>;
}

export const scratchPlan: Plan = {
  id: "plan.add-discounts",
  slug: "add-discounts",
  title: "Add discounts",
  committed: false,
  situation: "Totals are summed in `src/cart.ts`.",
  mission: "Customers get discounts.",
  execution: "1. Add the rule",
  constraints: { in: ["src/**"], out: [], do_not_touch: ["infra/"] },
  coordination: "",
  created_at: "2026-01-05T09:00:00.000Z",
};
export const committedPlan: Plan = {
  ...scratchPlan,
  committed: true,
  committed_at: "2026-01-05T10:00:00.000Z",
};
const { slug } = scratchPlan;
const tasks: PlanTasks = {
  plan: scratchPlan.id,
  from: "execution",
  tasks: [{ id: "t1", description: "Add it", files: [], criteria: [], depends_on: [], covers: [] }],
};
const buildAmendment = (bubble: string): Amendment => ({
  bubble,
  at: "2026-01-05T11:00:00.000Z",
  by: "plan-refinement",
  task: "t1",
  diagnosis: "it was too narrow",
  change: "also the receipt",
});

const whole = "1 What was written is there after a crash, whole or not at all.";
const never = "2 A committed plan is never changed: `save` of other content is refused (code `plan.frozen`).";
const once = "3 Each call done twice is done once.";
const lists = "4 `list` names every plan that was saved, in the order of their slugs.";

/** The cases for one keeper of plans. */
export const buildPlansContract = defineContract<PlansRig>([
  [whole, "what one process saves another one reads", checkReadsBack],
  [whole, "a process dies at any write of a first save", (rig) => dies(rig, scratchPlan)],
  [whole, "a process dies at any write of a commit", (rig) => dies(rig, committedPlan)],
  [never, "saving other content is refused, and the plan stays", staysFrozen],
  [never, "tasks and amendments stand beside it", checkBeside],
  [once, "saving the same again changes nothing", checkSavedTwice],
  [once, "an amendment told twice counts once", checkToldTwice],
  [once, "amendments told at the same time are all there", checkAtOnce],
  [lists, "plans are listed once each, and tasks and amendments are none", checkListed],
]);

async function checkReadsBack(rig: PlansRig): Promise<void> {
  assert.equal(await rig.plans.read(slug), undefined);
  assert.equal(await rig.plans.readTasks(slug), undefined);
  assert.deepEqual(await rig.plans.amendments(slug), []);
  await rig.plans.save(scratchPlan);
  assert.deepEqual(await rig.again().read(slug), scratchPlan);
  await rig.again().save({ ...scratchPlan, mission: "Something else." });
  assert.equal((await rig.plans.read(slug))?.mission, "Something else.");
  await rig.plans.saveTasks(slug, tasks);
  assert.deepEqual(await rig.again().readTasks(slug), tasks);
}

/** Whatever is there afterwards is the plan before or the plan after, and the same save then succeeds. */
async function dies(rig: PlansRig, wanted: Plan): Promise<void> {
  const dying = requireAbility(rig.dying);
  const before = wanted.committed ? scratchPlan : undefined;
  for (let write = 1; ; write += 1) {
    const named = { ...wanted, slug: `p${write}`, id: `plan.p${write}` };
    const older = before && { ...before, slug: named.slug, id: named.id };
    if (older) await rig.plans.save(older);
    const died = await dying(write)
      .save(named)
      .then(
        () => false,
        () => true,
      );
    const found = await rig.again().read(named.slug);
    assert.ok(
      [older, named].some((plan) => isSame(plan, found)),
      `after write ${write}`,
    );
    await rig.again().save(named);
    assert.deepEqual(await rig.again().read(named.slug), named);
    if (!died) return;
  }
}

const isSame = (one: Plan | undefined, other: Plan | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

async function staysFrozen(rig: PlansRig): Promise<void> {
  await rig.plans.save(scratchPlan);
  await rig.plans.save(committedPlan);
  for (const change of [
    { mission: "Another one." },
    { committed: false },
    { constraints: scratchPlan.constraints, title: "T" },
  ]) {
    const isFrozen = (error: unknown) => (error as { code?: string }).code === "plan.frozen";
    await assert.rejects(rig.again().save({ ...committedPlan, ...change }), isFrozen);
  }
  assert.deepEqual(await rig.again().read(slug), committedPlan);
}

async function checkBeside(rig: PlansRig): Promise<void> {
  await rig.plans.save(committedPlan);
  await rig.plans.saveTasks(slug, tasks);
  await rig.plans.amend(slug, buildAmendment("b1"));
  assert.deepEqual(await rig.again().read(slug), committedPlan);
  assert.deepEqual(await rig.again().amendments(slug), [buildAmendment("b1")]);
}

async function checkSavedTwice(rig: PlansRig): Promise<void> {
  for (const plan of [scratchPlan, committedPlan]) {
    await rig.plans.save(plan);
    await rig.again().save(plan);
    assert.deepEqual(await rig.again().read(slug), plan);
  }
}

async function checkToldTwice(rig: PlansRig): Promise<void> {
  await rig.plans.save(committedPlan);
  await rig.plans.amend(slug, buildAmendment("b1"));
  await rig.again().amend(slug, { ...buildAmendment("b1"), at: "2026-01-06T11:00:00.000Z" });
  await rig.again().amend(slug, buildAmendment("b2"));
  assert.deepEqual(await rig.again().amendments(slug), [buildAmendment("b1"), buildAmendment("b2")]);
}

async function checkAtOnce(rig: PlansRig): Promise<void> {
  await rig.plans.save(committedPlan);
  const bubbles = Array.from({ length: 8 }, (_, i) => `b${i}`);
  await Promise.all(bubbles.map((bubble) => rig.again().amend(slug, buildAmendment(bubble))));
  const told = (await rig.again().amendments(slug)).map(({ bubble }) => bubble);
  assert.deepEqual([...told].sort(), bubbles);
}

async function checkListed(rig: PlansRig): Promise<void> {
  assert.deepEqual(await rig.plans.list(), []);
  const other: Plan = { ...scratchPlan, slug: "about-taxes", id: "plan.about-taxes" };
  for (const plan of [scratchPlan, other, committedPlan]) await rig.plans.save(plan);
  await rig.plans.saveTasks(slug, tasks);
  await rig.plans.amend(slug, buildAmendment("b1"));
  assert.deepEqual(await rig.again().list(), [other.slug, slug]);
}
