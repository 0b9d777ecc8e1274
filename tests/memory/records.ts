// The records in memory: the same names and the same refusals as the file records.
import { hash } from "node:crypto";
import { buildNthName, checkName } from "../../src/adapters/records/names.ts";
import { readFirstLine, readStateFile, writeState } from "../../src/adapters/records/state-file.ts";
import { Failure } from "../../src/ports/failure.ts";
import type { Records, StateSnapshot } from "../../src/ports/record/records.ts";

interface Bubble {
  readonly artifacts: Map<string, Uint8Array>;
  readonly views: Map<string, string>;
  state?: string;
  /** The text of `state` as it was read: the same text is read once. */
  snapshot?: StateSnapshot | undefined;
  config?: string;
}

export interface MemoryRecordsOptions {
  /** How long a bubble's log is now, in the unit in which its head tokens begin. */
  readonly logSize?: (bubble: string) => number;
}

function buildMemoryPath(id: string, name: string): string {
  checkName(name);
  return `/memory/bubbles/${id}/${name}`;
}

/** Records of their own. Without `logSize` no cache is ever behind. */
export function createMemoryRecords({ logSize }: MemoryRecordsOptions = {}): Records {
  const bubbles = new Map<string, Bubble>();
  const archived = new Map<string, Bubble>();
  const open = (id: string): Bubble => {
    const found = bubbles.get(id);
    if (!found) throw new Failure("bubble.not-found", `There is no bubble ${id}.`);
    return found;
  };
  const isStale = (id: string, offset: number) => (logSize?.(id) ?? offset) !== offset;

  return {
    async load(id) {
      const bubble = bubbles.get(id);
      if (bubble?.state === undefined) return undefined;
      bubble.snapshot ??= readStateFile(bubble.state, id);
      return bubble.snapshot;
    },
    async save(id, snapshot, summary) {
      const bubble = bubbles.get(id);
      if (!bubble) return;
      bubble.state = writeState(snapshot, summary);
      bubble.snapshot = undefined;
    },
    async summaries() {
      const ids = [...bubbles.keys()].sort();
      return ids.map((id) => {
        const bytes = Buffer.from(bubbles.get(id)?.state ?? "");
        const first = readFirstLine(bytes, bytes.length);
        if (!first) return { id, stale: true };
        return { id, summary: first.summary, stale: isStale(id, first.offset) };
      });
    },
    exists: async (id) => bubbles.has(id),
    async create(id) {
      if (bubbles.has(id)) throw new Failure("bubble.exists", `There is already a bubble ${id}.`);
      bubbles.set(id, { artifacts: new Map(), views: new Map() });
    },
    async archive(id) {
      const bubble = open(id);
      let name = id;
      for (let n = 2; archived.has(name); n += 1) name = `${id}-${n}`;
      archived.set(name, bubble);
      bubbles.delete(id);
      return `/memory/archive/${name}`;
    },

    async put(id, name, content) {
      checkName(name);
      const bytes = Buffer.from(content as Uint8Array);
      const { artifacts } = open(id);
      const isFree = (other: string) =>
        artifacts.get(other) === undefined || bytes.equals(artifacts.get(other) ?? bytes);
      let n = 1;
      while (!isFree(buildNthName(name, n))) n += 1;
      artifacts.set(buildNthName(name, n), bytes);
      return { name: buildNthName(name, n), sha256: hash("sha256", bytes, "hex") };
    },
    async get(id, name) {
      checkName(name);
      const found = bubbles.get(id)?.artifacts.get(name) ?? bubbles.get(id)?.views.get(name);
      return found === undefined ? undefined : Buffer.from(found as Uint8Array);
    },
    async names(id, folder) {
      checkName(folder);
      const { artifacts, views } = open(id);
      return [...artifacts.keys(), ...views.keys()].filter((name) => name.startsWith(`${folder}/`));
    },
    async hash(id, name) {
      const found = bubbles.get(id)?.artifacts.get(name);
      return found && hash("sha256", found, "hex");
    },
    async view(id, name, content) {
      checkName(name);
      const bubble = bubbles.get(id);
      if (!bubble) return `There is no bubble ${id}.`;
      if (bubble.artifacts.has(name)) return "an artifact has this name";
      bubble.views.set(name, content);
      return undefined;
    },
    path: buildMemoryPath,
    here: async (id, name) => buildMemoryPath(id, name),

    readConfig: async (id) => bubbles.get(id)?.config,
    async writeConfig(id, toml) {
      open(id).config = toml;
    },
  };
}
