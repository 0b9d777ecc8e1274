// What follows when tasks run side by side: their trees become one, and one critic judges what they made together.
import type { BubbleConfig } from "../../../model/config.ts";
import type { ProgramTask, Step } from "../../../model/program.ts";
import type { TasksDocument } from "./schema.ts";
import { buildLoopSteps, expandRoutes, limitSteps } from "./steps.ts";

/** Names that tasks of a workflow cannot have: these steps are made for every workflow that needs them. */
export const takenKeys = ["join", "children", "approval"] as const;

const producer = "integrator";
const critic = "reviewer";
const key = "join";

export interface Join {
  readonly task: ProgramTask;
  readonly steps: readonly Step[];
}

export function buildJoin(
  document: TasksDocument,
  tasks: readonly ProgramTask[],
  config: BubbleConfig,
  bound: (name: string) => string,
): Join {
  const [first] = tasks;
  const integrator = document.join.agent ? bound(document.join.agent) : (findProducer(first) ?? "");
  const reviewer = document.join.reviewer
    ? bound(document.join.reviewer)
    : getCritic(integrator, tasks, config);
  return {
    task: {
      key,
      title: "What the parallel tasks made together",
      criteria: [],
      first: "join/gates",
      depends_on: tasks.map((task) => task.key),
      roles: { [producer]: integrator, [critic]: reviewer },
      loop: {
        producer,
        critic,
        max_rounds: document.join.max_iterations ?? 3,
        clean_passes: 1,
        role_switch: "never",
        exhausted: "join/exhausted",
        exit: ["review.decision == GO"],
        dialect: "decision",
      },
      hil: { enabled: true, requires_human: false },
      joins: true,
    },
    steps: [...listChildrenSteps(document), ...joinSteps()],
  };
}

const findProducer = (task: ProgramTask | undefined) => task?.roles[task.loop.producer];

/** The critic of the last loop, or another one of the settings that is not the integrator. */
function getCritic(integrator: string, tasks: readonly ProgramTask[], { agents }: BubbleConfig): string {
  const last = tasks.flatMap(({ loop, roles }) => (loop.critic ? [roles[loop.critic] ?? ""] : [])).at(-1);
  const candidates = [last, agents.reviewer, agents.implementer].filter((name) => name !== undefined);
  return candidates.find((name) => name !== integrator) ?? integrator;
}

function listChildrenSteps({ max_concurrent, join }: TasksDocument): Step[] {
  const conflict =
    join.on_conflict === "turn" ? ({ to: key, round: "next" } as const) : ("join/conflict" as const);
  return expandRoutes(undefined, [
    {
      name: "children",
      kind: "children",
      children: [],
      wait: "all",
      max_concurrent,
      on: { joined: "join/gates", conflict, failed: "children/failed" },
    },
    {
      name: "children/failed",
      kind: "question",
      ask: "child-failed",
      on: { continue: "$next", reject: "$cancel" },
    },
    ...(join.on_conflict === "turn"
      ? []
      : [
          {
            name: "join/conflict",
            kind: "question",
            ask: "conflict",
            task: key,
            on: { turn: { to: key, round: "next" }, reject: "$cancel" },
          } as const,
        ]),
  ]);
}

function joinSteps(): Step[] {
  const plan = { key, hil: true, swapsAtSubtasks: false, scored: false };
  return expandRoutes(key, [
    {
      name: key,
      kind: "turn",
      role: producer,
      session: "resumed",
      answer: "handoff",
      on: { success: "join/gates", refused: key },
    },
    {
      name: "join/gates",
      kind: "gates",
      on: { success: "join/judge", fail: { to: key, round: "next" } },
    },
    ...buildLoopSteps(plan, critic, "join/done", "join/done"),
    ...limitSteps(plan, "join/done"),
    { name: "join/done", kind: "done", status: "completed", on: { next: "$next" } },
  ]);
}
