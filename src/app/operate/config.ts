// bubble.toml read again: what was changed in it since is taken over, or refused. Who changed it is not known.
import type { Refusal } from "../../core/model/refusal.ts";
import type { Lifecycle } from "../../core/model/state.ts";
import { handle } from "../../engine/handle.ts";
import { agentsRefused } from "../agents-ready.ts";
import { parseBubbleToml } from "../config/bubble-file.ts";
import { configFile } from "../locate.ts";
import { secretRefused } from "../secrets/refused.ts";
import { confirmSettings } from "../trust/confirm.ts";
import { type Desk, operator, stateOf } from "./desk.ts";

/** Takes over what changed in bubble.toml since; a file that says the impossible is an error, not ignored. */
export async function readConfigAgain(
  desk: Desk,
  readAt: "start" | "resume" | "redo",
): Promise<Refusal | undefined> {
  const file = configFile(desk.world.repo, desk.bubble);
  const text = await desk.world.records.readConfig(desk.bubble);
  if (text !== undefined) {
    const config = parseBubbleToml(text, file);
    const secret = secretRefused(desk.world, config, file);
    if (secret) return secret;
    const unconfirmed = await confirmSettings(desk, { config, gates: (await stateOf(desk)).profile.gates });
    if (unconfirmed) return unconfirmed;
    const { refusal } = await handle(desk.world, desk.bubble, {
      type: "configure",
      actor: operator(desk),
      config,
      readAt,
    });
    if (refusal) return refusal;
  }
  const { lifecycle, config } = await stateOf(desk);
  return turnsToCome.includes(lifecycle) ? agentsRefused(config, file, desk.world.seats.kind) : undefined;
}

const turnsToCome: readonly Lifecycle[] = ["CREATED", "PREPARING_WORKSPACE", "RUNNING", "WAITING_HUMAN"];
