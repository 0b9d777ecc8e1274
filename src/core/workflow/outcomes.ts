// What can come of each kind of step. Every outcome needs a route, and no other word may have one.
import type { Step } from "../model/program.ts";
import type { StepQuestion } from "../model/record/question-kind.ts";

/** The outcomes of a step: those that must have a route, and those that may. */
export interface Outcomes {
  readonly wanted: readonly string[];
  readonly allowed: readonly string[];
}

/** The rules a `check` step can name. */
export const checks: Readonly<Record<string, Outcomes>> = {
  convergence: allowOnly(
    "gates",
    "review",
    "unsure",
    "dispute",
    "revise",
    "stuck",
    "tie_break",
    "swap",
    "package",
    "converged",
  ),
  exit: allowOnly("gates", "review", "unsure", "dispute", "revise", "switch", "stuck", "subtask", "exit"),
  /** A chain of critics that continues after an objection. */
  chain: {
    wanted: ["gates", "review", "unsure", "dispute", "revise", "stuck", "passed"],
    allowed: ["misscoped", "architectural", "too_big"],
  },
  /** A task that nobody reviews cannot be sent to a review. */
  policy: { wanted: ["passed", "failed", "signoff"], allowed: ["review"] },
};

/** The questions a step can ask, with the answers a human can give. */
export const questionOutcomes: Readonly<Record<string, readonly string[]>> = {
  exhausted: ["accept", "continue", "reject"],
  stuck: ["accept", "continue", "reject"],
  unsure: ["trust", "again", "reject"],
  dispute: ["waive", "uphold"],
  "tie-break": ["waive", "fix"],
  "sign-off": ["approve", "rework", "reject"],
  signal: ["accept", "continue", "reject"],
  conflict: ["turn", "reject"],
  "child-failed": ["continue", "reject"],
  commands: ["allow", "refuse"],
  "too-often": ["continue", "reject"],
} satisfies Record<StepQuestion, readonly string[]>;

type ByKind = { readonly [K in Step["kind"]]: (step: Extract<Step, { kind: K }>) => Outcomes };

const byKind: ByKind = {
  /** A turn without `fail` ends in a question to a human when its agent gives no answer. */
  turn: () => ({ wanted: ["success", "refused"], allowed: ["fail"] }),
  gates: () => allowOnly("success", "fail"),
  context: () => allowOnly("success", "fail"),
  validate: () => allowOnly("success", "fail"),
  check: ({ check }) => (Object.hasOwn(checks, check) ? checks[check] : undefined) ?? allowOnly(),
  branch: () => allowOnly("yes", "no"),
  question: ({ ask }) =>
    allowOnly(...((Object.hasOwn(questionOutcomes, ask) ? questionOutcomes[ask] : undefined) ?? [])),
  start: () => allowOnly("success", "fail"),
  /** The tasks of a paper come in groups; `done`: none is left. */
  children: ({ from }) => allowOnly("joined", "conflict", "failed", ...(from === undefined ? [] : ["done"])),
  plan: () => allowOnly("kept", "refused"),
  adopt: () => allowOnly("adopted", "unapproved"),
  emit: () => allowOnly("done"),
  lock: () => allowOnly("locked"),
  wait: () => allowOnly("done"),
  score: () => allowOnly("scored"),
  done: () => allowOnly("next"),
  end: () => allowOnly("approved", "accepted", "completed", "rejected", "routed"),
  approval: () => allowOnly(),
};

/** A step that is entered only under a condition has one outcome more. */
export function listOutcomes(step: Step): Outcomes {
  const { wanted, allowed } = (byKind[step.kind] as (step: Step) => Outcomes)(step);
  return { wanted: step.when === undefined ? wanted : [...wanted, "unmet"], allowed };
}

function allowOnly(...wanted: readonly string[]): Outcomes {
  return { wanted, allowed: [] };
}
