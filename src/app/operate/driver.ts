// A decision needs somebody who acts on it: a driver that lives, or a new one.
import { due } from "../../core/bubble/due.ts";
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { Command } from "../../core/model/command.ts";
import { type Handled, handle } from "../../engine/handle/handle.ts";
import { requireTrust, trustRefused } from "../../engine/world/trust.ts";
import { driverMarker } from "../../engine/world/world.ts";
import { Failure, systemFailure } from "../../ports/failure.ts";
import { driveCommand } from "../host/package-root.ts";
import { type OperatorCall, operator, stateOf, type WithoutActor } from "../trust/operator-call.ts";
import { settleEnd } from "./end.ts";

/** Starts a driver when the bubble needs one and none lives. */
export async function ensureDriver({
  world,
  bubble,
}: OperatorCall): Promise<"running" | "started" | "not-needed"> {
  const state = await stateOf({ world, bubble });
  if (isFinal(state.lifecycle) || state.lifecycle === "CREATED" || !state.seat) return "not-needed";
  if (await world.runtime.living(bubble)) return "running";
  if (state.pause && due(state).every(({ kind }) => kind === "notify")) return "not-needed";
  await requireTrust(world, state);
  if (world.seats.kind === "tmux") {
    const agents = [...new Set(Object.values(state.config.agents))];
    await world.seats.open(bubble, {
      cwd: state.workspace?.path ?? state.config.repo_path,
      agents,
      title: state.task.title,
    });
    return "started";
  }
  const argv = [...driveCommand(state.config.repo_path, bubble, world.seats.kind), "--leave"];
  await world.processes.spawn({
    argv,
    cwd: state.config.repo_path,
    env: world.driverEnv,
    output: world.paths.output(bubble, "driver.log"),
    work: driverMarker(world, bubble),
  });
  return "started";
}

/**
 * Waits a moment for a driver that was just started: whoever looks next shall not read that nobody drives. A driver that
 * has written something since line `after` was there, even if it has left again.
 */
export async function untilDriven({ world, bubble }: OperatorCall, after: number): Promise<void> {
  for (let tries = 0; tries < 80 && !(await world.runtime.living(bubble)); tries++) {
    if ((await stateOf({ world, bubble })).seq > after) return;
    await world.clock.sleep(25);
  }
}

/** Puts a decision to the referee; if it was taken, somebody must act on it. */
export async function decideAndDrive(
  call: OperatorCall,
  command: WithoutActor<Command>,
  startDriver = true,
): Promise<Handled> {
  const unconfirmed = await trustRefused(call.world, await stateOf(call));
  if (unconfirmed) return { state: undefined, envelopes: [], refusal: unconfirmed };
  const handled = await handle(call.world, call.bubble, { ...command, actor: operator(call) } as Command);
  if (handled.refusal || !startDriver) return handled;
  try {
    if (handled.state && isFinal(handled.state.lifecycle)) await settleEnd(call, handled.state);
    else if ((await ensureDriver(call)) === "started") await untilDriven(call, handled.state?.seq ?? 0);
  } catch (error) {
    throw notActedOn(call.bubble, handled, error);
  }
  return handled;
}

/** The decision is on the record, which whoever typed it must know before typing it again. */
function notActedOn(bubble: string, { envelopes, state }: Handled, error: unknown): unknown {
  const cause = error instanceof Failure ? error : systemFailure(error);
  if (!cause) return error;
  const line = envelopes.at(-1)?.seq ?? state?.seq;
  const isOver = state && isFinal(state.lifecycle);
  return new Failure(
    "driver.not-started",
    `The command counted (line ${line}), but ${isOver ? "what was running could not be ended" : "nobody could be started to act on it"}: ${cause.message}`,
    { hint: `pairflow bubble ${isOver ? "stop" : "resume"} --id ${bubble}`, cause, retryable: true },
  );
}
