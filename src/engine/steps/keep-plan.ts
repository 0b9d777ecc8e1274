// A paper that tells a plan becomes a plan of the project; tasks and amendments stand beside it.
import type { EffectOf } from "../../core/bubble/due/effect.ts";
import { buildFacts } from "../../core/judge/facts.ts";
import { type Amendment, type Plan, type PlanTasks, PlanText } from "../../core/model/plan.ts";
import type { State } from "../../core/model/state.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { check } from "../../core/model/value/validate.ts";
import { pickPlanDocument, tidy } from "../../core/plan/document.ts";
import { getPlanId, incrementSlug } from "../../core/plan/slug.ts";
import { parsePlanTasks } from "../../core/plan/tasks/child.ts";
import { fillText } from "../../core/workflow/template.ts";
import { Failure } from "../../ports/failure.ts";
import { report, type ShortJob } from "../handle/job.ts";
import type { World } from "../world/world.ts";

export async function keepPlan(job: ShortJob, { step }: EffectOf<"keep-plan">): Promise<void> {
  const { world, state } = job;
  const { name, act } = step;
  const wanted = fillText(step.slug, buildFacts(state)).text.trim();
  const slug = act === "save" ? await chooseSlug(world, state, wanted) : wanted;
  const problem = await findProblem(() => acts[act](world, state, slug));
  world.crashPoint("plan.kept");
  await report(job, { type: "plan-kept", step: name, act, slug, ...(problem ? { problem } : {}) });
}

/**
 * The scratchpad as it was when the run began may be written over. One that somebody has changed since stays theirs: what
 * was found out is kept beside it, under the next name.
 */
async function chooseSlug(world: World, state: State, slug: string): Promise<string> {
  const { before } = state.program.payload ?? {};
  const mine = before === undefined ? undefined : JSON.stringify(before);
  const own = JSON.stringify(pickPlanDocument(tidy(buildPlan(state, slug, {}))));
  const taken = new Set<string>();
  for (let name = slug; ; name = incrementSlug(slug, (one) => taken.has(one))) {
    const there = await world.plans.read(name);
    const said = there && JSON.stringify(pickPlanDocument(there));
    if (!there || mine === undefined || said === own || (said === mine && !there.committed)) return name;
    taken.add(name);
  }
}

type Act = (world: World, state: State, slug: string) => Promise<void>;

const acts: Readonly<Record<EffectOf<"keep-plan">["step"]["act"], Act>> = {
  save: (world, state, slug) => world.plans.save(buildPlan(state, slug, {})),
  commit: (world, state, slug) =>
    world.plans.save(buildPlan(state, slug, { committed_at: state.papers?.plan?.at ?? state.createdAt })),
  propose: (world, state, slug) => world.plans.saveTasks(slug, buildTasks(state, slug)),
  tasks: (world, state, slug) =>
    world.plans.saveTasks(slug, {
      ...buildTasks(state, slug),
      confirmed_at: state.papers?.tasks?.at ?? state.createdAt,
    }),
  /** A run without a plan has nothing to amend: its own record tells the change. */
  async amend(world, state, slug) {
    const amendment = findAmendment(state);
    if (!amendment || slug === "" || !(await world.plans.read(slug))) return;
    await world.plans.amend(slug, amendment);
  },
};

function buildTasks(state: State, slug: string): PlanTasks {
  const tasks = parsePlanTasks(state.papers?.tasks?.value);
  if (tasks.length === 0) throw new Failure("plan.no-tasks", "there are no tasks to keep", {});
  return { plan: getPlanId(slug), from: "planner", tasks };
}

function buildPlan(state: State, slug: string, { committed_at }: Pick<Plan, "committed_at">): Plan {
  const { title, ...value } = state.papers?.plan?.value ?? {};
  const text = check(PlanText, value);
  if (!text.ok) throw new Failure("plan.no-paper", "no plan was handed in", {});
  return {
    id: getPlanId(slug),
    slug,
    title: clip(String(title ?? state.task.title), 300),
    committed: committed_at !== undefined,
    ...text.value,
    created_at: state.createdAt,
    ...(committed_at ? { committed_at } : {}),
  };
}

function findAmendment({ papers, bubbleId, program }: State): Amendment | undefined {
  const paper = papers?.refinement ?? papers?.decomposition;
  if (!paper) return undefined;
  const { diagnosis, change } = paper.value;
  const { original_task_id: task = "" } = program.payload ?? {};
  return {
    bubble: bubbleId,
    at: paper.at,
    by: clip(program.id, 60),
    task: clip(String(task), 80),
    diagnosis: clip(String(diagnosis ?? ""), 8000),
    change: clip(String(change ?? ""), 8000),
  };
}

/** What a human has to know about; a machine that fails is tried again. */
async function findProblem(keep: () => Promise<void>): Promise<string | undefined> {
  try {
    await keep();
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code.startsWith("plan.")) return error.message;
    if (typeof error === "object" && error !== null && "code" in error && "message" in error)
      if (String(error.code).startsWith("plan.")) return String(error.message);
    throw error;
  }
}
