// Starting a bubble.
import type { BubbleConfig } from "../../core/model/config.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { changeText, settingChanges } from "../../core/state/settings.ts";
import { firstBeat } from "../../engine/drive/drive.ts";
import { prepare } from "../../engine/front/front.ts";
import { type Handled, handle } from "../../engine/handle/handle.ts";
import { workMarker } from "../../engine/world/world.ts";
import { findProgram, installLine } from "../host/programs.ts";
import { type OperatorCall, operator, refusedNow, stateOf } from "../trust/operator-call.ts";
import { readConfigAgain } from "./config.ts";

/** Starts a bubble: the workspace is made here, so that its troubles are seen here; then a driver takes over. */
export async function start(
  call: OperatorCall,
  seat: string,
  tell: (line: string) => void = () => {},
): Promise<Handled> {
  const { config: written } = await stateOf(call);
  const refusal = (await startRefused(call, seat)) ?? (await readConfigAgain(call, "start"));
  if (refusal) return { state: undefined, envelopes: [], refusal };
  const before = await stateOf(call);
  for (const line of gateChanges(written, before.config)) tell(line);
  if (before.lifecycle !== "PREPARING_WORKSPACE") {
    const started = await handle(call.world, call.bubble, { type: "start", actor: operator(call), seat });
    if (started.refusal) return started;
  }
  if (before.config.setup) tell(`Setting up: ${before.config.setup}`);
  return prepareAlone(call);
}

/** A start that was cut off while the workspace was made is taken up again. */
async function startRefused(call: OperatorCall, seat: string): Promise<Refusal | undefined> {
  if ((await stateOf(call)).lifecycle !== "PREPARING_WORKSPACE") {
    const refusal = await refusedNow(call, { type: "start", seat });
    if (refusal) return refusal;
  }
  return seat === "tmux" ? tmuxRefused(`pairflow bubble start --id ${call.bubble} --headless`) : undefined;
}

/** Gates decide what is accepted: whoever starts the bubble sees that they are not those that were confirmed at its creation. */
const gateChanges = (before: BubbleConfig, after: BubbleConfig): string[] =>
  settingChanges({ ...after, commands: before.commands }, after).map(
    (change) => `Gates changed in bubble.toml: ${changeText(change)}`,
  );

/** Said before anything is on the record: a bubble that was started for panes cannot be started again without them. */
export function tmuxRefused(without: string): Refusal | undefined {
  if (findProgram("tmux", "/")) return undefined;
  return refuse("tmux.not-found", "tmux is not installed, or not on the PATH", without, [
    `to install it: ${installLine("tmux")}`,
  ]);
}

/** Two starts at once would disturb each other in git, so the workspace is made by whoever holds the driver's place. */
async function prepareAlone(call: OperatorCall): Promise<Handled> {
  const { world, bubble } = call;
  const driver = world.chance.id();
  const claim = await world.runtime.claim(bubble, firstBeat(world, bubble, driver));
  if (!claim.ok) {
    const message = `${bubble} is being started by process ${claim.holder.pid}`;
    const refusal = refuse("start.already", message, `pairflow bubble status --id ${bubble}`);
    return { state: undefined, envelopes: [], refusal };
  }
  try {
    const state = await stateOf(call);
    if (state.lifecycle === "PREPARING_WORKSPACE") {
      // A start that was killed leaves its setup command running.
      await world.processes.end(workMarker(world, bubble, "setup*"));
      await prepare(world, state, "operator");
    }
    return { state: await stateOf(call), envelopes: [] };
  } finally {
    await world.runtime.release(bubble, driver);
  }
}
