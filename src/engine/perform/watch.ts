// A running turn: adopt it if it lives, notice when its process ends without an answer, deliver what people say.
import { excerptOf } from "../../core/gates/excerpt.ts";
import type { Delivery, State, Turn } from "../../core/model/state.ts";
import { handle, load } from "../handle.ts";
import { type World, workMarker } from "../world.ts";

const pollMs = 250;

const work = (world: World, state: State, turn: Turn) =>
  workMarker(world, state.bubbleId, `${turn.id}.${turn.attempt}`);

/** Returns when the turn is over one way or another; reports an end without an answer. */
export async function watchTurn(
  world: World,
  state: State,
  turn: Turn,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const seated = await world.seats.find(work(world, state, turn));
    if (!seated) break;
    if (turn.pid === undefined) await adopt(world, state, turn, driver, seated);
    while (!signal.aborted && (await world.seats.alive(seated))) await world.clock.sleep(pollMs, signal);
    if (signal.aborted) return;
  }
  const { state: now } = await load(world, state.bubbleId);
  if (!now || now.turn?.id !== turn.id || now.turn.attempt !== turn.attempt || now.turn.status !== "running")
    return;
  if (now.questions.some((question) => question.turn === turn.id && question.kind === "agent")) return;
  await handle(world, state.bubbleId, {
    type: "turn-ended",
    actor: { kind: "driver", id: driver },
    turn: turn.id,
    attempt: turn.attempt,
    ...(await howItEnded(world, now.turn, now.deliveries.length > 0)),
  });
}

/** An attempt whose process was never seen died with its driver, not by the agent's doing: it counts as no failure. */
async function howItEnded(
  world: World,
  turn: Turn,
  hasAnswer: boolean,
): Promise<{ outcome: "asked" | "crashed" | "superseded"; detail: string }> {
  if (hasAnswer) return { outcome: "asked", detail: "the answer goes into the next prompt" };
  if (turn.pid === undefined) return { outcome: "superseded", detail: "its process was never started" };
  return { outcome: "crashed", detail: await lastWords(world, turn) };
}

/** What the process printed last: the first thing a person asks for when an agent is lost. */
async function lastWords(world: World, turn: Turn): Promise<string> {
  const output = turn.output ? await world.scratch.text(turn.output) : "";
  const tail = excerptOf(output).slice(-400).trim();
  return `the process ended without handing over${tail ? `; it printed last: ${tail}` : ""}`;
}

async function adopt(
  world: World,
  state: State,
  turn: Turn,
  driver: string,
  seated: { pid: number; tty?: string },
): Promise<void> {
  await handle(world, state.bubbleId, {
    type: "turn-spawned",
    actor: { kind: "driver", id: driver },
    turn: turn.id,
    attempt: turn.attempt,
    ...seated,
  });
}

/** Puts a short notice into a living turn; a turn whose process is gone gets the words with its next prompt. */
export async function deliver(
  world: World,
  state: State,
  delivery: Delivery,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  const turn = state.turn;
  const actor = { kind: "driver", id: driver } as const;
  if (!turn) return;
  if (delivery.status === "sent") {
    await awaitReading(world, state, delivery, driver, signal);
    return;
  }
  const seated = await world.seats.find(work(world, state, turn));
  const sent = seated
    ? await world.seats.deliver(state.bubbleId, turn.agent, noticeFor(world, state, delivery))
    : "gone";
  world.crashPoint("deliver.sent");
  if (sent === "sent") {
    await handle(world, state.bubbleId, {
      type: "delivered",
      actor,
      message: delivery.message,
      turn: turn.id,
      status: "sent",
    });
    return;
  }
  await world.seats.end(work(world, state, turn));
  await handle(world, state.bubbleId, {
    type: "turn-ended",
    actor,
    turn: turn.id,
    attempt: turn.attempt,
    outcome: "asked",
    detail: "its process is gone; the answer goes into the next prompt",
  });
}

function noticeFor(world: World, state: State, delivery: Delivery): string {
  const file = world.records.path(
    state.bubbleId,
    `messages/${String(delivery.message).padStart(3, "0")}-human-reply.md`,
  );
  const words =
    delivery.text.length <= 200 && !delivery.text.includes("\n") ? delivery.text : "the human answered";
  return `[pairflow] ${state.bubbleId}: ${words} (${file})`;
}

/** Sent is not read: a hook's sign or the agent's next verb acknowledges; otherwise it is sent once more, then a human is told. */
async function awaitReading(
  world: World,
  state: State,
  delivery: Delivery,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const since = delivery.sentAt ?? world.clock.now();
  for (let waited = 0; waited < world.acknowledgeMs && !signal.aborted; waited += pollMs) {
    const sign = await world.runtime.lastSign(state.bubbleId);
    if (sign && sign >= since) {
      await handle(world, state.bubbleId, {
        type: "delivered",
        actor,
        message: delivery.message,
        turn: delivery.turn,
        status: "acknowledged",
      });
      return;
    }
    await world.clock.sleep(pollMs, signal);
  }
  if (signal.aborted || !state.turn) return;
  const again =
    delivery.tries < 2
      ? await world.seats.deliver(state.bubbleId, state.turn.agent, noticeFor(world, state, delivery))
      : "gone";
  await handle(world, state.bubbleId, {
    type: "delivered",
    actor,
    message: delivery.message,
    turn: delivery.turn,
    status: again === "sent" ? "sent" : "undelivered",
  });
}
