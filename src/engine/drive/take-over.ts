import { isFinal } from "../../core/bubble/lifecycle.ts";
import { isWorktreeOn } from "../../core/state/hosts.ts";
import { Failure } from "../../ports/failure.ts";
import type { Head } from "../../ports/record/log.ts";
import { handle, load } from "../handle/command.ts";
import { buildWorkMarker, getWorkspacePlace, type World } from "../world/world.ts";

/** A new driver ends the gates its predecessor left behind; living turns are adopted by whoever watches them. */
export async function takeOver(
  world: World,
  bubble: string,
  driver: string,
): Promise<{ readonly head: Head; readonly hasClaimed: boolean }> {
  const { state, head } = await load(world, bubble, true);
  if (!state)
    throw new Failure("bubble.unknown", `there is no bubble ${bubble}`, { hint: "pairflow bubble list" });
  if (isFinal(state.lifecycle)) return { head, hasClaimed: false };
  await world.processes.end(buildWorkMarker(world, bubble, "gate-*"));
  await world.processes.end(buildWorkMarker(world, bubble, "setup*"));
  world.crashPoint("drive.leftovers");
  const agents = [...new Set(Object.values(state.config.agents))];
  await world.seats.open(bubble, {
    cwd: isWorktreeOn(state, world.host) ? getWorkspacePlace(world, state).path : world.repo,
    agents,
    title: state.task.title,
  });
  await handle(world, bubble, {
    type: "claim-driver",
    actor: { kind: "driver", id: driver },
    pid: world.pid,
    host: world.host,
    seat: world.seats.kind,
  });
  return { head, hasClaimed: true };
}
