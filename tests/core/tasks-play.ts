// Workflows of tasks played in memory: pe drives and architect challenges, unless the document says otherwise.
import type { Program } from "../../src/core/model/program.ts";
import type { Opinion } from "../../src/core/model/review/verdict.ts";
import { createScenarioBubble, type Scenario } from "../../src/testing/scenario.ts";
import { configOf, testGate } from "./pair.ts";
import { loaded } from "./workflow-written.ts";

const agents = {
  ...{ implementer: "alice", reviewer: "bob", pe: "pe", architect: "architect", dev: "dev" },
  ...{ judge: "judge", critic: "critic" },
};

export const programOf = (document: string): Program => loaded(document, "work", { agents }).program;

/** A started bubble that runs this document. */
export function playing(document: string, config: Parameters<typeof configOf>[0] = {}): Scenario {
  return createScenarioBubble({
    config: configOf({ agents, ...config }),
    program: programOf(document),
    gates: [testGate],
  }).started();
}

/** A pair as one task `design`; further lines of the pair, of other overlays, of the task, and other tasks. */
export function pairDocument({
  pair = "",
  overlays = "",
  task = "",
  tasks = "",
}: Partial<Record<"pair" | "overlays" | "task" | "tasks", string>> = {}): string {
  const indented = (text: string, by: number) => text.trim().replaceAll(/^/gm, " ".repeat(by));
  return [
    "tasks:",
    "  design:",
    "    agent: pe",
    ...(task ? [indented(task, 4)] : []),
    "    overlays:",
    "      paired_workflow:",
    "        enabled: true",
    "        driver_agent: pe",
    "        challenger_agent: architect",
    ...(pair ? [indented(pair, 8)] : []),
    ...(overlays ? [indented(overlays, 6)] : []),
    ...(tasks ? [indented(tasks, 2)] : []),
    "",
  ].join("\n");
}

/** What a critic says beside its findings. */
export const opinion = (decision: Opinion["decision"], more: Partial<Opinion> = {}): Opinion => ({
  dialect: "challenge",
  decision,
  sop_review: [],
  patterns: [],
  ...more,
});

/** Whose turns there were, in order. */
export const turnsOf = ({ log }: Scenario): string[] =>
  log.flatMap((line) =>
    line.type === "TURN_STARTED" && line.payload.attempt === 1
      ? [`${line.payload.role} ${line.payload.agent}`]
      : [],
  );

/** What each task has come to. */
export const endsOf = ({ log }: Scenario): string[] =>
  log.flatMap((line) => (line.type === "TASK_ENDED" ? [`${line.payload.task} ${line.payload.status}`] : []));
