// Starting a bubble.
import type { BubbleConfig } from "../../core/model/config.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { describeChange, listSettingChanges } from "../../core/state/settings.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { prepareFirst } from "../../engine/front/drive.ts";
import { findProgram, installLine } from "../host/programs.ts";
import {
  checkCommand,
  loadCallState,
  type OperatorCall,
  submit,
  toRefusedReply,
} from "../trust/operator-call.ts";
import { readConfigAgain } from "./config.ts";

export interface StartOptions {
  readonly tell?: (line: string) => void;
  /** The caller drives it afterwards, also where several machines share the work. */
  readonly drivesHere?: boolean;
  /** Ends a setup command that is running: the bubble stays as it is, and the next start makes its workspace. */
  readonly signal?: AbortSignal;
}

/** Starts a bubble: the workspace is made here, so that its troubles are seen here; then a driver takes over. */
export async function startBubble(
  call: OperatorCall,
  seat: string,
  { tell = () => {}, drivesHere = false, signal = new AbortController().signal }: StartOptions = {},
): Promise<CommandReply> {
  const written = await loadCallState(call);
  const { isHere } = call.world.drivers;
  const refusal =
    (await checkStart(call, written, seat)) ?? (await readConfigAgain(call, "start", isHere || drivesHere));
  if (refusal) return toRefusedReply(refusal);
  const before = await loadCallState(call);
  for (const line of listGateChanges(written.config, before.config)) tell(line);
  if (before.lifecycle !== "PREPARING_WORKSPACE") {
    const started = await submit(call, { type: "start", seat });
    if (started.refusal) return started;
  }
  // Where several machines share the work, the machine that takes the bubble makes the workspace.
  if (call.world.offers && !drivesHere) return { state: await loadCallState(call), envelopes: [] };
  if (before.config.setup) tell(`Setting up: ${before.config.setup}`);
  const { holder } = await prepareFirst(call.world, call.bubble, signal);
  if (!holder) return leaveOrContinue(call, await loadCallState(call), signal);
  const message = `${call.bubble} is being started by process ${holder.pid}`;
  return toRefusedReply(refuse("start.already", message, `pairflow bubble status --id ${call.bubble}`));
}

/** Who pressed Ctrl-C meanwhile wants no driver. */
function leaveOrContinue({ bubble }: OperatorCall, state: State, signal: AbortSignal): CommandReply {
  if (!signal.aborted || state.lifecycle !== "PREPARING_WORKSPACE") return { state, envelopes: [] };
  const message = `${bubble} was left before its workspace was ready; nothing is lost`;
  return toRefusedReply(refuse("start.left", message, `pairflow bubble start --id ${bubble}`));
}

/** A start that was cut off while the workspace was made is taken up again. */
async function checkStart(call: OperatorCall, state: State, seat: string): Promise<Refusal | undefined> {
  if (state.lifecycle !== "PREPARING_WORKSPACE") {
    const refusal = await checkCommand(call, { type: "start", seat }, state);
    if (refusal) return refusal;
  }
  return seat === "tmux" && !call.world.offers
    ? checkTmuxPresent(`pairflow bubble start --id ${call.bubble} --headless`)
    : undefined;
}

/** Gates decide what is accepted: the person who starts the bubble sees that they are not those that were confirmed at its creation. */
const listGateChanges = (before: BubbleConfig, after: BubbleConfig): string[] =>
  listSettingChanges({ ...after, commands: before.commands }, after).map(
    (change) => `Gates changed in bubble.toml: ${describeChange(change)}`,
  );

/** Said before anything is on the record: a bubble that was started for panes cannot be started again without them. */
export function checkTmuxPresent(without: string): Refusal | undefined {
  if (findProgram("tmux", "/")) return undefined;
  return refuse("tmux.not-found", "tmux is not installed, or not on the PATH", without, [
    `to install it: ${installLine("tmux")}`,
  ]);
}
