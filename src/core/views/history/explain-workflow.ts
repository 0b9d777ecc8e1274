// What the workflow itself did, in sentences for `explain`: tasks that began and ended, steps that were taken back, children, and
// the result of the run.
import type { Envelope, PayloadOf } from "../../model/record/envelope.ts";
import { taskEnds } from "../../state/tasks.ts";

/** Undefined for what tells nothing about why the run went the way it did. */
export function explainWorkflow(envelope: Envelope): string | undefined {
  switch (envelope.type) {
    case "TASK_STARTED": {
      const { task, roles } = envelope.payload;
      const who = Object.entries(roles).map(([role, agent]) => `${agent} is ${role}`);
      return `task ${task} began${who.length > 0 ? `: ${who.join(", ")}` : ""}`;
    }
    case "TASK_ENDED": {
      const { task, status, flag, iterations, why } = envelope.payload;
      const count =
        iterations > 0 ? ` after ${iterations} ${iterations === 1 ? "iteration" : "iterations"}` : "";
      return `task ${task} ${taskEnds[status]}${count}${flag ? ` (${flag})` : ""}: ${why}`;
    }
    case "STEP_REDONE": {
      const { step, tasks, reason, via } = envelope.payload;
      const rest = tasks.length > 0 ? ` with everything that rests on it (${tasks.join(", ")})` : "";
      return `a human took back ${step}${rest} by ${via}: ${reason}`;
    }
    case "UNLOCKED":
      return `a human unlocked ${envelope.payload.paths.join(", ")} by ${envelope.payload.via}: ${envelope.payload.reason}`;
    case "CHILD_REPORTED":
      return `child ${envelope.payload.key} ${envelope.payload.status}: ${envelope.payload.why}`;
    case "JOINED":
      return explainJoin(envelope.payload);
    case "BASE_UPDATE_WANTED":
      return `a human wanted ${envelope.payload.branch} ${envelope.payload.to.slice(0, 10)} in the work by ${envelope.payload.via}`;
    case "BASE_UPDATED":
      return explainBaseUpdate(envelope.payload);
    case "RUN_RESULT": {
      const { result, why, to } = envelope.payload;
      return `the run is ${result}${to ? ` to ${to}` : ""}: ${why}`;
    }
    default:
      return undefined;
  }
}

function explainJoin({
  children,
  conflicts,
}: {
  readonly children: readonly string[];
  readonly conflicts: readonly string[];
}): string {
  const merged = `what ${children.join(", ")} made is one tree`;
  return conflicts.length > 0 ? `${merged}, with conflicts in ${conflicts.join(", ")}` : merged;
}

function explainBaseUpdate({ to, conflicts }: PayloadOf<"BASE_UPDATED">): string {
  const merged = `the work stands on ${to.slice(0, 10)} now; what was judged before counts no more`;
  return conflicts.length > 0 ? `${merged}; conflicts in ${conflicts.join(", ")}` : merged;
}
