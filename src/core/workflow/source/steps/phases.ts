// The phases of a workflow of steps: parts that are entered and left by routes, each with a loop and a budget of its own.
import type { BubbleConfig } from "../../../model/config.ts";
import type { ProgramTask, Step } from "../../../model/program.ts";
import { suggestWord } from "../../../text/nearest.ts";
import type { WorkflowProblem } from "../../problem.ts";
import { findAgentInChain } from "../agents.ts";
import type { StepsDocument } from "./schema.ts";

type Written = { readonly step: Readonly<Record<string, unknown>> };

/** Undefined: the workflow has none. */
export function buildPhases(
  { phases }: StepsDocument,
  made: readonly Written[],
  config: BubbleConfig,
): ProgramTask[] | undefined {
  if (!phases) return undefined;
  return Object.entries(phases).map(([key, { title, ...loop }]) => ({
    key,
    ...(title === undefined ? {} : { title }),
    criteria: [],
    first: String(made.find(({ step }) => step.task === key)?.step.name ?? ""),
    depends_on: [],
    roles: {},
    loop: {
      ...loop,
      ...(loop.chain
        ? {
            chain: loop.chain.map((name) => findAgentInChain(name, config, loop.critic) ?? name),
            chain_names: loop.chain_names ?? loop.chain,
          }
        : {}),
    },
    hil: { enabled: true, requires_human: false },
  }));
}

export function checkPhases({ phases }: StepsDocument, steps: readonly Step[]): WorkflowProblem[] {
  const keys = Object.keys(phases ?? {});
  const unknown = steps.flatMap((step, i) =>
    step.task === undefined || keys.includes(step.task)
      ? []
      : [
          {
            path: ["steps", i, "phase"],
            message: `there is no phase ${step.task}${suggestWord(step.task, keys)}`,
          },
        ],
  );
  return [
    ...unknown,
    ...keys.flatMap((key) => listProblems(key, phases?.[key], steps)),
    ...steps.flatMap((step, i) => checkChain(step, i, phases)),
  ];
}

/** The judge of a chain that continues has nothing to judge elsewhere: nothing would ever be passed. */
function checkChain(step: Step, i: number, phases: StepsDocument["phases"]): WorkflowProblem[] {
  if (step.kind !== "check" || step.check !== "chain") return [];
  const phase = step.task === undefined ? undefined : phases?.[step.task];
  if (phase?.chain_order === "go_on") return [];
  return [
    {
      path: ["steps", i, "check"],
      message: "check: chain is for a phase with a chain of critics that continues",
      hint: "give its phase a chain and chain_order: go_on",
    },
  ];
}

type Phase = NonNullable<StepsDocument["phases"]>[string];

function listProblems(key: string, phase: Phase | undefined, steps: readonly Step[]): WorkflowProblem[] {
  const path = ["phases", key];
  const own = steps.filter(({ task }) => task === key);
  if (!phase || own.length === 0) return [{ path, message: `no step belongs to the phase ${key}` }];
  const turns = own.flatMap((step) => (step.kind === "turn" ? [step] : []));
  const makes = turns.filter(({ answer }) => answer === "handoff" || answer === "paper");
  const judges = turns.filter(({ answer }) => answer === "findings");
  const missing = (
    what: "producer" | "critic",
    role: string,
    found: readonly { role: string }[],
  ): WorkflowProblem[] =>
    found.some((turn) => turn.role === role)
      ? []
      : [{ path: [...path, what], message: `no turn of the phase ${key} is the ${role}'s` }];
  return [
    ...missing("producer", phase.producer, makes),
    ...(phase.critic === undefined ? [] : missing("critic", phase.critic, judges)),
    ...judges
      .filter(({ role }) => role !== phase.critic)
      .map(({ role }) => ({ path, message: `${role} judges in the phase ${key} and is not its critic` })),
    ...(phase.critic === phase.producer
      ? [{ path: [...path, "critic"], message: `${phase.producer} would judge its own work` }]
      : []),
    ...(phase.chain ?? []).flatMap((name, i) =>
      name === phase.producer
        ? [{ path: [...path, "chain", i], message: `${name} would judge its own work` }]
        : [],
    ),
    ...(phase.chain_order === "go_on" && !phase.chain
      ? [{ path: [...path, "chain_order"], message: "there is no chain of critics to continue with" }]
      : []),
    ...own.flatMap((step): WorkflowProblem[] =>
      step.kind === "turn" && step.answer === "paper" && step.paper === undefined
        ? [{ path, message: `the turn ${step.name} does not say which paper it hands in` }]
        : [],
    ),
  ];
}
