// From panes to headless and back. Only between turns: an agent at work keeps its place, because moving it would be
// starting it again.
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import type { Turn } from "../../core/model/state/turn.ts";
import { isBeingStarted } from "../../core/state/turn-start.ts";
import { buildDriverMarker, buildWorkMarker, type World } from "../../engine/front/world.ts";
import { loadCallState, type OperatorCall } from "../trust/operator-call.ts";
import { createWorld } from "./world.ts";

const limitMs = 5000;
const pollMs = 50;

/** Ends the driver that has the bubble in another kind of seat; the caller starts one in this kind. */
export async function moveHere({ world, bubble }: OperatorCall): Promise<Refusal | undefined> {
  const driver = await world.runtime.living(bubble);
  if (!driver || driver.seat === world.seats.kind) return undefined;
  const { turn } = await loadCallState({ world, bubble });
  if (turn && (isBeingStarted(turn) || (await hasProcess(world, bubble, turn))))
    return refuse(
      "resume.agent-at-work",
      `${turn.agent} is at work; a bubble moves between turns`,
      `pairflow bubble status --id ${bubble} --watch`,
    );
  await createWorld(world.repo, driver.seat).seats.close(bubble);
  await world.processes.end(buildDriverMarker(world, bubble));
  for (let waited = 0; await world.runtime.living(bubble); waited += pollMs) {
    if (waited >= limitMs)
      return refuse(
        "driver.running",
        `${bubble} is driven by process ${driver.pid} in another terminal`,
        "end it there with Ctrl-C, then give the command again",
      );
    await world.clock.sleep(pollMs);
  }
  return undefined;
}

async function hasProcess(world: World, bubble: string, { id, attempt }: Turn): Promise<boolean> {
  return (await world.seats.find(buildWorkMarker(world, bubble, `${id}.${attempt}`))) !== undefined;
}
