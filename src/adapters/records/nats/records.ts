// The records of a project that several machines share. Artifacts, settings and the list of bubbles are on the server; the cache
// of the fold and the views are files of this host, whose folder also keeps a copy of what this host stored or read.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../../core/model/value/try-or.ts";
import type { Records } from "../../../ports/record/records.ts";
import type { Patience } from "../../../ports/system/patience.ts";
import { checkName, topLevelViews } from "../names.ts";
import { createStoredArtifacts, hashOf } from "./artifacts.ts";
import type { RecordBuckets } from "./buckets.ts";
import { createRegistry } from "./registry.ts";
import { createStoredSummaries, type LogLengths } from "./summaries.ts";

export interface NatsRecordsOptions {
  readonly buckets: RecordBuckets;
  /** The folder of this host. */
  readonly local: Records;
  /** Where this host notes which record of an id its folder belongs to. */
  readonly notes: string;
  readonly patiently: Patience;
  readonly lengthsOf: LogLengths;
  /** Closes a bubble's log before its id is free again. */
  closeLog(bubble: string): Promise<void>;
}

/** The records of a project; keeps S1, S2, B1 and B2. */
export function createNatsRecords(options: NatsRecordsOptions): Records {
  const { buckets, local, notes, patiently, lengthsOf, closeLog } = options;
  const { entries } = buckets;
  const registry = createRegistry(entries, patiently);
  const artifacts = createStoredArtifacts(buckets, patiently);
  const summaries = createStoredSummaries(entries, patiently, lengthsOf);
  const folders = createFolders(local, notes);
  const configKey = (bubble: string, number: number) => `config.${bubble}.${number}`;
  const open = async (bubble: string) => ({ bubble, number: await registry.require(bubble) });
  const find = async (bubble: string) => {
    const number = await registry.find(bubble);
    return number === undefined ? undefined : { bubble, number };
  };

  return {
    async load(bubble) {
      const id = await find(bubble);
      if (!id || !(await folders.isOf(id))) return undefined;
      // Whether the log has grown since is known to the server alone.
      const { state, head } = (await local.load(bubble)) ?? {};
      return state && head ? { state, head } : undefined;
    },
    async save(bubble, snapshot, summary) {
      const id = await find(bubble);
      if (!id) return;
      await folders.make(id);
      await local.save(bubble, snapshot, summary);
      await summaries.save(id, snapshot, summary);
    },
    pace(everyMs) {
      local.pace?.(everyMs);
      summaries.pace(everyMs);
    },
    summaries: summaries.list,
    exists: async (bubble) => (await registry.find(bubble)) !== undefined,
    async create(bubble) {
      await folders.make({ bubble, number: await registry.create(bubble) });
    },
    async archive(bubble) {
      await registry.require(bubble);
      await closeLog(bubble);
      const number = await registry.archive(bubble);
      const isHere = await folders.isOf({ bubble, number });
      return isHere ? local.archive(bubble) : `record ${number} of ${bubble} on the server`;
    },

    async put(bubble, name, content) {
      checkName(name);
      const bytes = Buffer.from(content as Uint8Array);
      const id = await open(bubble);
      const stored = await artifacts.put(id, name, bytes);
      await folders.make(id);
      await local.put(bubble, stored.name, bytes);
      return stored;
    },
    async get(bubble, name) {
      checkName(name);
      const id = await find(bubble);
      if (!id) return undefined;
      const artifact = await artifacts.find(id, name);
      const isHere = await folders.isOf(id);
      if (artifact?.bytes) return artifact.bytes;
      const copy = isHere ? await local.get(bubble, name) : undefined;
      if (!artifact || (copy && hashOf(copy) === artifact.sha256)) return copy;
      return artifacts.readBlob(artifact);
    },
    async hash(bubble, name) {
      const id = await find(bubble);
      return id && (await artifacts.find(id, name))?.sha256;
    },
    async names(bubble, folder) {
      checkName(folder);
      const id = await open(bubble);
      const views = (await folders.isOf(id)) ? await local.names(bubble, folder) : [];
      const stored = (await artifacts.list(id)).filter((name) => name.startsWith(`${folder}/`));
      return [...new Set([...stored, ...views])];
    },
    async view(bubble, name, content) {
      checkName(name);
      const id = await find(bubble);
      if (!id) return `There is no bubble ${bubble}.`;
      const isTaken = !topLevelViews.includes(name) && (await artifacts.find(id, name)) !== undefined;
      if (isTaken) return "an artifact has this name";
      await folders.make(id);
      return local.view(bubble, name, content);
    },
    path: local.path,
    async here(bubble, name) {
      const path = local.path(bubble, name);
      const id = await find(bubble);
      if (!id || ((await folders.isOf(id)) && (await local.get(bubble, name)))) return path;
      const artifact = await artifacts.find(id, name);
      if (!artifact) return path;
      const bytes = artifact.bytes ?? (await artifacts.readBlob(artifact));
      await folders.make(id);
      await local.put(bubble, name, bytes);
      return path;
    },

    async readConfig(bubble) {
      const id = await find(bubble);
      const entry = id && (await patiently(() => entries.get(configKey(bubble, id.number))));
      return entry?.string();
    },
    async writeConfig(bubble, toml) {
      const id = await open(bubble);
      await patiently(() => entries.put(configKey(bubble, id.number), toml));
      await folders.make(id);
      await local.writeConfig(bubble, toml);
    },
  };
}

/** This host's folders, each of one record; that of an earlier record under the same id is put into the archive. */
function createFolders(local: Records, notes: string) {
  const noteOf = (bubble: string) => join(notes, bubble);
  const read = (bubble: string): number | undefined => {
    return tryOr(() => Number(readFileSync(noteOf(bubble), "utf8")), undefined);
  };
  const isOf = async ({ bubble, number }: { readonly bubble: string; readonly number: number }) =>
    read(bubble) === number && (await local.exists(bubble));

  return {
    isOf,
    async make(id: { readonly bubble: string; readonly number: number }): Promise<void> {
      if (await isOf(id)) return;
      if (await local.exists(id.bubble)) await local.archive(id.bubble);
      await local.create(id.bubble);
      mkdirSync(notes, { recursive: true, mode: 0o700 });
      writeFileSync(noteOf(id.bubble), String(id.number), { mode: 0o600 });
    },
  };
}
