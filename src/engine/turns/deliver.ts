// What people say to a running turn: handed to a process that waits for it, or put as a short notice into its pane. Sent
// is not read: it counts when the agent has given a sign.
import type { Delivery, Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import { type Job, report } from "../handle/job.ts";
import { buildTurnMarker, type World } from "../world/world.ts";
import { chooseAdapter } from "./prompt/request.ts";

/** A look at one file: a person who watches the pane should not wait for it. */
const pollMs = 25;

/** Puts a short notice into a living turn; a turn whose process is gone gets the words with its next prompt. */
export async function deliver(job: Job, delivery: Delivery): Promise<void> {
  const { world, state } = job;
  const turn = state.turn;
  if (!turn) return;
  if (delivery.status === "sent") {
    await awaitReading(job, delivery);
    return;
  }
  if (delivery.reply && (await answerWaiting(job, turn, delivery.reply))) return;
  const seated = await world.seats.find(buildTurnMarker(world, state.bubbleId, turn));
  const sent = seated ? await putIntoPane(world, state, turn, delivery) : "gone";
  world.crashPoint("deliver.sent");
  if (sent === "sent") {
    await reportDelivery(job, delivery, "sent");
    return;
  }
  await world.seats.end(buildTurnMarker(world, state.bubbleId, turn));
  await report(job, {
    type: "turn-ended",
    turn: turn.id,
    attempt: turn.attempt,
    outcome: "asked",
    detail: "its process is gone; the answer goes into the next prompt",
  });
}

/** The process itself waits: all answers to its request go to it at once. False when it is there no more. */
async function answerWaiting(
  job: Job,
  turn: Turn,
  { request }: NonNullable<Delivery["reply"]>,
): Promise<boolean> {
  const { world, state, signal } = job;
  if (!(await world.seats.find(buildTurnMarker(world, state.bubbleId, turn)))) return false;
  const conversation = await world.talks.find(buildTurnMarker(world, state.bubbleId, turn), signal);
  if (!conversation) return signal.aborted;
  const answered = state.deliveries.filter((one) => one.turn === turn.id && one.reply?.request === request);
  conversation.answer(
    request,
    Object.fromEntries(answered.map(({ reply }) => [reply?.question ?? "", reply?.text ?? ""])),
  );
  for (const one of answered) await reportDelivery(job, one, "acknowledged");
  return true;
}

/** Keys sent into a dialog would be lost, so a screen that takes no words is waited for. */
async function putIntoPane(
  world: World,
  state: State,
  turn: Turn,
  delivery: Delivery,
): Promise<"sent" | "gone"> {
  const { adapter } = chooseAdapter(world, state, turn);
  if (adapter.readyMark) await waitUntilIdle(world, state, turn);
  const notice = await buildNotice(world, state, delivery);
  return world.seats.deliver(state.bubbleId, turn.agent, notice, adapter.readyMark);
}

const restMs = 5_000;

/** Words that come while it still works are only queued, and no hook tells when they are read. */
async function waitUntilIdle(world: World, state: State, turn: Turn): Promise<void> {
  const attempt = `${turn.id}.${turn.attempt}`;
  for (let waited = 0; waited < restMs; waited += pollMs) {
    if ((await world.runtime.noted(state.bubbleId, "rests")) === attempt) return;
    await world.clock.sleep(pollMs);
  }
}

async function buildNotice(world: World, state: State, delivery: Delivery): Promise<string> {
  const file = await world.records.here(
    state.bubbleId,
    `messages/${String(delivery.message).padStart(3, "0")}-human-reply.md`,
  );
  const words =
    delivery.text.length <= 200 && !delivery.text.includes("\n") ? delivery.text : "the human answered";
  return `[pairflow] ${state.bubbleId}: ${words} (${file})`;
}

/** Sent is not read: a hook's sign or the agent's next verb acknowledges; otherwise it is sent once more, then a human is told. */
async function awaitReading(job: Job, delivery: Delivery): Promise<void> {
  const { world, state, signal } = job;
  const since = delivery.sentAt ?? world.clock.now();
  for (let waited = 0; waited < world.acknowledgeMs && !signal.aborted; waited += pollMs) {
    const readAt = await world.runtime.noted(state.bubbleId, "read");
    if (readAt && readAt >= since) {
      await reportDelivery(job, delivery, "acknowledged");
      return;
    }
    await world.clock.sleep(pollMs, signal);
  }
  if (signal.aborted || !state.turn) return;
  const again = delivery.tries < 2 ? await putIntoPane(world, state, state.turn, delivery) : "gone";
  await reportDelivery(job, delivery, again === "sent" ? "sent" : "undelivered");
}

function reportDelivery(
  job: Job,
  { message, turn }: Delivery,
  status: "sent" | "acknowledged" | "undelivered",
): Promise<unknown> {
  return report(job, { type: "delivered", message, turn, status });
}
