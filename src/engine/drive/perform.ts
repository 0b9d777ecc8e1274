// One effect, through its port. The outcome comes back as a command.
import type { Effect } from "../../core/bubble/due.ts";
import type { State } from "../../core/model/state.ts";
import { callFor } from "../../core/questions/notices.ts";
import { shownHead } from "../../ports/log.ts";
import { runBaseGates } from "../gates/base-gates.ts";
import { runFinalGates } from "../gates/final-gates.ts";
import { runGates } from "../gates/gates.ts";
import { prepare } from "../gates/prepare.ts";
import { handle, load } from "../handle/handle.ts";
import { mindChild, pauseChild, startWorkflow, stopChild } from "../steps/child.ts";
import { keepTime } from "../steps/clock.ts";
import { assembleContext } from "../steps/context.ts";
import { joinChildren } from "../steps/join.ts";
import { keepPlan } from "../steps/keep-plan.ts";
import { learn } from "../steps/learn.ts";
import { writePackage } from "../steps/package.ts";
import { reportToParent } from "../steps/report.ts";
import { deliver } from "../turns/deliver.ts";
import { lockArtifacts } from "../turns/lock.ts";
import { snapshot } from "../turns/snapshot.ts";
import { startTurn } from "../turns/turn.ts";
import { watchTurn } from "../turns/watch.ts";
import { renewPairSession } from "../views/pair-integrity.ts";
import { writeReviewViews } from "../views/review-views.ts";
import { type World, workMarker } from "../world/world.ts";

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
