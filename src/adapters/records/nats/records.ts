// The records of a project that several machines share. Artifacts, settings and the list of bubbles are on the server; the cache
// of the fold and the views are files of this host, whose folder also keeps a copy of what this host stored or read.
import type { Records } from "../../../ports/record/records.ts";
import type { Patience } from "../../../ports/system/patience.ts";
import { toBubbleNotFound } from "../missing.ts";
import { checkName, topLevelViews } from "../names.ts";
import { createStoredArtifacts, hashOf, type RecordId } from "./artifacts.ts";
import type { RecordBuckets } from "./buckets.ts";
import { createFolders } from "./folders.ts";
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

export interface NatsRecords extends Records {
  /** What nobody waits for is done: the summaries that lists of other hosts are made from, and the copies in this host's folder. */
  settle(): Promise<void>;
}

/** The records of a project; keeps S1, S2, B1 and B2. */
export function createNatsRecords(options: NatsRecordsOptions): NatsRecords {
  const { buckets, local, notes, patiently, lengthsOf, closeLog } = options;
  const { entries } = buckets;
  const registry = createRegistry(entries, patiently);
  const artifacts = createStoredArtifacts(buckets, patiently);
  const summaries = createStoredSummaries(entries, patiently, lengthsOf);
  const folders = createFolders(local, notes);
  const configKey = ({ bubble, number }: RecordId) => `config.${bubble}.${number}`;
  const find = async (bubble: string) => toId(bubble, await registry.find(bubble));
  /** What was seen last is enough: a record that was closed since takes no line, and one that was begun since has no such artifact. */
  const recall = async (bubble: string) => toId(bubble, await registry.recall(bubble));
  const demand = async (bubble: string): Promise<RecordId> => {
    const id = await recall(bubble);
    if (id) return id;
    throw toBubbleNotFound(bubble);
  };
  /** What this process put, by record and name: the bytes it meant. */
  const hashes = new Map<string, string>();
  const hashKey = ({ bubble, number }: RecordId, name: string) => `${bubble}.${number}/${name}`;
  const findHash = async (id: RecordId, name: string) =>
    hashes.get(hashKey(id, name)) ?? (await artifacts.find(id, name))?.sha256;

  return {
    async load(bubble) {
      const number = folders.findNumber(bubble);
      const { state, head } = (number !== undefined && (await local.load(bubble))) || {};
      if (!state || !head || number === undefined) return undefined;
      // Whether the log has grown since is known to the server alone; one that was not closed is still this record's.
      registry.trust(bubble, number);
      return { state, head, isStillOpen: async () => (await registry.find(bubble)) === number };
    },
    async save(bubble, snapshot, summary) {
      const id = await recall(bubble);
      if (!id) return;
      summaries.save(id, snapshot, summary);
      if (await folders.make(id)) await local.save(bubble, snapshot, summary);
    },
    pace(everyMs) {
      local.pace?.(everyMs);
      summaries.pace(everyMs);
    },
    async settle() {
      await Promise.all([summaries.settle(), folders.settle()]);
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
      await folders.settle();
      const isHere = await folders.isOf({ bubble, number });
      return isHere ? local.archive(bubble) : `record ${number} of ${bubble} on the server`;
    },

    async put(bubble, name, content) {
      checkName(name);
      const bytes = Buffer.from(content as Uint8Array);
      const id = await demand(bubble);
      const stored = await artifacts.put(id, name, bytes);
      hashes.set(hashKey(id, stored.name), stored.sha256);
      folders.copyLater(id, stored.name, bytes);
      return stored;
    },
    async get(bubble, name) {
      checkName(name);
      const id = await find(bubble);
      if (!id) return undefined;
      const artifact = await artifacts.find(id, name);
      if (artifact?.bytes) return artifact.bytes;
      const copy = await folders.read(id, name);
      if (!artifact || (copy && hashOf(copy) === artifact.sha256)) return copy;
      return artifacts.readBlob(artifact);
    },
    async hash(bubble, name) {
      const id = await recall(bubble);
      return id && findHash(id, name);
    },
    async names(bubble, folder) {
      checkName(folder);
      const id = await demand(bubble);
      const views = (await folders.isOf(id)) ? await local.names(bubble, folder) : [];
      const stored = (await artifacts.list(id)).filter((name) => name.startsWith(`${folder}/`));
      return [...new Set([...stored, ...views])];
    },
    async view(bubble, name, content) {
      checkName(name);
      const id = await recall(bubble);
      if (!id) return `There is no bubble ${bubble}.`;
      const isTaken = !topLevelViews.includes(name) && (await findHash(id, name)) !== undefined;
      if (isTaken) return "an artifact has this name";
      if (!(await folders.make(id))) return `${bubble} is another record by now.`;
      return local.view(bubble, name, content);
    },
    path: local.path,
    async here(bubble, name) {
      const path = local.path(bubble, name);
      const id = await recall(bubble);
      const copy = id && (await folders.read(id, name));
      if (!id || (copy && hashes.get(hashKey(id, name)) === hashOf(copy))) return path;
      const artifact = await artifacts.find(id, name);
      if (!artifact || (copy && hashOf(copy) === artifact.sha256)) return path;
      await folders.copy(id, name, artifact.bytes ?? (await artifacts.readBlob(artifact)));
      return path;
    },

    async readConfig(bubble) {
      const id = await find(bubble);
      const entry = id && (await patiently(() => entries.get(configKey(id))));
      return entry?.string();
    },
    async writeConfig(bubble, toml) {
      const id = await demand(bubble);
      await patiently(() => entries.put(configKey(id), toml));
      if (await folders.make(id)) await local.writeConfig(bubble, toml);
    },
  };
}

const toId = (bubble: string, number: number | undefined): RecordId | undefined =>
  number === undefined ? undefined : { bubble, number };
