// What the commands about operators' keys share: the door they need, and how a key is shown.
import { requireControllingDoor } from "../../app/caller/guard.ts";
import { listKnownRepositories } from "../../app/host/repositories/list.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { listNewestTurns } from "../../app/world/conventions.ts";
import type { OperatorKey } from "../../core/model/page/proof.ts";
import type { Shell } from "../verb/declaration.ts";

/** Keys are confirmed and removed at a person's own terminal; no other key speaks for that. */
export async function refuseWithoutTerminal(shell: Shell): Promise<void> {
  const turns = [];
  for (const { path } of listKnownRepositories(shell.env))
    turns.push(...(await listNewestTurns(createRecordWorld(path))));
  requireControllingDoor(turns);
}

/** The whole fingerprint in groups, as the page shows it. */
export const groupFingerprint = (fingerprint: string): string => (fingerprint.match(/.{4}/g) ?? []).join(" ");

export function renderKey({ name, fingerprint, synced, rp_id }: OperatorKey): string {
  const kind = synced ? "synced, for" : "for";
  return `${name} (${kind} ${rp_id})\n  ${groupFingerprint(fingerprint)}`;
}
