// Starting a turn: the tree must be as the referee left it, the prompt is on disk, the attempt is claimed on the
// record, and only then the process is started.
import { describeChangesDuringTurn } from "../../core/bubble/decide/driver/handoff.ts";
import { chooseSession } from "../../core/judge/sessions.ts";
import type { StepOf } from "../../core/model/program.ts";
import { namePrompt } from "../../core/model/record/artifact-names.ts";
import { assertInvariant } from "../../core/model/refusal.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { omitUndefined } from "../../core/model/value/defined.ts";
import { clip } from "../../core/model/value/sizes.ts";
import { parseTime } from "../../core/model/value/time.ts";
import { getCodeTree } from "../../core/state/code-tree.ts";
import {
  findStep,
  getCurrentStep,
  getTaskProgress,
  isCritic,
  isProducer,
} from "../../core/state/workflow-position.ts";
import type { Headless, Launch, TurnRequest } from "../../ports/agent/adapter.ts";
import type { TurnSpec } from "../../ports/agent/seat.ts";
import { type Job, report, type ShortJob } from "../handle/job.ts";
import { isPairSound } from "../views/pair-integrity.ts";
import { isGitKnown, noteBranches, tellMoved } from "../watch/git.ts";
import { ensureWorktree } from "../watch/worktree.ts";
import { recordNow, sleepFor } from "../world/stopwatch.ts";
import { buildWorkMarker, getWorkspacePlace, type World } from "../world/world.ts";
import { confineTurn, isConfined } from "./confine.ts";
import { getErrorFile } from "./output-limit.ts";
import { buildTurnPrompt, type PromptOptions } from "./prompt/build.ts";
import { buildTurnRequest, type ChosenAdapter, chooseAdapter } from "./prompt/request.ts";
import { putBack } from "./snapshot.ts";

export async function startTurn(job: Job, turn: Turn): Promise<void> {
  const { world, state, driver, signal } = job;
  if (!(await waitUntilDue(world, state, turn, signal))) return;
  // A fallback agent has another seat: what the attempts before left behind is ended by name.
  if (turn.attempt > 0) await world.seats.end(buildWorkMarker(world, state.bubbleId, `${turn.id}.*`));
  if (!(await isPairSound(world, state, driver))) return;
  const tree = await checkUndisturbed(job, turn);
  if (!tree || !(await isGitKnown(world, state, driver))) return;
  if (turn.attempt > 0) await tellMoved(world, state, driver, `${turn.agent} had turn ${turn.id}`);
  await noteBranches(world, state);
  const attempt = turn.attempt + 1;
  const chosen = chooseAdapter(world, state, turn);
  const step = getCurrentStep(state);
  assertInvariant(step?.kind === "turn", "a turn belongs to a turn step");
  const choice = chooseSession(state, turn, step);
  const session = choice.resume ?? world.chance.uuid();
  const secret = world.chance.secret();
  const isHeadless = world.seats.kind === "process";
  const resumed = choice.resume !== undefined && canResume(chosen, isHeadless);
  const changes = resumed ? await findChangesSince(world, state, step) : undefined;
  const told = await writePrompt(world, state, turn, {
    attempt,
    resumed,
    ...(changes ? { changes } : {}),
    voice: isHeadless ? chosen.adapter.voice.headless : chosen.adapter.voice.pane,
  });
  const fresh = !choice.resume;
  const confined = (await world.sandboxes.state()).kind !== "none";
  const request = await buildTurnRequest(world, state, turn, chosen, { session, fresh, confined, ...told });
  const launch = isHeadless ? chosen.adapter.headless(request) : chosen.adapter.launch(request);
  const output = world.paths.output(state.bubbleId, `${turn.id}.${attempt}.log`);
  world.crashPoint("turn.prompt");
  const claimed = await report(job, {
    type: "turn-started",
    turn: turn.id,
    attempt,
    capability: world.hash.sha256(secret),
    session,
    fresh,
    tree,
    prompt: told.prompt,
    output,
    seat: world.seats.kind,
    sandboxed: await isConfined(world, launch),
  });
  if (claimed.refusal) return;
  world.crashPoint("turn.claimed");
  await seatTurn(job, turn, { attempt, chosen, launch, request, output, secret, tree });
}

const longestChanges = 20_000;

/** What a gate that continues in its session is told: the difference to the tree it has judged last. */
async function findChangesSince(
  world: World,
  state: State,
  { last_session }: StepOf<"turn">,
): Promise<string | undefined> {
  const before = getTaskProgress(state)?.chain?.gate;
  const now = state.tree?.id;
  if (last_session === undefined || !before || !now) return undefined;
  if (before === now) return "Nothing: it is the same tree.";
  const place = await ensureWorktree(world, state);
  const [files, diff] = await Promise.all([
    world.workspace.changedBetween(place, before, now),
    world.workspace.diff(place, before, now),
  ]);
  const listed = files.map(
    ({ path, status, added, removed }) => `- ${status} ${path} (+${added ?? "?"} −${removed ?? "?"})`,
  );
  return `${listed.join("\n")}\n\n\`\`\`diff\n${clip(diff, longestChanges)}\n\`\`\``;
}

/** An agent that begins anew every time must be told everything every time. */
function canResume({ adapter, settings }: ChosenAdapter, isHeadless: boolean): boolean {
  return adapter.resumes?.(settings, isHeadless ? "headless" : "pane") ?? adapter.can.resume === "yes";
}

/** Waits for the moment from which on another try makes sense; false when the turn is not wanted any more. */
async function waitUntilDue(world: World, state: State, turn: Turn, signal: AbortSignal): Promise<boolean> {
  if (turn.notBefore)
    await sleepFor(world, parseTime(turn.notBefore) - parseTime(recordNow(world, state)), signal);
  return !signal.aborted;
}

/** The worktree's tree id if nobody touched it since the last handoff; otherwise a human is asked and nothing starts. */
async function checkUndisturbed(job: ShortJob, turn: Turn): Promise<string | undefined> {
  const { world, state, driver } = job;
  const place = await ensureWorktree(world, state, driver);
  const found = await world.workspace.treeId(place);
  const readsOnly = !isProducer(state, turn.role) || isAuthor(state, turn);
  // Before the first handoff it is what the first attempt of a reader found: what it wrote itself is not what it reads.
  const expected = getCodeTree(state) ?? (readsOnly ? turn.tree : undefined);
  const ownWork =
    !readsOnly && (turn.attempt > 0 || state.position.refusals > 0 || state.position.outcome === "kept");
  const judged = isCritic(state, turn.role) && state.tree?.paper ? state.tree.id : found;
  if (!expected || found === expected || ownWork) return judged;
  const files = (await world.workspace.changedBetween(place, expected, found)).map((file) => file.path);
  // While it waited for a human, a person may have changed them: then a human decides about them.
  if (readsOnly && turn.attempt > 0 && !turn.waited) {
    const patch = await putBack(world, state, expected);
    await report(job, {
      type: "warn",
      code: "turn.put-back",
      message: describeChangesDuringTurn(turn, files, `they were put back and are kept as ${patch}`),
    });
    return state.tree?.paper ? judged : expected;
  }
  await report(job, { type: "tree-changed", expected, found, files });
  return undefined;
}

/** Who writes a paper changes no file. */
function isAuthor(state: State, turn: Turn): boolean {
  const step = findStep(state, turn.step);
  return step?.kind === "turn" && step.answer === "paper";
}

async function writePrompt(
  world: World,
  state: State,
  turn: Turn,
  { attempt, ...telling }: PromptOptions & { readonly attempt: number },
): Promise<{ prompt: string; text: string }> {
  const text = await buildTurnPrompt(world, state, turn, telling);
  const { name } = await world.records.put(state.bubbleId, namePrompt(turn.id, attempt, turn.agent), text);
  return { prompt: name, text };
}

interface Claimed {
  readonly attempt: number;
  readonly chosen: ChosenAdapter;
  readonly launch: Launch | Headless;
  readonly request: TurnRequest;
  readonly output: string;
  readonly secret: string;
  /** The tree the turn starts on: what a critic judges. */
  readonly tree: string;
}

async function seatTurn(job: ShortJob, turn: Turn, claimed: Claimed): Promise<void> {
  const { world, state } = job;
  const { attempt, launch } = claimed;
  const place = getWorkspacePlace(world, state);
  const env = {
    ...world.agentEnv(claimed.chosen.adapter, claimed.chosen.settings),
    ...launch.env,
    ...buildTurnEnv(world, state, turn, claimed),
  };
  const run = await confineTurn(world, state, turn, { ...claimed, argv: launch.argv, env });
  const seated = await world.seats.start({
    bubble: state.bubbleId,
    turn: turn.id,
    attempt,
    agent: turn.agent,
    role: turn.role,
    argv: run.argv,
    cwd: place.path,
    env: run.env,
    output: claimed.output,
    ...("stdin" in launch ? buildHeadlessStreams(launch, claimed) : {}),
    work: buildWorkMarker(world, state.bubbleId, `${turn.id}.${attempt}`),
  });
  world.crashPoint("turn.seated");
  await report(job, {
    type: "turn-spawned",
    turn: turn.id,
    attempt,
    ...omitUndefined({ pid: seated.pid, tty: seated.tty || undefined }),
  });
}

/** Without a terminal: what it reads, and its complaints apart from what it says. */
function buildHeadlessStreams(
  { stdin, input }: Headless,
  { request, output }: Claimed,
): Pick<TurnSpec, "stdin" | "errors"> {
  const reads = { channel: "channel", prompt: input ?? request.prompt, none: undefined }[stdin];
  return { errors: getErrorFile(output), ...(reads === undefined ? {} : { stdin: reads }) };
}

/** What an agent's process knows: its capability, and where it is. */
function buildTurnEnv(world: World, state: State, turn: Turn, claimed: Claimed): Record<string, string> {
  return {
    PAIRFLOW_TURN: `${state.bubbleId}:${turn.id}.${claimed.attempt}:${claimed.secret}`,
    PAIRFLOW_TURN_ID: turn.id,
    PAIRFLOW_BUBBLE: state.bubbleId,
    PAIRFLOW_REPO: world.repo,
    PAIRFLOW_ROLE: turn.role,
    PAIRFLOW_TREE: claimed.tree,
    PAIRFLOW_OUT: world.paths.out(getWorkspacePlace(world, state).path, turn.id),
  };
}
