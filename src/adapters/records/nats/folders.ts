// This host's folders of a project that several machines share, each of one record: cache, views, and copies of artifacts. That of an
// earlier record under the same id is put into the archive.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";
import type { Records } from "../../../ports/record/records.ts";
import { storeCopy } from "../disk.ts";
import type { RecordId } from "./artifacts.ts";

export interface HostFolders {
  /** The number of the record that the folder belongs to. */
  findNumber(bubble: string): number | undefined;
  isOf(id: RecordId): Promise<boolean>;
  /** Whether the folder is this record's now. One of a later record, which another process made meanwhile, stays as it is. */
  make(id: RecordId): Promise<boolean>;
  /** Copies an artifact that is on the server. */
  copy(id: RecordId, name: string, bytes: Uint8Array): Promise<void>;
  /** The same while something else is waited for. What cannot be copied is fetched when somebody needs it. */
  copyLater(id: RecordId, name: string, bytes: Uint8Array): void;
  /** The copy of an artifact; any bytes, if somebody changed it. */
  read(id: RecordId, name: string): Promise<Uint8Array | undefined>;
  /** Nothing is to be copied any more. */
  settle(): Promise<void>;
}

export function createFolders(local: Records, notes: string): HostFolders {
  const noteOf = (bubble: string) => join(notes, bubble);
  const findNumber = (bubble: string): number | undefined =>
    tryOr(() => Number(readFileSync(noteOf(bubble), "utf8")), undefined);
  const isOf = async ({ bubble, number }: RecordId) =>
    findNumber(bubble) === number && (await local.exists(bubble));
  const copying = new Map<string, Promise<void>>();
  const settle = async () => void (await Promise.all(copying.values()));

  const make = async (id: RecordId): Promise<boolean> => {
    if (await isOf(id)) return true;
    const isThere = await local.exists(id.bubble);
    if (isThere && (findNumber(id.bubble) ?? 0) > id.number) return false;
    if (isThere) await local.archive(id.bubble);
    await local.create(id.bubble);
    mkdirSync(notes, { recursive: true, mode: 0o700 });
    writeFileSync(noteOf(id.bubble), String(id.number), { mode: 0o600 });
    return true;
  };
  const copy = async (id: RecordId, name: string, bytes: Uint8Array): Promise<void> => {
    if (!(await make(id))) return;
    storeCopy(dirname(local.path(id.bubble, "task.md")), local.path(id.bubble, name), bytes);
  };

  return {
    findNumber,
    isOf,
    make,
    settle,
    copy,
    copyLater(id, name, bytes) {
      const key = local.path(id.bubble, name);
      const done = new Promise(setImmediate)
        .then(() => copy(id, name, bytes))
        .catch(() => {})
        .finally(() => copying.get(key) === done && copying.delete(key));
      copying.set(key, done);
    },
    async read(id, name) {
      await copying.get(local.path(id.bubble, name));
      return (await isOf(id)) ? local.get(id.bubble, name) : undefined;
    },
  };
}
