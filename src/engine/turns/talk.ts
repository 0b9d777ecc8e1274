// A turn without a terminal: its output is read as it grows, what the protocol wants to say is sent, and its final
// answer is put to the referee as the same command an agent types. Killed at any point, the next driver reads the
// output from its beginning and stands where this one stood.

import type { Asking, TurnEnd } from "../../core/model/outcome.ts";
import { keepEnd } from "../../core/model/sizes.ts";
import type { State, Turn } from "../../core/model/state.ts";
import type { Usage } from "../../core/model/usage.ts";
import type { Conversation, TurnEvent } from "../../ports/agent.ts";
import type { Channel, GrowingLines } from "../../ports/scratch.ts";
import type { Seated } from "../../ports/seat.ts";
import { handle, load } from "../handle/handle.ts";
import { overspent, overspentAbove } from "../watch/tree-budget.ts";
import { WakeUp } from "../world/wake-up.ts";
import { type World, workMarker } from "../world/world.ts";
import { conclude } from "./conclude.ts";
import { endFlood, errorsOf } from "./flood.ts";
import { adapterOf, runningRequest } from "./request.ts";

/** How long a conversation may take to say how it ended after its process is gone. */
const lastWordsMs = 2_000;
const stderrKept = 2_000;

export async function talkTurn(
  world: World,
  state: State,
  turn: Turn,
  driver: string,
  seated: Seated | undefined,
  signal: AbortSignal,
): Promise<void> {
  const output = turn.output ?? "";
  const chosen = adapterOf(world, state, turn);
  const headless = chosen.adapter.headless(await runningRequest(world, state, turn, chosen));
  const work = workMarker(world, state.bubbleId, `${turn.id}.${turn.attempt}`);
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
  const talk: Talk = { world, state, turn, driver, work, conversation, events, wakeUp, lines, channel };
  try {
    const end = await listen(talk, seated, signal);
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

interface Talk {
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
  talk: Talk,
  seated: Seated | undefined,
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

/** What was printed since the last look; the end, if it has come or if it was too much. */
async function look(talk: Talk, exit: { code?: number } | undefined): Promise<TurnEnd | undefined> {
  const { world, turn, work, lines, conversation } = talk;
  const flood = await endFlood(world, turn, work);
  if (flood) return flood;
  for (const line of lines.read()) conversation.heard(line);
  const end = await react(talk);
  if (end || exit === undefined || lines.hasMore()) return end;
  return lastWords(talk, exit);
}

/** The process is gone: what it left unfinished, and what the protocol makes of such an end. */
async function lastWords(talk: Talk, exit: { code?: number }): Promise<TurnEnd> {
  const { world, conversation, lines, turn, wakeUp } = talk;
  if (lines.rest() !== "") conversation.heard(lines.rest());
  const said = await world.scratch.text(errorsOf(turn.output ?? ""));
  const stderr = keepEnd(world.redaction.redact(said), stderrKept);
  conversation.closed({ ...exit, stderr });
  const end = await react(talk);
  if (end) return end;
  await wakeUp.wait((over) => world.clock.sleep(lastWordsMs, over));
  return (await react(talk)) ?? { outcome: "crashed", detail: "the process ended without a word about it" };
}

/** Everything that happened since the last look; the end, if it has come. */
async function react(talk: Talk): Promise<TurnEnd | undefined> {
  for (let event = talk.events.shift(); event; event = talk.events.shift()) {
    const end = await meet(talk, event);
    if (end) return end;
  }
  return undefined;
}

async function meet(talk: Talk, event: TurnEvent): Promise<TurnEnd | undefined> {
  const { world, state, turn, driver, work } = talk;
  switch (event.type) {
    case "session":
      talk.hasSession = true;
      if (event.id !== turn.session)
        await handle(world, state.bubbleId, {
          type: "turn-session",
          actor: { kind: "driver", id: driver },
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
  if (await overspent(world, state, running)) return true;
  return (await overspentAbove(world, state, running)).length > 0;
}

/** The process waits for a human. Asked once, however often the conversation is read again. */
async function ask(
  { world, state, turn, driver, channel }: Talk,
  id: string,
  asked: readonly Asking[],
): Promise<void> {
  const [first, ...others] = asked;
  if (!first || channel.noted(`asked ${id}`)) return;
  const { refusal } = await handle(world, state.bubbleId, {
    type: "ask-human",
    actor: { kind: "driver", id: driver, turn: turn.id, attempt: turn.attempt },
    digest: world.hash.sha256(`${turn.id}.${turn.attempt} asks ${id}`).slice(0, 16),
    question: first.context ? `${first.question}\n\n${first.context}` : first.question,
    ...(first.options ? { options: first.options } : {}),
    others,
    waiting: { request: id, questions: asked.map((question) => question.id) },
  });
  // Refused, because somebody is asked something else: it is asked when this conversation is read again.
  if (!refusal) channel.note(`asked ${id}`);
}
