// How the run came here: without convergence, with tasks that a human accepted, that ran out of rounds or were not done.
import type { State } from "../../model/state.ts";
import { runTasks } from "../../state/tasks.ts";
import { listWork } from "../../state/work.ts";
import { type SentenceRule, type Sentences, sayOne } from "../sentence.ts";

const noConvergence: SentenceRule = {
  code: "run.no-convergence",
  appears: "a human chose `accept` before the loop converged",
  say: ({ convergence, result, position }) =>
    sayOne(
      convergence || result || position.outcome !== "accept"
        ? undefined
        : "accepted by a human without convergence",
      { why: position.why },
    ),
};

const accepted: SentenceRule = {
  code: "run.accepted",
  appears: "a human accepted the whole run, in a workflow whose tasks were not accepted one by one",
  say: ({ convergence, result, tasks = {} }) => {
    const isByTask = Object.values(tasks).some(
      ({ status, accepted: taken }) => taken || status === "accepted",
    );
    const isAccepted = !convergence && result?.result === "accepted" && !isByTask;
    return sayOne(isAccepted ? `accepted by a human: ${result.why}` : undefined, { why: result?.why });
  },
};

/** Says something of each task or phase that stands so. */
const sayOfEach = (
  state: State,
  is: (status: string) => boolean,
  say: (key: string, rounds: number) => string,
): Sentences =>
  runTasks(state)
    .filter(({ status }) => is(status))
    .map(({ key, iterations }) => ({ text: say(key, iterations), facts: { task: key, iterations } }));

const formatIterations = (rounds: number) => `${rounds} ${rounds === 1 ? "iteration" : "iterations"}`;

const taskAccepted: SentenceRule = {
  code: "task.accepted",
  appears: "a human accepted a task as it was, before its reviewer or its conditions did",
  say: (state) =>
    sayOfEach(
      state,
      (status) => status === "accepted",
      (key, rounds) => `a human accepted the task ${key} as it was after ${formatIterations(rounds)}`,
    ),
};

const taskExceeded: SentenceRule = {
  code: "task.exceeded",
  appears: "a task used up its rounds and nobody was asked",
  say: (state) =>
    sayOfEach(
      state,
      (status) => status === "exceeded",
      (key, rounds) => `the task ${key} was not completed in ${formatIterations(rounds)}`,
    ),
};

const taskNotDone: SentenceRule = {
  code: "task.not-done",
  appears: "a task of the workflow was skipped or never begun",
  say: (state) =>
    sayOfEach(
      state,
      (status) => status === "skipped" || status === "waiting",
      (key) => `the task ${key} was not done`,
    ),
};

const child: SentenceRule = {
  code: "task.child",
  appears:
    "a task was done in a bubble of its own, and there was something to know of that; the sentences are its own",
  say: (state) =>
    listWork(state).flatMap(([key, { know = [] }]) =>
      know.map(({ code, text }) => ({ text: `${key}: ${text}`, facts: { task: key, code } })),
    ),
};

export const taskSentences: readonly SentenceRule[] = [
  noConvergence,
  accepted,
  taskAccepted,
  taskExceeded,
  taskNotDone,
  child,
];
