// The steps of one task: its producer's turn, the gates, and around them what its overlays add: a score, a loop with a
// critic, the policy of its tier, a signature, the lock of what it made.
import type { Route, Step } from "../../../model/program.ts";

/** A step as it is spelled here: routes may be bare names. */
type Spelled = { readonly name: string; readonly kind: Step["kind"]; readonly on: Spellings } & Readonly<
  Record<string, unknown>
>;
type Spellings = Readonly<Record<string, string | Partial<Route>>>;

/** What of a task decides how its steps look. */
export interface TaskPlan {
  readonly key: string;
  readonly producer: string;
  readonly critic?: string;
  /** The task's own words for the producer's turn. */
  readonly prompt?: string;
  readonly scored: boolean;
  /** The role that judges, where an agent is asked for a score. */
  readonly judge?: string;
  readonly hil: boolean;
  readonly locks: boolean;
  /** Roles change when a subtask is done. */
  readonly swapsAtSubtasks: boolean;
}

export function buildTaskSteps(plan: TaskPlan): Step[] {
  const { key, critic, locks } = plan;
  const own = (name: string) => `${key}/${name}`;
  const again = { to: key, round: "next" } as const;
  const afterGates = plan.critic === undefined ? own("policy") : own("judge");
  const finished = locks ? own("lock") : own("done");
  return expandRoutes(key, [
    buildTurn(plan),
    { name: own("gates"), kind: "gates", on: { success: getFirstAfterGates(plan, afterGates), fail: again } },
    ...listScoreSteps(plan, afterGates),
    ...(critic === undefined ? [] : buildLoopSteps(plan, critic, own("policy"), finished)),
    {
      name: own("policy"),
      kind: "check",
      check: "policy",
      on: {
        passed: finished,
        ...(critic === undefined ? {} : { review: own("review") }),
        failed: again,
        signoff: own("sign-off"),
      },
    },
    {
      name: own("sign-off"),
      kind: "question",
      ask: "sign-off",
      on: { approve: finished, rework: again, reject: "$cancel" },
    },
    ...limitSteps(plan, finished),
    ...(locks ? [{ name: own("lock"), kind: "lock", on: { locked: own("done") } } as const] : []),
    { name: own("done"), kind: "done", status: "completed", on: { next: "$next" } },
  ]);
}

const buildTurn = ({ key, producer, prompt }: TaskPlan): Spelled => ({
  name: key,
  kind: "turn",
  role: producer,
  session: "resumed",
  answer: "handoff",
  ...(prompt === undefined ? {} : { prompt }),
  on: { success: `${key}/gates`, refused: key },
});

/** Where green gates lead: to the score, by way of the agent that is asked for one, or straight on. */
function getFirstAfterGates({ key, scored, judge }: TaskPlan, next: string): string {
  if (!scored) return next;
  return judge === undefined ? `${key}/score` : `${key}/judge-turn`;
}

function listScoreSteps({ key, scored, judge }: TaskPlan, next: string): Spelled[] {
  if (!scored) return [];
  const turn = `${key}/judge-turn`;
  const asked: Spelled = {
    name: turn,
    kind: "turn",
    role: judge,
    session: "fresh",
    answer: "score",
    on: { success: `${key}/score`, refused: turn },
  };
  return [
    ...(judge === undefined ? [] : [asked]),
    { name: `${key}/score`, kind: "score", on: { scored: next } },
  ];
}

/** The loop with a critic: what the rule `exit` can say, the review, and the questions that only a human answers. */
export function buildLoopSteps(
  { key, hil, swapsAtSubtasks, scored }: Pick<TaskPlan, "key" | "hil" | "swapsAtSubtasks" | "scored">,
  critic: string,
  exit: string,
  accepted: string,
): Spelled[] {
  const own = (name: string) => `${key}/${name}`;
  const again = { to: key, round: "next" } as const;
  return [
    {
      name: own("judge"),
      kind: "check",
      check: "exit",
      on: {
        gates: own("gates"),
        review: own("review"),
        unsure: own("unsure"),
        dispute: own("dispute"),
        revise: again,
        switch: { ...again, roles: "swap" },
        stuck: hil ? own("stuck") : own("exceeded"),
        subtask: swapsAtSubtasks ? { ...again, roles: "swap" } : again,
        exit,
      },
    },
    {
      name: own("review"),
      kind: "turn",
      role: critic,
      session: "fresh",
      answer: "findings",
      // A review is evidence too: the score is taken once more.
      on: { success: scored ? own("score") : own("judge"), refused: own("review") },
    },
    {
      name: own("unsure"),
      kind: "question",
      ask: "unsure",
      on: { trust: own("judge"), again: own("review"), reject: "$cancel" },
    },
    { name: own("dispute"), kind: "question", ask: "dispute", on: { waive: own("judge"), uphold: again } },
    ...(hil
      ? [
          {
            name: own("stuck"),
            kind: "question",
            ask: "stuck",
            on: { accept: accepted, continue: again, reject: "$cancel" },
          } as const,
        ]
      : []),
  ];
}

/** What comes when the rounds are used up: a human, or the end of a task that is not completed. */
export function limitSteps({ key, hil }: Pick<TaskPlan, "key" | "hil">, accepted: string): Spelled[] {
  if (!hil) return [{ name: `${key}/exceeded`, kind: "done", status: "exceeded", on: { next: "$next" } }];
  return [
    {
      name: `${key}/exhausted`,
      kind: "question",
      ask: "exhausted",
      on: { accept: accepted, continue: "$resume", reject: "$cancel" },
    },
  ];
}

export const nameExhaustedStep = ({ key, hil }: Pick<TaskPlan, "key" | "hil">) =>
  hil ? `${key}/exhausted` : `${key}/exceeded`;

/** The whole routes of steps that are spelled short, all of one task. */
export function expandRoutes(task: string | undefined, steps: readonly Spelled[]): Step[] {
  return steps.map((step) => {
    const on = Object.entries(step.on).map(([outcome, route]) => [outcome, buildRoute(route)]);
    return {
      ...step,
      ...(task === undefined ? {} : { task }),
      on: Object.fromEntries(on),
    } as unknown as Step;
  });
}

const buildRoute = (route: string | Partial<Route>) => ({
  round: "same",
  roles: "keep",
  ...(typeof route === "string" ? { to: route } : route),
});
