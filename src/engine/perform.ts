// One effect, through its port. The outcome comes back as a command.
import type { Effect } from "../core/bubble/due.ts";
import type { State } from "../core/model/state.ts";
import { callFor } from "../core/questions/notices.ts";
import { shownHead } from "../ports/log.ts";
import { handle, load } from "./handle.ts";
import { learn } from "./learn.ts";
import { renewPairSession } from "./pair-integrity.ts";
import { runBaseGates } from "./perform/base-gates.ts";
import { mindChild, pauseChild, startWorkflow, stopChild } from "./perform/child.ts";
import { keepTime } from "./perform/clock.ts";
import { assembleContext } from "./perform/context.ts";
import { deliver } from "./perform/deliver.ts";
import { runFinalGates } from "./perform/final-gates.ts";
import { runGates } from "./perform/gates.ts";
import { joinChildren } from "./perform/join.ts";
import { keepPlan } from "./perform/keep-plan.ts";
import { lockArtifacts } from "./perform/lock.ts";
import { writePackage } from "./perform/package.ts";
import { prepare } from "./perform/prepare.ts";
import { reportToParent } from "./perform/report.ts";
import { snapshot } from "./perform/snapshot.ts";
import { startTurn } from "./perform/turn.ts";
import { watchTurn } from "./perform/watch.ts";
import { writeReviewViews } from "./review-views.ts";
import { type World, workMarker } from "./world.ts";

export async function perform(
  world: World,
  state: State,
  effect: Effect,
  driver: string,
  signal: AbortSignal,
): Promise<void> {
  switch (effect.kind) {
    case "prepare":
      return prepare(world, state, driver);
    case "start-turn":
      return startTurn(world, state, effect.turn, driver, signal);
    case "watch-turn":
      return watchTurn(world, state, effect.turn, driver, signal);
    case "snapshot":
      return snapshot(world, state, effect.turn, driver);
    case "gates":
      return runGates(world, state, effect.tree, driver, signal);
    case "base-gates":
      return runBaseGates(world, state, effect.tree, driver, signal);
    case "final-gates":
      return runFinalGates(world, state, effect.tree, driver, signal);
    case "package":
      return writePackage(world, state, effect.tree, driver);
    case "deliver":
      return deliver(world, state, effect.delivery, driver, signal);
    case "lock":
      return lockArtifacts(world, state, effect.tree, driver);
    case "context":
      return assembleContext(world, state, effect.tree, driver);
    case "go-on":
      return goOn(world, state, effect.entered, driver);
    case "clock":
      return keepTime(world, state, effect, driver, signal);
    case "pair-session":
      return renewPairSession(world, state, effect.task, driver);
    case "child":
      return mindChild(world, state, effect, driver, signal);
    case "stop-child":
      return stopChild(world, state, effect, driver);
    case "pause-child":
      return pauseChild(world, state, effect);
    case "join":
      return joinChildren(world, state, driver);
    case "report":
      return reportToParent(world, state);
    case "keep-plan":
      return keepPlan(world, state, effect, driver);
    case "start-workflow":
      return startWorkflow(world, state, effect, driver);
    case "notify":
      return tell(world, state, effect);
    case "learn":
      return learn(world);
    case "close":
      return close(world, state, driver);
  }
}

/** Steps that need nobody, as many as one command takes. */
async function goOn(world: World, state: State, entered: number, driver: string): Promise<void> {
  await handle(world, state.bubbleId, { type: "go-on", actor: { kind: "driver", id: driver }, entered });
}

async function tell(world: World, state: State, effect: Extract<Effect, { kind: "notify" }>): Promise<void> {
  const call = callFor(state.config.notifications, effect.event);
  if (!call) return;
  const { head } = await load(world, state.bubbleId);
  await world.notifier.tell({
    event: effect.event,
    bubble: state.bubbleId,
    // Whoever reads it on a phone can tell a rewritten past by it.
    text: `${effect.text} (record: ${shownHead(head, world.log.hashOf(head))})`,
    ...call,
  });
}

/** The bubble has ended: nothing of it keeps running. */
async function close(world: World, state: State, driver: string): Promise<void> {
  await world.processes.end(workMarker(world, state.bubbleId, "*"));
  await writeReviewViews(world, state.bubbleId, driver);
}
