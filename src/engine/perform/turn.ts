// Starting a turn: the tree must be as the referee left it, the prompt is on disk, the attempt is claimed on the
// record, and only then the process is started.
import { briefing, notice } from "../../core/briefing/prompt.ts";
import { promptName } from "../../core/model/artifact-names.ts";
import { invariant } from "../../core/model/refusal.ts";
import type { State, Turn } from "../../core/model/state.ts";
import { agentSettings } from "../../core/policy/agents.ts";
import { sessionFor } from "../../core/policy/sessions.ts";
import { currentStep } from "../../core/workflow/interpret.ts";
import type { Launch } from "../../ports/agent.ts";
import { Failure } from "../../ports/failure.ts";
import { handle } from "../handle.ts";
import { standingPlace } from "../standing.ts";
import { placeOf, type World, workMarker } from "../world.ts";

export async function startTurn(world: World, state: State, turn: Turn, driver: string): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const tree = await undisturbedTree(world, state, turn, driver);
  if (!tree) return;
  const attempt = turn.attempt + 1;
  const step = currentStep(state);
  invariant(step?.kind === "turn", "a turn belongs to a turn step");
  const choice = sessionFor(state, turn, step);
  const session = choice.resume ?? world.chance.uuid();
  const secret = world.chance.secret();
  const prompt = await writePrompt(world, state, turn, attempt);
  const launch = launchOf(world, state, turn, { session, fresh: !choice.resume, prompt });
  const output = world.paths.output(state.bubbleId, `${turn.id}.${attempt}.log`);
  world.crashPoint("turn.prompt");
  const claimed = await handle(world, state.bubbleId, {
    type: "turn-started",
    actor,
    turn: turn.id,
    attempt,
    capability: world.hash.sha256(secret),
    session,
    fresh: !choice.resume,
    tree,
    prompt,
    output,
    seat: world.seats.kind,
    sandboxed: launch.sandboxed,
  });
  if (claimed.refusal) return;
  world.crashPoint("turn.claimed");
  await seat(world, state, turn, { attempt, launch, output, secret, driver });
}

/** The worktree's tree id if nobody touched it since the last handoff; otherwise a human is asked and nothing starts. */
async function undisturbedTree(
  world: World,
  state: State,
  turn: Turn,
  driver: string,
): Promise<string | undefined> {
  const place = await standingPlace(world, state);
  const found = await world.workspace.treeId(place);
  const expected = state.tree?.id;
  const isCritic = turn.role === state.program.loop.critic;
  const ownWork =
    !isCritic && (turn.attempt > 0 || state.position.refusals > 0 || state.position.outcome === "kept");
  if (!expected || found === expected || ownWork) return found;
  if (isCritic && turn.attempt > 0) {
    await world.workspace.restore(place, expected);
    return expected;
  }
  const files = (await world.workspace.changedBetween(place, expected, found)).map((file) => file.path);
  await handle(world, state.bubbleId, {
    type: "tree-changed",
    actor: { kind: "driver", id: driver },
    expected,
    found,
    files,
  });
  return undefined;
}

async function writePrompt(world: World, state: State, turn: Turn, attempt: number): Promise<string> {
  const { records } = world;
  const task = await records.get(state.bubbleId, state.task.artifact);
  const text = briefing(state, turn, {
    roleText: world.roleText(turn.role),
    task: task ? new TextDecoder().decode(task) : state.task.excerpt,
    worktree: placeOf(world, state).path,
    out: world.paths.out(state.bubbleId, turn.id),
    artifact: (name) => records.path(state.bubbleId, name),
    ...(state.package?.what ? { summary: state.package.what } : {}),
  });
  const { name } = await records.put(state.bubbleId, promptName(turn.id, attempt, turn.agent), text);
  return name;
}

function launchOf(
  world: World,
  state: State,
  turn: Turn,
  how: { session: string; fresh: boolean; prompt: string },
): Launch {
  const settings = agentSettings(state.config.agent, turn.agent, Object.keys(world.agents));
  const adapter = world.agents[settings.adapter];
  if (!adapter) {
    throw new Failure("agent.no-adapter", `there is no adapter ${settings.adapter} for agent ${turn.agent}`, {
      hint: `known: ${Object.keys(world.agents).join(", ")}; set [agent.${turn.agent}] adapter in bubble.toml`,
    });
  }
  const promptFile = world.records.path(state.bubbleId, how.prompt);
  return adapter.launch({
    settings,
    agent: turn.agent,
    role: turn.role,
    session: how.session,
    fresh: how.fresh,
    notice: notice(state, turn, promptFile),
    promptFile,
    worktree: placeOf(world, state).path,
    out: world.paths.out(state.bubbleId, turn.id),
    readOnly: turn.role === state.program.loop.critic,
  });
}

interface Claimed {
  readonly attempt: number;
  readonly launch: Launch;
  readonly output: string;
  readonly secret: string;
  readonly driver: string;
}

async function seat(world: World, state: State, turn: Turn, claimed: Claimed): Promise<void> {
  const { attempt, launch } = claimed;
  const place = placeOf(world, state);
  const seated = await world.seats.start({
    bubble: state.bubbleId,
    turn: turn.id,
    attempt,
    agent: turn.agent,
    role: turn.role,
    argv: launch.argv,
    cwd: place.path,
    env: { ...world.agentEnv, ...launch.env, ...turnEnv(world, state, turn, claimed) },
    output: claimed.output,
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

/** What an agent's process knows: its capability, and where it is. */
function turnEnv(world: World, state: State, turn: Turn, claimed: Claimed): Record<string, string> {
  return {
    PAIRFLOW_TURN: `${state.bubbleId}:${turn.id}.${claimed.attempt}:${claimed.secret}`,
    PAIRFLOW_TURN_ID: turn.id,
    PAIRFLOW_BUBBLE: state.bubbleId,
    PAIRFLOW_REPO: state.config.repo_path,
    PAIRFLOW_ROLE: turn.role,
    PAIRFLOW_OUT: world.paths.out(state.bubbleId, turn.id),
  };
}
