// A human took a step back: what rested on it counts no more.

import type { Step } from "../../model/program.ts";
import type { EnvelopeOf } from "../../model/record/envelope.ts";
import type { TaskProgress } from "../../model/run.ts";
import type { State } from "../../model/state.ts";
import { findStep, findTask, getCurrentTask } from "../../state/workflow-position.ts";
import { countExtraRounds, dropTaskEnd, dropTaskJudgement, resumeTaskRounds } from "./tasks/progress.ts";

/** A step and what rests on it are taken back: its tasks are open again, and their locks and signatures are gone. */
export function applyStepRedone(state: State, { payload, seq }: EnvelopeOf<"STEP_REDONE">): State {
  const gone = new Set(payload.tasks);
  const kept = Object.entries(state.tasks ?? {}).filter(([key]) => !gone.has(key));
  const step = findStep(state, payload.step);
  const own = step?.task;
  const known = own === undefined ? undefined : state.tasks?.[own];
  const { convergence: _claimed, result: _result, approval: _approval, ...rest } = state;
  const tasks = Object.fromEntries(kept);
  return {
    ...dropEvidence(rest, step),
    ...(state.tasks
      ? {
          tasks:
            own && known
              ? {
                  ...tasks,
                  [own]: {
                    ...openAgain(resumeTaskRounds(known, state.round), step),
                    status: "running",
                    changed: seq,
                  },
                }
              : tasks,
        }
      : {}),
    ...returnTo(state, step),
    steps: dropSignatures(state, new Set([...gone, ...(own && !isAfterSignature(step) ? [own] : [])])),
    locks: (state.locks ?? []).filter(({ task }) => task !== own && !(task && gone.has(task))),
    progress: { key: "", repeats: 0 },
    questions: [],
  };
}

/** What comes after a human's word about this tree: done again, it still rests on that word. */
const isAfterSignature = (step: Step | undefined) => step?.kind === "lock" || step?.kind === "done";

/** Locked or ended anew, the task still rests on what a human accepted. */
function openAgain(known: TaskProgress, step: Step | undefined): TaskProgress {
  const stays = known.accepted && isAfterSignature(step);
  const open = step?.kind === "turn" ? dropTaskJudgement(dropTaskEnd(known)) : dropTaskEnd(known);
  return stays ? { ...open, accepted: true } : open;
}

/** What the step found out is found out anew; what it rests on stays. */
function dropEvidence(state: State, step: Step | undefined): State {
  if (step?.kind === "turn") return { ...state, reviews: [] };
  if (step?.kind === "context" && state.tree) {
    const { context: _context, ...tree } = state.tree;
    return { ...state, tree };
  }
  if (step?.kind !== "gates") return state;
  const { gates: _gates, ...rest } = state;
  return rest;
}

/** Back in another task its own roles hold; and what a human takes back has a round, whatever was spent. */
function returnTo(state: State, step: Step | undefined): Partial<State> {
  const task = findTask(state, step?.task);
  const isHere = task === getCurrentTask(state);
  const makes = step?.kind === "turn" && (step.answer === "handoff" || step.answer === "paper");
  const wanted = countExtraRounds(state, task?.key, state.round + (makes ? 1 : 0));
  return {
    roles: isHere || !task ? state.roles : { ...state.config.agents, ...task.roles },
    extraRounds: Math.max(isHere ? state.extraRounds : 0, wanted),
  };
}

/** A signature is for work that stands: the answers given in these tasks count no more. */
function dropSignatures(
  { program, steps = {} }: State,
  tasks: ReadonlySet<string>,
): NonNullable<State["steps"]> {
  const asked = program.steps.filter(({ kind, task }) => kind === "question" && task && tasks.has(task));
  const names = new Set(asked.map(({ name }) => name));
  return Object.fromEntries(Object.entries(steps).filter(([name]) => !names.has(name)));
}
