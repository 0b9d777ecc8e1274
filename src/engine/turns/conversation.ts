// A turn without a terminal: its output is read as it grows, what the protocol wants to say is sent, and its final answer is put
// to the referee as the same command an agent types. Killed at any point, the next driver reads the output from its beginning and
// continues from the same position.
import type { Usage } from "../../core/model/record/usage.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import type { AgentQuestion, TurnEnd } from "../../core/model/turn-end.ts";
import { omitUndefined } from "../../core/model/value/defined.ts";
import { keepEnd } from "../../core/model/value/sizes.ts";
import type { Conversation, TurnEvent } from "../../ports/agent/adapter.ts";
import type { SeatedTurn } from "../../ports/agent/seat.ts";
import type { Channel, GrowingLines } from "../../ports/system/scratch.ts";
import { putClaim } from "../facts/claim.ts";
import { load } from "../handle/command.ts";
import { type Job, report } from "../handle/job.ts";
import { findOverspent, findOverspentAbove } from "../watch/tree-budget.ts";
import { WakeUp } from "../world/wake-up.ts";
import { buildTurnMarker, type World } from "../world/world.ts";
import { conclude } from "./conclude.ts";
import { endFlood, getErrorFile } from "./output-limit.ts";
import { chooseAdapter, rebuildRunningRequest } from "./prompt/request.ts";
import { isStillWanted } from "./wanted.ts";

/** How long a conversation may take to say how it ended after its process is gone, or after it was asked to stop. */
const lastWordsMs = 2_000;
const stderrKept = 2_000;

export async function runTurnConversation(
  job: Job,
  turn: Turn,
  seated: SeatedTurn | undefined,
): Promise<void> {
  const { world, state, driver, signal } = job;
  const output = turn.output ?? "";
  const chosen = chooseAdapter(world, state, turn);
  const headless = chosen.adapter.headless(await rebuildRunningRequest(world, state, turn, chosen));
  const work = buildTurnMarker(world, state.bubbleId, turn);
  const lines = world.scratch.lines(output);
  const channel = world.scratch.channel(output);
  const events: TurnEvent[] = [];
  const wakeUp = new WakeUp();
  const conversation = headless.converse({
    send: (line) => channel.send(line),
    happened(event) {
      events.push(event);
      wakeUp.signal();
    },
  });
  const talk: TurnConversation = {
    world,
    state,
    turn,
    driver,
    work,
    conversation,
    events,
    wakeUp,
    lines,
    channel,
  };
  try {
    const end = await listen(talk, seated, signal);
    if (signal.aborted && seated) await leaveUnwanted(talk, chosen.adapter.can.interrupt === "yes");
    if (!end || signal.aborted) return;
    const unseen = seated === undefined;
    const sessionless = !talk.hasSession && (chosen.adapter.tellsSession?.includes("headless") ?? false);
    await conclude(world, { state, turn, driver, work, end, usage: talk.usage, unseen, sessionless });
  } finally {
    world.talks.drop(work);
    lines.close();
    await channel.close();
  }
}

interface TurnConversation {
  readonly world: World;
  readonly state: State;
  readonly turn: Turn;
  readonly driver: string;
  readonly work: string;
  readonly conversation: Conversation;
  readonly events: TurnEvent[];
  readonly wakeUp: WakeUp;
  readonly lines: GrowingLines;
  readonly channel: Channel;
  usage?: Usage;
  /** Its CLI has told of a session. */
  hasSession?: boolean;
}

/** Follows the conversation to its end; undefined when the turn is not wanted any more. */
async function listen(
  talk: TurnConversation,
  seated: SeatedTurn | undefined,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  const { world, conversation, lines, channel, wakeUp, work } = talk;
  const said = lines.read();
  // A process that has not said a word may not have been told anything either.
  if (said.length === 0 && lines.rest() === "") channel.forget();
  conversation.begin();
  for (const line of said) conversation.heard(line);
  world.talks.hold(work, conversation);
  let exit: { code?: number } | undefined = seated ? undefined : {};
  if (seated)
    void world.seats.gone(work, seated, signal).then((code) => {
      exit = typeof code === "number" ? { code } : {};
      wakeUp.signal();
    });
  while (!signal.aborted) {
    const end = await look(talk, exit);
    if (end) return end;
    await wakeUp.wait((over) => lines.changed(AbortSignal.any([over, signal])));
  }
  return undefined;
}

/** Nobody waits for this attempt any more: a pause, a budget, its time. What it used until then is on the record all the same. */
async function leaveUnwanted(talk: TurnConversation, hearsInterrupts: boolean): Promise<void> {
  const { world, state, turn } = talk;
  if (await isStillWanted(world, state.bubbleId, turn)) return;
  if (hearsInterrupts) await interrupt(talk);
  const { usage } = talk;
  if (usage) await report(talk, { type: "usage", turn: turn.id, attempt: turn.attempt, usage });
}

/** Asks the agent to stop before its process is ended, so that its session is whole and it can say what it used. */
async function interrupt(talk: TurnConversation): Promise<void> {
  const { world, conversation, lines, wakeUp } = talk;
  const patience = new AbortController();
  const limit = world.clock.sleep(lastWordsMs, patience.signal).then(() => patience.abort());
  conversation.interrupt();
  while (!patience.signal.aborted) {
    for (const line of lines.read()) conversation.heard(line);
    if (takeLastWords(talk)) break;
    await wakeUp.wait((over) => lines.changed(AbortSignal.any([over, patience.signal])));
  }
  patience.abort();
  await limit;
}

/** Keeps what an agent that was asked to stop has used; whether it has ended its turn. */
function takeLastWords(talk: TurnConversation): boolean {
  for (let event = talk.events.shift(); event; event = talk.events.shift()) {
    if (event.type === "usage") talk.usage = event.usage;
    if (event.type === "over") return true;
  }
  return false;
}

/** What was printed since the last look; the end, if it has come or if it was too much. */
async function look(
  talk: TurnConversation,
  exit: { code?: number } | undefined,
): Promise<TurnEnd | undefined> {
  const { world, turn, work, lines, conversation } = talk;
  const flood = await endFlood(world, turn, work);
  if (flood) return flood;
  for (const line of lines.read()) conversation.heard(line);
  const end = await react(talk);
  if (end || exit === undefined || lines.hasMore()) return end;
  return concludeGone(talk, exit);
}

/** The process is gone: what it left unfinished, and what the protocol makes of such an end. */
async function concludeGone(talk: TurnConversation, exit: { code?: number }): Promise<TurnEnd> {
  const { world, conversation, lines, turn, wakeUp } = talk;
  if (lines.rest() !== "") conversation.heard(lines.rest());
  const said = await world.scratch.text(getErrorFile(turn.output ?? ""));
  const stderr = keepEnd(world.redaction.redact(said), stderrKept);
  conversation.closed({ ...exit, stderr });
  const end = await react(talk);
  if (end) return end;
  await wakeUp.wait((over) => world.clock.sleep(lastWordsMs, over));
  return (await react(talk)) ?? { outcome: "crashed", detail: "the process ended without a word about it" };
}

/** Everything that happened since the last look; the end, if it has come. */
async function react(talk: TurnConversation): Promise<TurnEnd | undefined> {
  for (let event = talk.events.shift(); event; event = talk.events.shift()) {
    const end = await meet(talk, event);
    if (end) return end;
  }
  return undefined;
}

async function meet(talk: TurnConversation, event: TurnEvent): Promise<TurnEnd | undefined> {
  const { world, state, turn, work } = talk;
  switch (event.type) {
    case "session":
      talk.hasSession = true;
      if (event.id !== turn.session)
        await report(talk, {
          type: "turn-session",
          turn: turn.id,
          attempt: turn.attempt,
          session: event.id,
        });
      return undefined;
    case "usage":
      talk.usage = event.usage;
      return (await isOverBudget(world, state.bubbleId, turn, event.usage))
        ? { outcome: "over-budget", detail: "a budget was used up while it worked" }
        : undefined;
    case "asked":
      await ask(talk, event.id, event.questions);
      return undefined;
    case "refused-tool":
      world.talks.does(work, `was refused ${event.tool}: ${event.why}`);
      return undefined;
    case "doing":
      world.talks.does(work, event.text);
      return undefined;
    case "over":
      return event.end;
  }
}

/** The budgets as they are now; figures that are on the record already are not weighed twice. */
async function isOverBudget(world: World, bubble: string, turn: Turn, usage: Usage): Promise<boolean> {
  const { state } = await load(world, bubble);
  if (!state) return false;
  const isCounted = state.turn?.id === turn.id && state.turn.measured === turn.attempt;
  const running = isCounted ? undefined : usage;
  if (await findOverspent(world, state, running)) return true;
  return (await findOverspentAbove(world, state, running)).length > 0;
}

/** The process waits for a human. Asked once, however often the conversation is read again. */
async function ask(
  { world, state, turn, driver, channel }: TurnConversation,
  id: string,
  asked: readonly AgentQuestion[],
): Promise<void> {
  const [first, ...others] = asked;
  if (!first || channel.noted(`asked ${id}`)) return;
  const claim = {
    type: "ask-human",
    actor: { kind: "driver", id: driver, turn: turn.id, attempt: turn.attempt },
    digest: world.hash.sha256(`${turn.id}.${turn.attempt} asks ${id}`).slice(0, 16),
    question: first.context ? `${first.question}\n\n${first.context}` : first.question,
    ...omitUndefined({ options: first.options }),
    others,
    waiting: { request: id, questions: asked.map((question) => question.id) },
  } as const;
  const { refusal } = await putClaim(world, state.bubbleId, claim, async () => state);
  // Refused, because somebody is asked something else: it is asked when this conversation is read again.
  if (!refusal) channel.note(`asked ${id}`);
}
