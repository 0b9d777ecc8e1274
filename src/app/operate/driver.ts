// Makes sure that a driver acts on a decision: one that lives, or a new one.
import { listDueEffects } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import { listNeededLabels } from "../../core/bubble/needed-labels.ts";
import type { Command } from "../../core/model/command.ts";
import type { CommandReply } from "../../engine/front/command.ts";
import { checkTrust, requireTrust } from "../../engine/front/trust.ts";
import { sendRootBase } from "../../engine/front/world.ts";
import { Failure, toSystemFailure } from "../../ports/failure.ts";
import {
  loadCallState,
  type OperatorCall,
  submit,
  toRefusedReply,
  type WithoutActor,
} from "../trust/operator-call.ts";
import { settleEnd } from "./end.ts";

/** Starts a driver when the bubble needs one and none lives; where several machines share the work, offers it to them. */
export async function ensureDriver({
  world,
  bubble,
}: OperatorCall): Promise<"running" | "started" | "offered" | "not-needed"> {
  const state = await loadCallState({ world, bubble });
  if (isFinal(state.lifecycle) || state.lifecycle === "CREATED" || !state.seat) return "not-needed";
  if (await world.runtime.living(bubble)) return "running";
  if (state.pause && listDueEffects(state).every(({ kind }) => kind === "notify")) return "not-needed";
  if (world.drivers.isHere) await requireTrust(world, state);
  else await sendRootBase(world, state);
  return world.drivers.want({
    bubble,
    needs: listNeededLabels(state),
    agents: [...new Set(Object.values(state.config.agents))],
    title: state.task.title,
    cwd: state.workspace?.path ?? world.repo,
  });
}

/**
 * Waits a moment for a driver that was just started: the next look must not say that nobody drives. A driver that
 * has written something since line `after` was there, even if it has left again.
 */
export async function waitUntilDriven({ world, bubble }: OperatorCall, after: number): Promise<void> {
  for (let tries = 0; tries < 80 && !(await world.runtime.living(bubble)); tries++) {
    if ((await loadCallState({ world, bubble })).seq > after) return;
    await world.clock.sleep(25);
  }
}

/** Puts a decision to the referee; if it was taken, somebody must act on it. */
export async function decideAndDrive(
  call: OperatorCall,
  command: WithoutActor<Command>,
  startDriver = true,
): Promise<CommandReply> {
  const { drivers } = call.world;
  // Where another machine acts on it, that one asks what it may run.
  const unconfirmed = drivers.isHere ? await checkTrust(call.world, await loadCallState(call)) : undefined;
  if (unconfirmed) return toRefusedReply(unconfirmed);
  const handled = await submit(call, command);
  if (handled.refusal || !startDriver) return handled;
  try {
    if (handled.state && isFinal(handled.state.lifecycle)) await settleEnd(call, handled.state);
    else if ((await ensureDriver(call)) === "started") await waitUntilDriven(call, handled.state?.seq ?? 0);
  } catch (error) {
    throw explainNotActedOn(call.bubble, handled, error);
  }
  return handled;
}

/** The decision is on the record, which a person must know before typing it again. */
function explainNotActedOn(bubble: string, { envelopes, state }: CommandReply, error: unknown): unknown {
  const cause = error instanceof Failure ? error : toSystemFailure(error);
  if (!cause) return error;
  const line = envelopes.at(-1)?.seq ?? state?.seq;
  const isOver = state && isFinal(state.lifecycle);
  return new Failure(
    "driver.not-started",
    `The command counted (line ${line}), but ${isOver ? "what was running could not be ended" : "nobody could be started to act on it"}: ${cause.message}`,
    { hint: `pairflow bubble ${isOver ? "stop" : "resume"} --id ${bubble}`, cause, retryable: true },
  );
}
