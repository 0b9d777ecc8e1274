// A running turn: adopt it if it lives, and notice when its process ends without an answer.
import type { Turn } from "../../core/model/state/turn.ts";
import type { State } from "../../core/model/state.ts";
import type { TurnTrouble } from "../../core/model/turn-end.ts";
import { extractLastLines } from "../../core/text/last-lines.ts";
import type { SeatedTurn } from "../../ports/agent/seat.ts";
import { load } from "../handle/command.ts";
import { type Job, report, type ShortJob } from "../handle/job.ts";
import { buildTurnMarker, type World } from "../world/world.ts";
import { runTurnConversation } from "./conversation.ts";
import { endFlood } from "./output-limit.ts";
import { isPaneSessionless, PaneTrouble, recordPaneUsage } from "./pane-session.ts";
import { buildStartNotice } from "./prompt/request.ts";
import { isStillWanted } from "./wanted.ts";

const pollMs = 250;

/** Returns when the turn is over one way or another; reports an end without an answer. */
export async function watchTurn(job: Job, turn: Turn): Promise<void> {
  const { world, state, signal } = job;
  const seated = await world.seats.find(buildTurnMarker(world, state.bubbleId, turn));
  if (seated && turn.pid === undefined) await adopt(job, turn, seated);
  const wasSeen = seated !== undefined || turn.pid !== undefined;
  if (turn.seat === "process" && wasSeen) await runTurnConversation(job, turn, seated);
  else await watchPane(job, turn, seated);
  if (signal.aborted) await endUnwanted(world, state, turn);
}

/**
 * Nobody waits for this attempt any more (a budget or its time is used up, it was silent for too long, its step was
 * taken back): its process must not continue.
 */
async function endUnwanted(world: World, state: State, turn: Turn): Promise<void> {
  if (!(await isStillWanted(world, state.bubbleId, turn)))
    await world.seats.end(buildTurnMarker(world, state.bubbleId, turn));
}

async function watchPane(job: Job, turn: Turn, first: SeatedTurn | undefined): Promise<void> {
  const { world, state, driver, signal } = job;
  const trouble = await waitUntilGone(world, state, turn, first, signal);
  if (signal.aborted) return;
  const { state: now } = await load(world, state.bubbleId);
  if (!now || now.turn?.id !== turn.id || now.turn.attempt !== turn.attempt || now.turn.status !== "running")
    return;
  if (now.questions.some((question) => question.turn === turn.id && question.kind === "agent")) return;
  await recordPaneUsage({ world, state: now, driver }, turn);
  await report(job, {
    type: "turn-ended",
    turn: turn.id,
    attempt: turn.attempt,
    ...(trouble ?? (await findHowEnded(world, now, now.turn))),
    ...(first === undefined ? { unseen: true } : {}),
    ...((await isPaneSessionless(world, now, turn)) ? { sessionless: true } : {}),
  });
}

const looksEvery = 4;

/** Returns when the process is gone, or with the trouble its session is in although it still shows its screen. */
async function waitUntilGone(
  world: World,
  state: State,
  turn: Turn,
  first: SeatedTurn | undefined,
  signal: AbortSignal,
): Promise<TurnTrouble | undefined> {
  const session = new PaneTrouble(world, state, turn);
  for (
    let seated = first;
    seated;
    seated = await world.seats.find(buildTurnMarker(world, state.bubbleId, turn))
  ) {
    for (let polls = 1; !signal.aborted && (await world.seats.alive(seated)); polls += 1) {
      await world.clock.sleep(pollMs, signal);
      const flood = await endFlood(world, turn, buildTurnMarker(world, state.bubbleId, turn));
      const trouble = flood ?? (polls % looksEvery === 0 ? await session.look() : undefined);
      if (trouble) return trouble;
    }
    if (signal.aborted) return undefined;
  }
  return undefined;
}

/** An attempt whose process was never seen died with its driver, not by the agent's doing: it counts as no failure. */
async function findHowEnded(
  world: World,
  state: State,
  turn: Turn,
): Promise<{ outcome: "asked" | "crashed" | "superseded"; detail: string }> {
  if (state.deliveries.length > 0)
    return { outcome: "asked", detail: "the answer goes into the next prompt" };
  if (turn.pid === undefined) return { outcome: "superseded", detail: "its process was never started" };
  return { outcome: "crashed", detail: await describeCrash(world, state, turn) };
}

/** What the process printed last: the first thing a person asks for when an agent is lost. */
async function describeCrash(world: World, state: State, turn: Turn): Promise<string> {
  const output = turn.output ? await world.scratch.text(turn.output) : "";
  const said = extractLastLines(world.redaction.redact(output), 400, buildStartNotice(world, state, turn));
  return `the process ended without handing over${said ? `; it printed last: ${said}` : ""}`;
}

async function adopt(job: ShortJob, turn: Turn, seated: { pid: number; tty?: string }): Promise<void> {
  await report(job, { type: "turn-spawned", turn: turn.id, attempt: turn.attempt, ...seated });
}
