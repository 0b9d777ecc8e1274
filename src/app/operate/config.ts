// bubble.toml read again: what was changed in it since is taken over, or refused. Who changed it is not known.
import type { Refusal } from "../../core/model/refusal.ts";
import type { Lifecycle } from "../../core/model/state.ts";
import { checkAgentsReady } from "../agents/ready.ts";
import { parseBubbleToml } from "../config/bubble-file.ts";
import { getConfigFile } from "../host/locate.ts";
import { checkSecrets } from "../secrets/settings-check.ts";
import { confirmSettings } from "../trust/confirm.ts";
import { checkCommand, loadCallState, type OperatorCall, submit } from "../trust/operator-call.ts";

/**
 * Takes over what changed in bubble.toml since; a file that says the impossible is an error, and nothing of it counts. Where another
 * machine may drive, its agents are its own concern.
 */
export async function readConfigAgain(
  call: OperatorCall,
  readAt: ReadAt,
  drivesHere = call.world.drivers.isHere,
): Promise<Refusal | undefined> {
  const file = getConfigFile(call.world.repo, call.bubble);
  const text = await call.world.records.readConfig(call.bubble);
  const state = await loadCallState(call);
  const { lifecycle, config: known, profile } = state;
  const config = text === undefined ? known : parseBubbleToml(text, file);
  const command = { type: "configure", config, readAt } as const;
  const wrong =
    checkSecrets(call.world, config, file) ??
    (await checkCommand(call, command, state)) ??
    (drivesHere && turnsToCome.includes(lifecycle)
      ? checkAgentsReady(config, file, call.world.seats.kind)
      : undefined);
  if (wrong || text === undefined) return wrong;
  const unconfirmed = await confirmSettings(call, { config, gates: profile.gates });
  if (unconfirmed) return unconfirmed;
  return (await submit(call, command)).refusal;
}

type ReadAt = "start" | "resume" | "redo";

const turnsToCome: readonly Lifecycle[] = ["CREATED", "PREPARING_WORKSPACE", "RUNNING", "WAITING_HUMAN"];
