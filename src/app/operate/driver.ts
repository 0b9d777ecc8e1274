// A decision needs somebody who acts on it: a driver that lives, or a new one.
import { isFinal } from "../../core/bubble/lifecycle.ts";
import type { Command } from "../../core/model/command.ts";
import { type Handled, handle } from "../../engine/handle.ts";
import { driverMarker } from "../../engine/world.ts";
import { driveCommand } from "../package-root.ts";
import { type Desk, operator, stateOf } from "./desk.ts";
import { settleEnd } from "./end.ts";

/** Starts a driver when the bubble needs one and none lives. */
export async function ensureDriver({ world, bubble }: Desk): Promise<"running" | "started" | "not-needed"> {
  const state = await stateOf({ world, bubble });
  if (isFinal(state.lifecycle) || state.lifecycle === "CREATED" || !state.seat) return "not-needed";
  if (await world.runtime.living(bubble)) return "running";
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

/** Puts a decision to the referee; if it was taken, somebody must act on it. */
export async function decideAndDrive(
  desk: Desk,
  command: WithoutActor<Command>,
  startDriver = true,
): Promise<Handled> {
  const handled = await handle(desk.world, desk.bubble, { ...command, actor: operator(desk) } as Command);
  if (handled.refusal || !startDriver) return handled;
  if (handled.state && isFinal(handled.state.lifecycle)) await settleEnd(desk, handled.state);
  else await ensureDriver(desk);
  return handled;
}
type WithoutActor<T> = T extends unknown ? Omit<T, "actor"> : never;
