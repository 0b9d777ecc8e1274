// bubble.toml read again: what was changed in it since is taken over, or refused. Who changed it is not known.
import type { Refusal } from "../../core/model/refusal.ts";
import type { Lifecycle } from "../../core/model/state.ts";
import { handle } from "../../engine/handle/handle.ts";
import { agentsRefused } from "../agents/ready.ts";
import { parseBubbleToml } from "../config/bubble-file.ts";
import { configFile } from "../host/locate.ts";
import { secretRefused } from "../secrets/refused.ts";
import { confirmSettings } from "../trust/confirm.ts";
import { type Desk, operator, refusedNow, stateOf } from "../trust/desk.ts";

/** Takes over what changed in bubble.toml since; a file that says the impossible is an error, and nothing of it counts. */
export async function readConfigAgain(desk: Desk, readAt: ReadAt): Promise<Refusal | undefined> {
  const file = configFile(desk.world.repo, desk.bubble);
  const text = await desk.world.records.readConfig(desk.bubble);
  const { lifecycle, config: known, profile } = await stateOf(desk);
  const config = text === undefined ? known : parseBubbleToml(text, file);
  const command = { type: "configure", config, readAt } as const;
  const wrong =
    secretRefused(desk.world, config, file) ??
    (await refusedNow(desk, command)) ??
    (turnsToCome.includes(lifecycle) ? agentsRefused(config, file, desk.world.seats.kind) : undefined);
  if (wrong || text === undefined) return wrong;
  const unconfirmed = await confirmSettings(desk, { config, gates: profile.gates });
  if (unconfirmed) return unconfirmed;
  return (await handle(desk.world, desk.bubble, { ...command, actor: operator(desk) })).refusal;
}

type ReadAt = "start" | "resume" | "redo";

const turnsToCome: readonly Lifecycle[] = ["CREATED", "PREPARING_WORKSPACE", "RUNNING", "WAITING_HUMAN"];
