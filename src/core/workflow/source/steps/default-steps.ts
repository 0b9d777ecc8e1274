// The steps that every run ends with where the source does not define them: a limit of rounds, an end, a signature.
import type { BubbleConfig } from "../../../model/config.ts";
import type { Loop, Step } from "../../../model/program.ts";
import { expandRoutes } from "../tasks/steps.ts";
import type { StepsDocument } from "./schema.ts";

interface Closing {
  readonly ends: boolean;
  readonly endName: string;
  readonly approval: string;
  readonly hasApproval: boolean;
  readonly exhausted?: string;
}

export function buildClosingSteps({ ends, endName, approval, hasApproval, exhausted }: Closing): Step[] {
  const accepted = { approved: approval, accepted: approval, completed: approval };
  return expandRoutes(undefined, [
    ...(exhausted === undefined
      ? []
      : [
          {
            name: exhausted,
            kind: "question",
            ask: "exhausted",
            on: { accept: endName, continue: "$resume", reject: "$cancel" },
          } as const,
        ]),
    ...(ends
      ? [
          {
            name: endName,
            kind: "end",
            on: { ...accepted, rejected: "$cancel", routed: "$cancel" },
          } as const,
        ]
      : []),
    ...(ends && !hasApproval ? [{ name: approval, kind: "approval", on: {} } as const] : []),
  ]);
}

/** The loop of steps that say nothing about one: who hands in work first, and who judges first. */
export function buildDefaultLoop(
  { max_iterations }: StepsDocument,
  { max_rounds }: BubbleConfig,
  roles: { readonly producer: string | undefined; readonly critic: string | undefined },
  exhausted: string,
): Loop {
  return {
    producer: roles.producer ?? "developer",
    ...(roles.critic === undefined ? {} : { critic: roles.critic }),
    max_rounds: max_iterations ?? max_rounds,
    clean_passes: 1,
    role_switch: "never",
    exhausted,
    dialect: "verdict",
  };
}
