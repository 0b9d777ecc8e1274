// pairflow pipeline recover: what is right for the phase it is in. Nobody drives: it is driven on. A question: it is shown. It
// has failed or was cancelled: a new run begins at the phase that failed, with what was approved before.
import { requireRepo } from "../../../app/host/locate.ts";
import { findNewestWork } from "../../../app/making/salvage.ts";
import { requirePipeline } from "../../../app/pipeline/current.ts";
import { planTakeover } from "../../../app/pipeline/takeover.ts";
import { buildPipelineView } from "../../../app/pipeline/view.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { createWorld } from "../../../app/world/world.ts";
import type { State } from "../../../core/model/state.ts";
import { buildPauseView } from "../../../core/views/bubble/pause.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { continuePipeline, pipelineFlags, startPipeline } from "../../pipeline/run.ts";
import { renderQuestions } from "../../render/pipeline.ts";
import { buildLook, getScreenWidth, wrap } from "../../terminal/style.ts";
import { type CommandResult, defineVerb, type Shell, type Values } from "../../verb/declaration.ts";

export const pipelineRecover = defineVerb({
  words: "pipeline recover",
  about: "Continue after a crash, or begin again where a pipeline failed, with what was approved before",
  access: "operator",
  example: "pairflow pipeline recover",
  flags: {
    ...pipelineFlags,
    id: { kind: "text", value: "<id>", about: "another pipeline than the newest" },
  },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const state = await requirePipeline(world, flags.id);
    if (state.lifecycle === "FAILED" || state.lifecycle === "CANCELLED")
      return startAgain(shell, { ...flags, repo }, state);
    if (["RUNNING", "WAITING_HUMAN", "PREPARING_WORKSPACE", "CREATED"].includes(state.lifecycle))
      return continueRun(shell, { ...flags, repo }, world, state);
    return buildNothingToDo(world, state);
  },
});

type Flags = Values<typeof pipelineFlags> & { readonly repo: string };

async function startAgain(shell: Shell, flags: Flags, state: State): Promise<CommandResult> {
  const { repo } = flags;
  const pinned = await findNewestWork({ repo }, state);
  const { request, papers, profile, begins, says, work, continues } = planTakeover(state, {
    commit: pinned?.commit,
    tree: pinned?.tree,
    isOtherBase: flags.base !== undefined,
  });
  const ended = state.lifecycle === "FAILED" ? "failed" : "was cancelled";
  shell.say(wrap(`${state.bubbleId} ${ended}; a new run begins with ${begins}`, getScreenWidth(), 2));
  for (const line of says) shell.say(wrap(`  ${line}`, getScreenWidth(), 4));
  const { id: _old, ...rest } = flags;
  const isTold = flags.test.length > 0 || flags.gate.length > 0 || flags["no-tests"] || flags.yes;
  return startPipeline(shell, rest, {
    ...{ request, papers, work, continues },
    profile: isTold ? undefined : profile,
  });
}

async function continueRun(
  shell: Shell,
  flags: Flags,
  world: RecordWorld,
  state: State,
): Promise<CommandResult> {
  const { bubbleId: bubble } = state;
  const call = { world: createWorld(flags.repo, state.seat ?? "process"), bubble, via: "cli" } as const;
  const beat = await world.runtime.living(bubble);
  if (beat)
    return {
      text: `${bubble} is driven by process ${beat.pid}; nothing is to be recovered\nNext: pairflow pipeline status`,
      json: { bubble, drive: "running", pid: beat.pid },
    };
  const paused = buildPauseView(state);
  if (paused)
    return {
      text: `${bubble} is ${paused.says}; nothing is to be recovered\nNext: ${paused.command}`,
      json: { bubble, drive: "not-needed", paused },
    };
  if (state.questions.length > 0 && !shell.interactive) return showQuestions(shell, world, state);
  return continuePipeline(shell, call, flags.detach);
}

async function showQuestions(shell: Shell, world: RecordWorld, state: State): Promise<CommandResult> {
  const view = await buildPipelineView(world, state);
  const bubble = state.bubbleId;
  return {
    text: `${bubble} waits for an answer; nothing is to be recovered\n${renderQuestions(view, buildLook(shell, world.clock.now()).width)}`,
    json: { bubble, drive: "not-needed", questions: view.questions },
  };
}

async function buildNothingToDo(world: RecordWorld, state: State): Promise<CommandResult> {
  const view = await buildPipelineView(world, state);
  const { bubbleId } = state;
  const next = view.next.command ? `\nNext: ${view.next.command}` : "";
  return {
    text: `${bubbleId} is complete; nothing is to be recovered: ${view.next.says}${next}`,
    json: { bubble: bubbleId, drive: "not-needed", state: view.state },
  };
}
