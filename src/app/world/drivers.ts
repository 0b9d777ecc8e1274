// The two ways in which a bubble gets a driver: a process of this machine, or an offer to all of them.
import { buildDriverMarker, type World } from "../../engine/front/world.ts";
import type { Drivers } from "../../ports/record/drivers.ts";
import type { Offers } from "../../ports/record/offers.ts";
import { driveCommand } from "../host/package-root.ts";

export interface DriverStart extends Pick<World, "seats" | "processes" | "repo" | "tag"> {
  /** What a driver in the background gets: it hands on what each agent is due. */
  readonly env: Readonly<Record<string, string>>;
  /** Where a driver without a terminal writes what it says. */
  log(bubble: string): string;
}

/** Starts it here: in a pane, whose status command is the driver, or in the background. */
export function createSpawnedDrivers(start: DriverStart): Drivers {
  const { seats, processes, repo, env, log } = start;
  return {
    isHere: true,
    async want({ bubble, ...room }) {
      if (seats.kind === "tmux") await seats.open(bubble, room);
      else
        await processes.spawn({
          argv: [...driveCommand(repo, bubble, seats.kind), "--leave"],
          ...{ cwd: repo, env, output: log(bubble), work: buildDriverMarker(start, bubble) },
        });
      return "started";
    },
  };
}

/** Tells all machines that there is something to do. The one that takes it asks what it may run. */
export function createOfferedDrivers(offers: Pick<Offers, "want">): Drivers {
  return {
    isHere: false,
    async want({ bubble, needs }) {
      await offers.want(bubble, needs);
      return "offered";
    },
  };
}
