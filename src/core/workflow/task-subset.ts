// One task of a workflow as a program of its own: what a child bubble runs when tasks are worked on side by side.
import type { Program, Step } from "../model/program.ts";
import { assertInvariant } from "../model/refusal.ts";

/** The steps of the task and what comes behind the last task; nothing it has to wait for. */
export function selectTaskProgram(program: Program, key: string): Program {
  const task = program.tasks?.find((one) => one.key === key);
  assertInvariant(task, `workflow ${program.id} has no task ${key}`);
  const { max_concurrent: _alone, ...rest } = program;
  return {
    ...rest,
    start: task.first,
    loop: task.loop,
    steps: selectSteps(program, key),
    tasks: [{ ...task, depends_on: [] }],
  };
}

/** In the program's own order. Steps of no task stay if the task leads to them, or every run reaches them. */
function selectSteps({ steps }: Program, key: string): Step[] {
  const kept = new Set(steps.filter((step) => step.task === key || isEnd(step)));
  for (const step of kept)
    for (const { to } of Object.values(step.on)) {
      const next = steps.find(({ name, task }) => name === to && task === undefined);
      if (next) kept.add(next);
    }
  return steps.filter((step) => kept.has(step));
}

const isEnd = ({ kind, task }: Step) => task === undefined && (kind === "approval" || kind === "end");
