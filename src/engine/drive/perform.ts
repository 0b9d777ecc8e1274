// Performs one effect through its port. The result comes back as a command.
import type { Effect, EffectOf } from "../../core/bubble/due/effect.ts";
import type { State } from "../../core/model/state.ts";
import { parseTime } from "../../core/model/value/time.ts";
import { findCallFor } from "../../core/questions/notices.ts";
import { formatHead } from "../../ports/record/log.ts";
import { runBaseGates } from "../gates/clean/base.ts";
import { runFinalGates } from "../gates/clean/final.ts";
import { prepareWorkspace } from "../gates/prepare.ts";
import { runGates } from "../gates/run.ts";
import { load } from "../handle/command.ts";
import { type Job, report, type ShortJob } from "../handle/job.ts";
import { pauseChild, startWorkflow, stopChild, superviseChild } from "../steps/child.ts";
import { assembleContext } from "../steps/context.ts";
import { joinChildren } from "../steps/join.ts";
import { keepPlan } from "../steps/keep-plan.ts";
import { learn } from "../steps/learn.ts";
import { writePackage } from "../steps/package.ts";
import { reportToParent } from "../steps/report.ts";
import { updateBase } from "../steps/update-base.ts";
import { lockArtifacts } from "../turns/artifact-lock.ts";
import { deliver } from "../turns/deliver.ts";
import { takeSnapshot } from "../turns/snapshot.ts";
import { startTurn } from "../turns/start.ts";
import { watchTurn } from "../turns/watch.ts";
import { renewPairSession } from "../views/pair-integrity.ts";
import { writeReviewViews } from "../views/reviews.ts";
import { recordNow, sleepFor } from "../world/stopwatch.ts";
import { buildWorkMarker, type World } from "../world/world.ts";

export async function performEffect(job: Job, effect: Effect): Promise<void> {
  const { world, state, driver } = job;
  switch (effect.kind) {
    case "prepare":
      return prepareWorkspace(job);
    case "start-turn":
      return startTurn(job, effect.turn);
    case "watch-turn":
      return watchTurn(job, effect.turn);
    case "snapshot":
      return takeSnapshot(job, effect.turn);
    case "gates":
      return runGates(job, effect.tree);
    case "base-gates":
      return runBaseGates(job, effect.tree);
    case "final-gates":
      return runFinalGates(job, effect.tree);
    case "package":
      return writePackage(job, effect.tree);
    case "deliver":
      return deliver(job, effect.delivery);
    case "lock":
      return lockArtifacts(job, effect.tree);
    case "context":
      return assembleContext(job, effect.tree);
    case "go-on":
      return goOn(job, effect.entered);
    case "clock":
      return keepTime(job, effect);
    case "pair-session":
      return renewPairSession(world, state, effect.task, driver);
    case "child":
      return superviseChild(job, effect);
    case "stop-child":
      return stopChild(job, effect);
    case "pause-child":
      return pauseChild(world, state, effect);
    case "join":
      return joinChildren(job);
    case "update-base":
      return updateBase(job, effect.to);
    case "report":
      return reportToParent(world, state);
    case "keep-plan":
      return keepPlan(job, effect);
    case "start-workflow":
      return startWorkflow(job, effect);
    case "notify":
      return tell(world, state, effect);
    case "learn":
      return learn(world);
    case "close":
      return close(job);
  }
}

/** Steps that need nobody, as many as one command takes. */
async function goOn(job: ShortJob, entered: number): Promise<void> {
  await report(job, { type: "go-on", entered });
}

async function tell(world: World, state: State, effect: Extract<Effect, { kind: "notify" }>): Promise<void> {
  const call = findCallFor(state.config.notifications, effect.event);
  if (!call) return;
  const { head } = await load(world, state.bubbleId);
  await world.notifier.tell({
    event: effect.event,
    bubble: state.bubbleId,
    // A person who reads it on a phone can recognise a rewritten past by it.
    text: `${effect.text} (record: ${formatHead(head, world.log.hashOf(head))})`,
    ...call,
  });
}

/** The bubble has ended: nothing of it keeps running. */
async function close(job: ShortJob): Promise<void> {
  const { world, state, driver } = job;
  await world.processes.end(buildWorkMarker(world, state.bubbleId, "*"));
  await writeReviewViews(world, state.bubbleId, driver);
}

// Waiting for a moment that the record names: a wait is over, or a step or the run has had its time.
async function keepTime(job: Job, { what, at, entered }: EffectOf<"clock">): Promise<void> {
  const { world, state, signal } = job;
  await sleepFor(world, at - parseTime(recordNow(world, state)), signal);
  if (signal.aborted) return;
  await report(job, { type: "time-up", what, entered, measured: true });
}
