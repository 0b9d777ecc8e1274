// Starting a turn: the tree must be as the referee left it, the prompt is on disk, the attempt is claimed on the
// record, and only then the process is started.
import { changedDuring } from "../../core/bubble/decide/handoff.ts";
import { sessionFor } from "../../core/judge/sessions.ts";
import { promptName } from "../../core/model/artifact-names.ts";
import type { StepOf } from "../../core/model/program.ts";
import { invariant } from "../../core/model/refusal.ts";
import { clip } from "../../core/model/sizes.ts";
import type { State, Turn } from "../../core/model/state.ts";
import { millis } from "../../core/model/time.ts";
import { codeTree } from "../../core/state/code.ts";
import { currentStep, isCritic, isProducer, progressOf, stepNamed } from "../../core/state/place.ts";
import type { Headless, Launch, TurnRequest } from "../../ports/agent.ts";
import type { TurnSpec } from "../../ports/seat.ts";
import { handle } from "../handle/handle.ts";
import { isPairSound } from "../views/pair-integrity.ts";
import { isGitKnown, noteBranches, tellMoved } from "../watch/git-watch.ts";
import { standingPlace } from "../watch/standing.ts";
import { recordNow, sleepFor } from "../world/stopwatch.ts";
import { placeOf, type World, workMarker } from "../world/world.ts";
import { briefingFor, type Telling } from "./brief.ts";
import { confineTurn, isConfined } from "./confine-turn.ts";
import { errorsOf } from "./flood.ts";
import { adapterOf, type Chosen, requestOf } from "./request.ts";
import { putBack } from "./snapshot.ts";

export async function startTurn(
  world: World,
  state: State,
  turn: Turn,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  if (!(await itIsTime(world, state, turn, signal))) return;
  // A fallback agent has another seat: what the attempts before left behind is ended by name.
  if (turn.attempt > 0) await world.seats.end(workMarker(world, state.bubbleId, `${turn.id}.*`));
  if (!(await isPairSound(world, state, driver))) return;
  const tree = await undisturbedTree(world, state, turn, driver);
  if (!tree || !(await isGitKnown(world, state, driver))) return;
  if (turn.attempt > 0) await tellMoved(world, state, driver, `${turn.agent} had turn ${turn.id}`);
  await noteBranches(world, state);
  const attempt = turn.attempt + 1;
  const chosen = adapterOf(world, state, turn);
  const step = currentStep(state);
  invariant(step?.kind === "turn", "a turn belongs to a turn step");
  const choice = sessionFor(state, turn, step);
  const session = choice.resume ?? world.chance.uuid();
  const secret = world.chance.secret();
  const isHeadless = world.seats.kind === "process";
  const resumed = choice.resume !== undefined && canResume(chosen, isHeadless);
  const changes = resumed ? await changesSince(world, state, step) : undefined;
  const told = await writePrompt(world, state, turn, {
    attempt,
    resumed,
    ...(changes ? { changes } : {}),
    voice: isHeadless ? chosen.adapter.voice.headless : chosen.adapter.voice.pane,
  });
  const fresh = !choice.resume;
  const confined = (await world.sandboxes.state()).kind !== "none";
  const request = requestOf(world, state, turn, chosen, { session, fresh, confined, ...told });
  const launch = isHeadless ? chosen.adapter.headless(request) : chosen.adapter.launch(request);
  const output = world.paths.output(state.bubbleId, `${turn.id}.${attempt}.log`);
  world.crashPoint("turn.prompt");
  const claimed = await handle(world, state.bubbleId, {
    type: "turn-started",
    actor,
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
  await seat(world, state, turn, { attempt, chosen, launch, request, output, secret, driver, tree });
}

const longestChanges = 20_000;

/** What a gate that continues in its session is told: the difference to the tree it has judged last. */
async function changesSince(
  world: World,
  state: State,
  { last_session }: StepOf<"turn">,
): Promise<string | undefined> {
  const before = progressOf(state)?.chain?.gate;
  const now = state.tree?.id;
  if (last_session === undefined || !before || !now) return undefined;
  if (before === now) return "Nothing: it is the same tree.";
  const place = await standingPlace(world, state);
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
function canResume({ adapter, settings }: Chosen, isHeadless: boolean): boolean {
  return adapter.resumes?.(settings, isHeadless ? "headless" : "pane") ?? adapter.can.resume === "yes";
}

/** Waits for the moment from which on another try makes sense; false when the turn is not wanted any more. */
async function itIsTime(world: World, state: State, turn: Turn, signal: AbortSignal): Promise<boolean> {
  if (turn.notBefore) await sleepFor(world, millis(turn.notBefore) - millis(recordNow(world, state)), signal);
  return !signal.aborted;
}

/** The worktree's tree id if nobody touched it since the last handoff; otherwise a human is asked and nothing starts. */
async function undisturbedTree(
  world: World,
  state: State,
  turn: Turn,
  driver: string,
): Promise<string | undefined> {
  const place = await standingPlace(world, state, driver);
  const found = await world.workspace.treeId(place);
  const readsOnly = !isProducer(state, turn.role) || isAuthor(state, turn);
  // Before the first handoff it is what the first attempt of a reader found: what it wrote itself is not what it reads.
  const expected = codeTree(state) ?? (readsOnly ? turn.tree : undefined);
  const ownWork =
    !readsOnly && (turn.attempt > 0 || state.position.refusals > 0 || state.position.outcome === "kept");
  const judged = isCritic(state, turn.role) && state.tree?.paper ? state.tree.id : found;
  if (!expected || found === expected || ownWork) return judged;
  const files = (await world.workspace.changedBetween(place, expected, found)).map((file) => file.path);
  // While it waited for a human, a person may have changed them: then a human says what becomes of them.
  if (readsOnly && turn.attempt > 0 && !turn.waited) {
    const patch = await putBack(world, state, expected);
    await handle(world, state.bubbleId, {
      type: "warn",
      actor: { kind: "driver", id: driver },
      code: "turn.put-back",
      message: changedDuring(turn, files, `they were put back and are kept as ${patch}`),
    });
    return state.tree?.paper ? judged : expected;
  }
  await handle(world, state.bubbleId, {
    type: "tree-changed",
    actor: { kind: "driver", id: driver },
    expected,
    found,
    files,
  });
  return undefined;
}

/** Who writes a paper changes no file. */
function isAuthor(state: State, turn: Turn): boolean {
  const step = stepNamed(state, turn.step);
  return step?.kind === "turn" && step.answer === "paper";
}

async function writePrompt(
  world: World,
  state: State,
  turn: Turn,
  { attempt, ...telling }: Telling & { readonly attempt: number },
): Promise<{ prompt: string; text: string }> {
  const text = await briefingFor(world, state, turn, telling);
  const { name } = await world.records.put(state.bubbleId, promptName(turn.id, attempt, turn.agent), text);
  return { prompt: name, text };
}

interface Claimed {
  readonly attempt: number;
  readonly chosen: Chosen;
  readonly launch: Launch | Headless;
  readonly request: TurnRequest;
  readonly output: string;
  readonly secret: string;
  readonly driver: string;
  /** The tree the turn starts on: what a critic judges. */
  readonly tree: string;
}

async function seat(world: World, state: State, turn: Turn, claimed: Claimed): Promise<void> {
  const { attempt, launch } = claimed;
  const place = placeOf(world, state);
  const env = {
    ...world.agentEnv(claimed.chosen.adapter, claimed.chosen.settings),
    ...launch.env,
    ...turnEnv(world, state, turn, claimed),
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
    ...("stdin" in launch ? headlessStreams(launch, claimed) : {}),
    work: workMarker(world, state.bubbleId, `${turn.id}.${attempt}`),
  });
  world.crashPoint("turn.seated");
  await handle(world, state.bubbleId, {
    type: "turn-spawned",
    actor: { kind: "driver", id: claimed.driver },
    turn: turn.id,
    attempt,
    pid: seated.pid,
    ...(seated.tty ? { tty: seated.tty } : {}),
  });
}

/** Without a terminal: what it reads, and its complaints apart from what it says. */
function headlessStreams(
  { stdin, input }: Headless,
  { request, output }: Claimed,
): Pick<TurnSpec, "stdin" | "errors"> {
  const reads = { channel: "channel", prompt: input ?? request.prompt, none: undefined }[stdin];
  return { errors: errorsOf(output), ...(reads === undefined ? {} : { stdin: reads }) };
}

/** What an agent's process knows: its capability, and where it is. */
function turnEnv(world: World, state: State, turn: Turn, claimed: Claimed): Record<string, string> {
  return {
    PAIRFLOW_TURN: `${state.bubbleId}:${turn.id}.${claimed.attempt}:${claimed.secret}`,
    PAIRFLOW_TURN_ID: turn.id,
    PAIRFLOW_BUBBLE: state.bubbleId,
    PAIRFLOW_REPO: state.config.repo_path,
    PAIRFLOW_ROLE: turn.role,
    PAIRFLOW_TREE: claimed.tree,
    PAIRFLOW_OUT: world.paths.out(placeOf(world, state).path, turn.id),
  };
}
