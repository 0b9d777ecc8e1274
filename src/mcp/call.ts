// One call of a tool: who speaks, a sign of life, what is meant, and the claim put to the referee. It is the same way
// that `pairflow pass` takes; only the words arrive as values.
import { findSpeaker, type Speech, submitClaim } from "../app/caller/claims.ts";
import { refuse } from "../core/model/refusal.ts";
import type { State } from "../core/model/state.ts";
import { load } from "../engine/front/command.ts";
import { describeAccepted } from "./accepted-text.ts";
import { resolveRefs } from "./refs.ts";
import type { Tool } from "./tools.ts";

/** Where the server stands: the environment is the capability. */
export interface CallSurroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the agent is told. Throws refusals, usage errors and failures, as the verbs do. */
export async function call(tool: Tool, given: unknown, here: CallSurroundings): Promise<string> {
  const { speech, turn } = buildSpeaker(here);
  const { world, located, door } = speech;
  // Behind a door the record is out of reach; the driver that listens there looks.
  const { state } = door ? { state: undefined } : await load(world, located.bubble);
  if (hasTheTurn(state, speech)) await world.runtime.sign(located.bubble);
  const meant = tool.read(given);
  const worktree = state?.workspace?.path ?? here.cwd;
  const refs = resolveRefs(meant.refs, worktree, turn);
  const handled = await submitClaim(speech, meant.claim, refs, worktree);
  if (handled.refusal) throw handled.refusal;
  return describeAccepted(meant, handled);
}

/** Notes for a hook that holds the first request back that this turn's session can use the tools now. */
export async function noteKnownTools(here: CallSurroundings): Promise<void> {
  try {
    const { speech } = buildSpeaker(here);
    const { actor, world, located } = speech;
    if (actor.kind === "agent")
      await world.runtime.note(located.bubble, `tools.${actor.turn}.${actor.attempt}`, "listed");
  } catch {
    // A server outside of a turn has nobody to tell.
  }
}

/** Only a turn's capability speaks here: nobody is an operator through a tool. */
function buildSpeaker({ cwd, env }: CallSurroundings): { speech: Speech; turn: string } {
  const speech = env.PAIRFLOW_TURN ? findSpeaker({}, cwd, env) : undefined;
  if (speech?.actor.kind === "agent") return { speech, turn: speech.actor.turn };
  throw refuse(
    "turn.no-capability",
    "this session is no agent's turn: PAIRFLOW_TURN is not in the environment of the server",
    "Pairflow gives it to the agents it starts; where a server's environment is an allow-list, name PAIRFLOW_TURN and PAIRFLOW_REPO in it",
  );
}

/** What a process that was replaced still says is no sign of the one that has the turn now. */
function hasTheTurn(state: State | undefined, { actor }: Speech): boolean {
  const turn = state?.turn;
  return (
    actor.kind === "agent" &&
    turn?.id === actor.turn &&
    turn.attempt === actor.attempt &&
    turn.capability === actor.capability
  );
}
