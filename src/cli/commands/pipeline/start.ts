// pairflow pipeline: a request goes through requirements, plan, implementation and their reviews to one approval. Without a
// request: where the pipeline is, and what happens next.
import { requireRepo } from "../../../app/host/locate.ts";
import { findPipeline } from "../../../app/pipeline/current.ts";
import { buildPipelineView } from "../../../app/pipeline/view.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { createWorld } from "../../../app/world/world.ts";
import { isFinal } from "../../../core/bubble/lifecycle.ts";
import { refuse } from "../../../core/model/refusal.ts";
import type { State } from "../../../core/model/state.ts";
import { getRequestText } from "../../../core/views/pipeline/report.ts";
import { getPipelineState } from "../../../core/views/pipeline/trail.ts";
import { confirmAt } from "../../operator/trust.ts";
import { readRequest } from "../../pipeline/request.ts";
import { continuePipeline, pipelineFlags, startPipeline } from "../../pipeline/run.ts";
import { renderAction } from "../../render/pipeline.ts";
import { type CommandResult, defineVerb, type Shell, type Values } from "../../verb/declaration.ts";

const flagsHere = {
  ...pipelineFlags,
  file: { kind: "text", value: "<request.md>", about: "a file with the request" },
} as const;

export const pipeline = defineVerb({
  words: "pipeline",
  about:
    "Take a request through requirements, plan, implementation and reviews; alone: state and next action",
  access: "operator",
  takes: '["<request>"]',
  example: 'pairflow pipeline "Add user authentication with JWT tokens"',
  flags: flagsHere,
  async run(shell, { flags, words }) {
    const request = readRequest(words, flags.file, shell.cwd);
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    if (request === undefined) return showAction(shell, repo, flags.id);
    const known = await findPipeline(createRecordWorld(repo)).catch(() => undefined);
    if (!known || isFinal(known.lifecycle) || isOther(known, flags.id))
      return startPipeline(shell, flags, { request });
    if (getRequestText(known) === request.trim()) return continueRequest(shell, flags, repo, known);
    // What waits for nothing but a signature is in nobody's way.
    if (getPipelineState(known) === "complete") return startPipeline(shell, flags, { request });
    return { refusal: refuseBusy(known) };
  },
});

/** A name of its own asks for a pipeline beside the one that runs. */
const isOther = ({ bubbleId }: State, id: string | undefined) => id !== undefined && id !== bubbleId;

const refuseBusy = ({ bubbleId }: State) =>
  refuse(
    "pipeline.running",
    `the pipeline ${bubbleId} is not over yet`,
    "pairflow pipeline status; --id <name> starts another one beside it, pairflow pipeline cancel ends it",
  );

/** The same request once more continues with the pipeline that works on it. */
async function continueRequest(
  shell: Shell,
  flags: Values<typeof flagsHere>,
  repo: string,
  { bubbleId, seat }: State,
) {
  const call = {
    world: createWorld(repo, seat ?? "process"),
    bubble: bubbleId,
    via: "cli",
    confirm: confirmAt(shell, flags.yes),
  } as const;
  const beat = await call.world.runtime.living(bubbleId);
  if (!beat) return continuePipeline(shell, call, flags.detach);
  return {
    text: `${bubbleId} works on this already, driven by process ${beat.pid}\nNext: pairflow pipeline status`,
    json: { bubble: bubbleId, drive: "running", pid: beat.pid },
  };
}

async function showAction(shell: Shell, repo: string, id: string | undefined): Promise<CommandResult> {
  const world = createRecordWorld(repo);
  const state = await findPipeline(world, id);
  const view = await buildPipelineView(world, state);
  return { text: renderAction(view, shell), json: view };
}
