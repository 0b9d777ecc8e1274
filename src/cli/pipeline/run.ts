// Starting a pipeline, and driving one from this terminal until it waits for a person or is over.
import { readProjectConfig } from "../../app/config/project.ts";
import { repoOf } from "../../app/host/locate.ts";
import { freeName, type NewBubble } from "../../app/making/create.ts";
import { ensureDriver, untilDriven } from "../../app/operate/driver.ts";
import { start } from "../../app/operate/start.ts";
import { castOf } from "../../app/pipeline/cast.ts";
import { readPipelineConfig } from "../../app/pipeline/config.ts";
import { type OperatorCall, stateOf } from "../../app/trust/operator-call.ts";
import { boundByFlags } from "../../app/workflows/run.ts";
import { worldOf } from "../../app/world/world.ts";
import type { Profile } from "../../core/model/gate.ts";
import { slugFor } from "../../core/plan/slug.ts";
import { currentTask, iterationOf } from "../../core/state/place.ts";
import { pipelineReport } from "../../core/views/pipeline-report.ts";
import { readPipeline } from "../../engine/views/pipeline-views.ts";
import { newBubbleFlags } from "../new-bubble/flags.ts";
import { makeBubble } from "../new-bubble/new-bubble.ts";
import { confirmAt } from "../operator/trust.ts";
import { renderReport } from "../render/pipeline.ts";
import { talkHere } from "../talk/here.ts";
import { nearPath } from "../terminal/style.ts";
import type { Result, Shell, Values } from "../verb/verb.ts";

/** A pipeline has rounds and values of its own. */
const { "max-rounds": _rounds, set: _set, payload: _payload, ...ownFlags } = newBubbleFlags;

export const pipelineFlags = {
  id: { kind: "text", value: "<id>", about: "its name; made from the request if left out" },
  detach: { kind: "switch", about: "drive in the background" },
  ...ownFlags,
} as const;

type PipelineFlags = Values<typeof pipelineFlags>;

export interface NewPipeline {
  readonly request: string;
  /** Papers that were approved before. */
  readonly papers?: Readonly<Record<string, unknown>>;
  readonly profile?: Profile;
  /** Files of an earlier run that this one continues from, and their base. */
  readonly work?: { readonly commit: string; readonly baseCommit: string };
  /** The run that ended and continues here, with what nobody has answered there. */
  readonly continues?: NewBubble["continues"];
}

export async function startPipeline(
  shell: Shell,
  flags: PipelineFlags,
  { request, papers, profile, work, continues }: NewPipeline,
): Promise<Result> {
  const repo = repoOf(flags.repo, shell.cwd, shell.env);
  const world = worldOf(repo, "process");
  const config = readPipelineConfig(repo);
  const base =
    work?.baseCommit ??
    (await world.workspace.resolve(repo, flags.base ?? (await world.workspace.defaultBranch(repo))));
  const project = await readProjectConfig((path) => world.workspace.fileAt(repo, base, path));
  const cast = castOf(project, config, boundByFlags(flags.agent));
  for (const warning of cast.warnings) shell.say(`Warning: ${warning}`);
  const made = await makeBubble(
    shell,
    { ...flags, set: [] },
    {
      id: flags.id ?? (await freeName(world, repo, nameFor(request))),
      workflow: "pipeline",
      startsNow: true,
      task: `${request.trim()}\n`,
      payload: { request: request.trim(), settings: config.settings, ...(papers ? { papers } : {}) },
      settings: { agents: cast.agents, agent: cast.agent },
      ...(profile ? { profile } : {}),
      ...(work ? { work } : {}),
      ...(continues ? { continues } : {}),
    },
  );
  if (made.refusal) return { refusal: made.refusal };
  return begin(
    shell,
    { world, bubble: made.config.id, via: "cli", confirm: confirmAt(shell, flags.yes) },
    flags.detach,
  );
}

/** A request without a single Latin letter or digit makes no name. */
const nameFor = (request: string): string =>
  /[a-z0-9]/i.test(request.normalize("NFKD")) ? slugFor(request) : "pipeline";

/** Continues with a pipeline that nobody drives, wherever it was left. */
export async function goOn(shell: Shell, call: OperatorCall, detach: boolean): Promise<Result> {
  const state = await stateOf(call);
  const { lifecycle } = state;
  if (lifecycle === "CREATED" || lifecycle === "PREPARING_WORKSPACE") return begin(shell, call, detach);
  const phase = currentTask(state)?.key;
  shell.say(
    `Going on with ${call.bubble}${phase ? ` in the phase ${phase}, round ${iterationOf(state)}` : ""}`,
  );
  return detach ? inBackground(call) : driveOn(shell, call);
}

async function begin(shell: Shell, call: OperatorCall, detach: boolean): Promise<Result> {
  const started = await start(call, call.world.seats.kind, (line) => shell.say(line));
  if (started.refusal) return { refusal: started.refusal };
  shell.say(`Started ${call.bubble} in ${nearPath(started.state?.workspace?.path ?? "", shell.cwd)}`);
  return detach ? inBackground(call) : driveOn(shell, call);
}

async function inBackground(call: OperatorCall): Promise<Result> {
  const { seq } = await stateOf(call);
  const driver = await ensureDriver(call);
  if (driver === "started") await untilDriven(call, seq);
  return {
    text: `${call.bubble} is driven in the background\nNext: pairflow pipeline status`,
    json: { bubble: call.bubble, driver },
  };
}

/** Drives and asks here; the report follows when all is done but the signature. */
async function driveOn(shell: Shell, call: OperatorCall): Promise<Result> {
  const { state, result } = await talkHere(shell, call, { also: ["TURN_STARTED"] });
  if (state.lifecycle !== "READY_FOR_APPROVAL") return result;
  const report = pipelineReport(await readPipeline(call.world, call.bubble));
  return report ? { ...result, text: `${renderReport(report)}\n\n${result.text}` } : result;
}
