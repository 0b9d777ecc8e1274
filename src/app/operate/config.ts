// bubble.toml read again: what was changed in it since is taken over, or refused. Who changed it is not known.
import type { Refusal } from "../../core/model/refusal.ts";
import type { Lifecycle } from "../../core/model/state.ts";
import { handle } from "../../engine/handle/handle.ts";
import { agentsRefused } from "../agents/ready.ts";
import { parseBubbleToml } from "../config/bubble-file.ts";
import { configFile } from "../host/locate.ts";
import { secretRefused } from "../secrets/refused.ts";
import { confirmSettings } from "../trust/confirm.ts";
import { type OperatorCall, operator, refusedNow, stateOf } from "../trust/operator-call.ts";

/** Takes over what changed in bubble.toml since; a file that says the impossible is an error, and nothing of it counts. */
export async function readConfigAgain(call: OperatorCall, readAt: ReadAt): Promise<Refusal | undefined> {
  const file = configFile(call.world.repo, call.bubble);
  const text = await call.world.records.readConfig(call.bubble);
  const { lifecycle, config: known, profile } = await stateOf(call);
  const config = text === undefined ? known : parseBubbleToml(text, file);
  const command = { type: "configure", config, readAt } as const;
  const wrong =
    secretRefused(call.world, config, file) ??
    (await refusedNow(call, command)) ??
    (turnsToCome.includes(lifecycle) ? agentsRefused(config, file, call.world.seats.kind) : undefined);
  if (wrong || text === undefined) return wrong;
  const unconfirmed = await confirmSettings(call, { config, gates: profile.gates });
  if (unconfirmed) return unconfirmed;
  return (await handle(call.world, call.bubble, { ...command, actor: operator(call) })).refusal;
}

type ReadAt = "start" | "resume" | "redo";

const turnsToCome: readonly Lifecycle[] = ["CREATED", "PREPARING_WORKSPACE", "RUNNING", "WAITING_HUMAN"];
