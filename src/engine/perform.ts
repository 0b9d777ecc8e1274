// One effect, through its port. The outcome comes back as a command.
import type { Effect } from "../core/bubble/due.ts";
import type { State } from "../core/model/state.ts";
import { deliver } from "./perform/deliver.ts";
import { runGates } from "./perform/gates.ts";
import { writePackage } from "./perform/package.ts";
import { prepare } from "./perform/prepare.ts";
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
    case "package":
      return writePackage(world, state, effect.tree, driver);
    case "deliver":
      return deliver(world, state, effect.delivery, driver, signal);
    case "notify":
      return tell(world, state, effect);
    case "close":
      return close(world, state, driver);
  }
}

async function tell(world: World, state: State, effect: Extract<Effect, { kind: "notify" }>): Promise<void> {
  const { enabled, waiting_human_sound, converged_sound, command } = state.config.notifications;
  if (!enabled) return;
  const sound = effect.event === "converged" ? converged_sound : waiting_human_sound;
  await world.notifier.tell({
    event: effect.event,
    bubble: state.bubbleId,
    text: effect.text,
    ...(sound ? { sound } : {}),
    ...(command ? { command } : {}),
  });
}

/** The bubble has ended: nothing of it keeps running. */
async function close(world: World, state: State, driver: string): Promise<void> {
  await world.processes.end(workMarker(world, state.bubbleId, "*"));
  await writeReviewViews(world, state.bubbleId, driver);
}
