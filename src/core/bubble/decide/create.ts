// A bubble begins: its configuration, workflow and test profile are pinned on the record.

import type { CommandOf } from "../../model/command.ts";
import type { BubbleConfig } from "../../model/config.ts";
import type { Program } from "../../model/program.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import type { State } from "../../model/state.ts";
import { omitUndefined } from "../../model/value/defined.ts";
import type { RefereeDecision } from "../decision.ts";

export function decideCreate(state: State | undefined, command: CommandOf<"create">): RefereeDecision {
  if (state)
    return {
      drafts: [],
      refusal: refuse(
        "bubble.exists",
        `bubble ${state.bubbleId} exists already`,
        `pairflow bubble status --id ${state.bubbleId}`,
      ),
    };
  const { config, program, profile, base_commit, task, workflow_artifact, knowledge } = command;
  const { document, parent, lineage, salvaged, continues } = command;
  const unbound = checkRolesBound(program, config);
  if (unbound) return { drafts: [], refusal: unbound };
  return {
    drafts: [
      {
        type: "BUBBLE_CREATED",
        sender: "human",
        recipient: "orchestrator",
        round: 0,
        payload: {
          config,
          program,
          profile,
          base_commit,
          task,
          workflow_artifact,
          ...omitUndefined({ knowledge, document, parent }),
          ...(lineage?.length ? { lineage } : {}),
          ...omitUndefined({ salvaged, continues }),
        },
        refs: [task.artifact, workflow_artifact, ...(knowledge ? [knowledge.artifact] : [])].map(
          (name) => `artifact://${name}`,
        ),
      },
    ],
  };
}

/** Every role that has a turn needs an agent. */
export function checkRolesBound(program: Program, config: BubbleConfig): Refusal | undefined {
  const unbound = program.steps.flatMap((step) =>
    step.kind === "turn" && step.task === undefined && !config.agents[step.role] ? [step.role] : [],
  );
  if (unbound.length === 0) return undefined;
  return refuse(
    "workflow.role-unbound",
    `workflow ${program.id} needs an agent for: ${[...new Set(unbound)].join(", ")}`,
    "set it in bubble.toml under [agents]",
  );
}
