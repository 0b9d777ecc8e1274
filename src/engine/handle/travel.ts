// Commits of a bubble between machines: what was made here is sent before the record names it, and what the record names is
// brought here before anybody needs it. Where one machine has everything, both are nothing.
import type { Envelope } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import type { TravellingPin } from "../../ports/record/travel.ts";
import type { WorkspacePlace } from "../../ports/workspace.ts";
import type { RecordWorld } from "../world/world.ts";
import { load } from "./command.ts";

/** The records, and the clone that commits are sent from and fetched into. */
export type TravelWorld = RecordWorld & { readonly repo: string };
type Travelling = Pick<State, "bubbleId" | "config" | "baseCommit">;

const getPlace = ({ repo }: TravelWorld, { bubbleId, config, baseCommit }: Travelling): WorkspacePlace => ({
  ...{ repo, path: repo, bubble: bubbleId, baseCommit },
  ...{ branch: config.bubble_branch, mode: config.work_mode },
});

/** A commit that the record names without a ref: one name for it on every machine. */
const nameSent = (bubble: string, commit: string): TravellingPin => ({
  ref: `refs/pairflow/${bubble}/sent-${commit.slice(0, 20)}`,
  commit,
});

/** Every machine of the project can have this commit when it returns. */
export async function sendPin(world: TravelWorld, state: Travelling, pin: TravellingPin): Promise<void> {
  const { ref, commit } = pin;
  await world.travel?.publish(getPlace(world, state), { ref, commit });
}

/** The same for the one commit of the bubble, which is on a branch. */
export const sendCommit = (world: TravelWorld, state: Travelling, commit: string): Promise<void> =>
  sendPin(world, state, nameSent(state.bubbleId, commit));

/** The base of a child is a commit of its parent, which other clones do not have. */
export async function sendBase(world: TravelWorld, state: Travelling, parentBase: string): Promise<void> {
  const place = { ...getPlace(world, state), baseCommit: parentBase };
  await world.travel?.publish(place, nameSent(state.bubbleId, state.baseCommit));
}

/** What the bubble began with, or the one above it that came first; the base of a child comes along with its parent's commits. */
async function findRoot(world: RecordWorld, state: State): Promise<State> {
  const above = state.parent && (await load(world, state.parent.bubble)).state;
  return above ? findRoot(world, above) : state;
}

/** Whether this clone has what the bubble began with; brings it here if somebody has sent it, and asks for it otherwise. */
export async function fetchRootBase(world: TravelWorld, state: State): Promise<boolean> {
  const root = await findRoot(world, state);
  return (await world.travel?.fetchBase(getPlace(world, root))) ?? true;
}

/** Sends it, if another machine has asked for it. */
export async function sendRootBase(world: TravelWorld, state: State): Promise<void> {
  if (world.travel) await world.travel.sendWantedBase(getPlace(world, await findRoot(world, state)));
}

/** Whatever the record of the bubble names in git is in this clone when it returns. */
export async function fetchCommits(world: TravelWorld, bubble: string): Promise<void> {
  const { state } = world.travel ? await load(world, bubble) : { state: undefined };
  if (!state) return;
  await fetchBase(world, state);
  for (const pin of await listNamedPins(world, state)) await world.travel?.fetch(getPlace(world, state), pin);
}

async function fetchBase(world: TravelWorld, state: State): Promise<void> {
  const { parent, bubbleId, baseCommit } = state;
  const above = parent && (await load(world, parent.bubble)).state;
  if (!above || above.baseCommit === baseCommit) return;
  await fetchBase(world, above);
  const place = { ...getPlace(world, state), baseCommit: above.baseCommit };
  await world.travel?.fetch(place, nameSent(bubbleId, baseCommit));
}

/**
 * Whatever these lines of a bubble name in git can be fetched by other machines when it returns. `parentBase`: what the bubble began
 * with that made this one.
 */
export async function sendCommits(
  world: TravelWorld,
  state: State,
  envelopes: readonly Envelope[],
  parentBase: string | undefined,
): Promise<void> {
  if (!world.travel) return;
  if (parentBase !== undefined && parentBase !== state.baseCommit) await sendBase(world, state, parentBase);
  for (const pin of envelopes.flatMap(findPin)) await sendPin(world, state, pin);
  if (state.commit) await sendCommit(world, state, state.commit.id);
}

async function listNamedPins(world: RecordWorld, { bubbleId, commit }: State): Promise<TravellingPin[]> {
  const pins: TravellingPin[] = [];
  for await (const { envelopes } of world.log.read(bubbleId))
    pins.push(...envelopes.flatMap((envelope) => [...findPin(envelope), ...findNewBase(envelope)]));
  return commit ? [...pins, nameSent(bubbleId, commit.id)] : pins;
}

/** A commit of the base branch that is wanted in the work: other clones may not have it yet. */
const findNewBase = ({ type, payload, bubble_id: bubble }: Envelope): TravellingPin[] =>
  type === "BASE_UPDATE_WANTED" ? [nameSent(bubble, payload.to)] : [];

function findPin({ payload }: Envelope): TravellingPin[] {
  const { ref, commit } = payload as { readonly ref?: unknown; readonly commit?: unknown };
  const isPin = typeof ref === "string" && ref.startsWith("refs/pairflow/") && typeof commit === "string";
  return isPin ? [{ ref, commit }] : [];
}
