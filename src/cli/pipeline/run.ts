// Starting a pipeline, and driving one from this terminal until it waits for a person or is over.

import { readProjectConfig } from "../../app/config/project.ts";
import { requireRepo } from "../../app/host/locate.ts";
import { readBoundAgents } from "../../app/making/agents.ts";
import { nameAfterWords } from "../../app/making/names.ts";
import type { AskedBubble } from "../../app/making/wanted.ts";
import { ensureDriver, waitUntilDriven } from "../../app/operate/driver.ts";
import { buildCast } from "../../app/pipeline/cast.ts";
import { readPipelineConfig } from "../../app/pipeline/config.ts";
import { loadCallState, type OperatorCall } from "../../app/trust/operator-call.ts";
import { createWorld } from "../../app/world/world.ts";
import { omitUndefined } from "../../core/model/value/defined.ts";
import { getCurrentTask, getIteration } from "../../core/state/workflow-position.ts";
import { buildPipelineReport } from "../../core/views/pipeline/report.ts";
import { readPipeline } from "../../engine/front/views.ts";
import { answerHere } from "../answer/here.ts";
import { newBubbleFlags } from "../new-bubble/flags.ts";
import { makeBubbleHere } from "../new-bubble/new-bubble.ts";
import { confirmAt } from "../operator/trust.ts";
import { renderReport } from "../render/pipeline.ts";
import { startTelling } from "../screens/start-here.ts";
import { createStopSignal } from "../terminal/interrupt.ts";
import { shortenPath } from "../terminal/style.ts";
import type { CommandResult, Shell, Values } from "../verb/declaration.ts";

/** A pipeline has rounds and values of its own. */
const { "max-rounds": _rounds, set: _set, payload: _payload, ...ownFlags } = newBubbleFlags;

export const pipelineFlags = {
  id: { kind: "text", value: "<id>", about: "its name; made from the request if left out" },
  detach: { kind: "switch", about: "drive in the background" },
  ...ownFlags,
} as const;

type PipelineFlags = Values<typeof pipelineFlags>;

export interface NewPipeline extends Pick<AskedBubble, "profile" | "continues"> {
  readonly request: string;
  /** Papers that were approved before. */
  readonly papers?: Readonly<Record<string, unknown>>;
  /** Files of an earlier run that this one continues from, and their base. */
  readonly work?: { readonly commit: string; readonly baseCommit: string } | undefined;
}

export async function startPipeline(
  shell: Shell,
  flags: PipelineFlags,
  { request, papers, profile, work, continues }: NewPipeline,
): Promise<CommandResult> {
  const repo = requireRepo(flags.repo, shell.cwd, shell.env);
  const world = createWorld(repo, "process");
  const config = readPipelineConfig(repo);
  const base =
    work?.baseCommit ??
    (await world.workspace.resolve(repo, flags.base ?? (await world.workspace.defaultBranch(repo))));
  const project = await readProjectConfig((path) => world.workspace.fileAt(repo, base, path));
  const cast = buildCast(project, config, readBoundAgents(flags.agent));
  for (const warning of cast.warnings) shell.say(`Warning: ${warning}`);
  const made = await makeBubbleHere(
    shell,
    { ...flags, set: [] },
    {
      id: flags.id ?? (await nameAfterWords(world, request, "pipeline")),
      workflow: "pipeline",
      startsIn: "process",
      task: `${request.trim()}\n`,
      payload: omitUndefined({ request: request.trim(), settings: config.settings, papers }),
      settings: { agents: cast.agents, agent: cast.agent },
      ...{ profile, continues, work: work?.commit, baseCommit: work?.baseCommit },
    },
  );
  if (made.refusal) return { refusal: made.refusal };
  return begin(
    shell,
    { world, bubble: made.config.id, via: "cli", confirm: confirmAt(shell, flags.yes) },
    flags.detach,
  );
}

/** Continues with a pipeline that nobody drives, wherever it was left. */
export async function continuePipeline(
  shell: Shell,
  call: OperatorCall,
  detach: boolean,
): Promise<CommandResult> {
  const state = await loadCallState(call);
  const { lifecycle } = state;
  if (lifecycle === "CREATED" || lifecycle === "PREPARING_WORKSPACE") return begin(shell, call, detach);
  const phase = getCurrentTask(state)?.key;
  shell.say(
    `Continuing ${call.bubble}${phase ? ` in the phase ${phase}, round ${getIteration(state)}` : ""}`,
  );
  return detach ? driveInBackground(call) : driveOn(shell, call, createStopSignal());
}

async function begin(shell: Shell, call: OperatorCall, detach: boolean): Promise<CommandResult> {
  const signal = createStopSignal();
  const started = await startTelling(shell, call, call.world.seats.kind, { signal });
  if (started.refusal) return { refusal: started.refusal };
  shell.say(`Started ${call.bubble} in ${shortenPath(started.state?.workspace?.path ?? "", shell.cwd)}`);
  return detach ? driveInBackground(call) : driveOn(shell, call, signal);
}

async function driveInBackground(call: OperatorCall): Promise<CommandResult> {
  const { seq } = await loadCallState(call);
  const driver = await ensureDriver(call);
  if (driver === "started") await waitUntilDriven(call, seq);
  return {
    text: `${call.bubble} is driven in the background\nNext: pairflow pipeline status`,
    json: { bubble: call.bubble, driver },
  };
}

/** Drives and asks here; the report follows when all is done but the signature. */
async function driveOn(shell: Shell, call: OperatorCall, signal: AbortSignal): Promise<CommandResult> {
  const { state, result } = await answerHere(shell, call, { signal, also: ["TURN_STARTED"] });
  if (state.lifecycle !== "READY_FOR_APPROVAL") return result;
  const report = buildPipelineReport(await readPipeline(call.world, call.bubble));
  return report ? { ...result, text: `${renderReport(report)}\n\n${result.text}` } : result;
}
