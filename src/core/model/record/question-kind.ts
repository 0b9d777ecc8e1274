// What a human can be asked. A record may hold a kind of a newer Pairflow: readers show it by its words and options.

/** Asked by a step of a workflow. */
export type StepQuestion =
  | "exhausted"
  | "stuck"
  | "unsure"
  | "dispute"
  | "tie-break"
  | "sign-off"
  | "signal"
  | "conflict"
  | "child-failed"
  | "commands"
  | "too-often";

export type QuestionKind =
  | StepQuestion
  /** By an agent, in its own words. */
  | "agent"
  /** About a turn that does not come to its end. */
  | "refused"
  | "lost-agent"
  | "undelivered"
  | "watchdog"
  | "timeout"
  | "budget"
  /** About gates and what is around the work. */
  | "base-gates"
  | "gates"
  | "final-gates"
  | "context"
  | "tree-changed"
  | "git-settings"
  | "pair-corrupt"
  | "depth"
  | "comprehension";
