// Artifacts on a server: an entry for each name, which holds a small one's bytes itself and names a large one's blob by its
// sha256. A blob is stored before the entry that names it.
import type { KvEntry } from "@nats-io/kv";
import { createHash } from "../../../core/text/sha256.ts";
import { Failure } from "../../../ports/failure.ts";
import type { Patience } from "../../../ports/system/patience.ts";
import { buildNthName } from "../names.ts";
import type { RecordBuckets } from "./buckets.ts";

/** Larger ones are several messages of the object store, which is slow for small ones. */
const ENTRY_BYTES = 64 * 1024;
const NAMES_TRIED = 10_000;

interface ArtifactHeader {
  readonly sha256: string;
  readonly size: number;
}

export interface Artifact extends ArtifactHeader {
  /** Undefined when they are in a blob. */
  readonly bytes: Buffer | undefined;
}

/** A bubble and the number of its record under that id. */
export interface RecordId {
  readonly bubble: string;
  readonly number: number;
}

export interface StoredArtifacts {
  put(id: RecordId, name: string, bytes: Buffer): Promise<{ name: string; sha256: string }>;
  find(id: RecordId, name: string): Promise<Artifact | undefined>;
  readBlob(artifact: ArtifactHeader): Promise<Buffer>;
  list(id: RecordId): Promise<string[]>;
}

export const hashOf = createHash(
  (bytes) => process.getBuiltinModule("node:crypto").hash("sha256", bytes, "hex"),
  (one, other) => Buffer.compare(one, other) === 0,
);

export function createStoredArtifacts(
  { entries, blobs }: RecordBuckets,
  patiently: Patience,
): StoredArtifacts {
  const start = ({ bubble, number }: RecordId) => `artifact.${bubble}.${number}.`;
  const keyOf = (id: RecordId, name: string) => `${start(id)}${Buffer.from(name).toString("base64url")}`;
  const find = async (id: RecordId, name: string) =>
    readArtifact(await patiently(() => entries.get(keyOf(id, name))));

  /** Whether the name is now these bytes'. */
  const store = async (id: RecordId, name: string, value: Buffer, sha256: string): Promise<boolean> => {
    try {
      await patiently(() => entries.create(keyOf(id, name), value));
      return true;
    } catch (error) {
      if (error instanceof Failure) throw error;
      const taken = await find(id, name);
      if (!taken) throw error;
      return taken.sha256 === sha256;
    }
  };

  return {
    async put(id, name, bytes) {
      const sha256 = hashOf(bytes);
      const isSmall = bytes.length <= ENTRY_BYTES;
      if (!isSmall) await patiently(() => putBlob(sha256, bytes));
      const value = writeArtifact({ sha256, size: bytes.length }, isSmall ? bytes : undefined);
      for (let n = 1; n <= NAMES_TRIED; n += 1) {
        const candidate = buildNthName(name, n);
        if (await store(id, candidate, value, sha256)) return { name: candidate, sha256 };
      }
      throw new Failure("artifact.name-taken", `${name} and ${NAMES_TRIED} names after it are taken.`);
    },
    find,
    async readBlob({ sha256 }) {
      const bytes = await patiently(() => blobs.getBlob(sha256));
      if (bytes && hashOf(bytes) === sha256) return Buffer.from(bytes);
      throw new Failure(
        "artifact.blob-lost",
        `The server does not hold the bytes of artifact ${sha256} as they were stored.`,
        {
          hint: "Another host that worked on the bubble may have a copy: pairflow verify there says so.",
        },
      );
    },
    async list(id) {
      const found: string[] = [];
      for await (const key of await patiently(() => entries.keys(`${start(id)}*`)))
        found.push(Buffer.from(key.slice(start(id).length), "base64url").toString("utf8"));
      return found.sort();
    },
  };

  async function putBlob(sha256: string, bytes: Buffer): Promise<void> {
    const known = await blobs.info(sha256);
    if (!known || known.deleted) await blobs.putBlob({ name: sha256 }, bytes);
  }
}

function writeArtifact(header: ArtifactHeader, bytes: Buffer | undefined): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes ?? Buffer.alloc(0)]);
}

function readArtifact(entry: KvEntry | null): Artifact | undefined {
  if (entry?.operation !== "PUT") return undefined;
  const value = Buffer.from(entry.value);
  const end = value.indexOf(10);
  const header = JSON.parse(value.toString("utf8", 0, end)) as ArtifactHeader;
  const bytes = value.subarray(end + 1);
  return { ...header, bytes: bytes.length === header.size ? bytes : undefined };
}
