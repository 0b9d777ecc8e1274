// Which gates were found to be green on a base only with the network: kept by their command for a day, so that a person who
// creates the next bubble is asked about it before anything runs.
import type { Gate, Profile } from "../../core/model/gate.ts";
import type { World } from "./world.ts";

type Keeping = Pick<World, "baseRuns" | "hash">;

export async function keepNetworkNeed(world: Keeping, { name, command }: Gate): Promise<void> {
  await world.baseRuns.put(getKey(world, command), name);
}

/** The profile with `network: on` for these gates, unless somebody has said otherwise; it is still to be confirmed. */
export async function proposeNetwork(world: Keeping, profile: Profile): Promise<Profile> {
  const gates = await Promise.all(
    profile.gates.map(async (gate): Promise<Gate> => {
      const isKnown =
        gate.network === undefined && (await world.baseRuns.get(getKey(world, gate.command))) !== undefined;
      return isKnown ? { ...gate, network: "on" } : gate;
    }),
  );
  return { ...profile, gates };
}

const getKey = ({ hash }: Keeping, command: string): string =>
  hash.sha256(JSON.stringify(["network", command]));
