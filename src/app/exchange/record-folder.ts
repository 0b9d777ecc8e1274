// A record as a folder: the transcript byte for byte, the artifacts that its lines name, and the settings. It is the form in which a
// bubble goes from one store to another, and the mirror that a host keeps of what is on a server.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import { readRawFile } from "../../adapters/log/raw/file.ts";
import { type Envelope, parseEnvelope } from "../../core/model/record/envelope.ts";
import { parseArtifactRef } from "../../core/model/record/named-artifacts.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import type { RawBatch, RawLog } from "../../ports/record/raw-log.ts";

/** Where a record is kept, whatever keeps it. */
export interface RecordSource {
  readonly world: RecordWorld;
  readonly raw: RawLog;
}

export const transcriptName = "transcript.ndjson";
const settingsName = "bubble.toml";

/** What a folder holds of one bubble. */
export interface FolderRecord {
  readonly bubble: string;
  readonly folder: string;
  readonly batches: readonly RawBatch[];
  readonly envelopes: readonly Envelope[];
  readonly settings: string | undefined;
}

/** The records in a folder: those of the folders in it, or the folder's own. */
export function readRecordFolders(from: string): FolderRecord[] {
  if (existsSync(join(from, transcriptName))) return [readRecordFolder(from)];
  const found = existsSync(from) ? readdirSync(from).sort() : [];
  return found
    .filter((name) => existsSync(join(from, name, transcriptName)))
    .map((name) => readRecordFolder(join(from, name)));
}

function readRecordFolder(folder: string): FolderRecord {
  const file = join(folder, transcriptName);
  const bubble = findBubble(file);
  const batches = [...readRawFile(bubble, file)];
  const settings = join(folder, settingsName);
  return {
    ...{ bubble, folder, batches, envelopes: parseEnvelopes(batches) },
    settings: existsSync(settings) ? readFileSync(settings, "utf8") : undefined,
  };
}

/** The bubble whose lines these are; folders are renamed by people. */
function findBubble(file: string): string {
  const [first = ""] = readFileSync(file, "utf8").split("\n", 1);
  try {
    const { bubble_id: bubble } = JSON.parse(first) as { readonly bubble_id?: unknown };
    if (typeof bubble === "string" && bubble !== "") return bubble;
  } catch {
    // Told below.
  }
  throw new Failure("import.no-record", `${file} does not begin with a line of a bubble.`, {
    hint: "name the folder that pairflow export --record wrote, or .pairflow/bubbles of another clone",
  });
}

export function parseEnvelopes(batches: readonly RawBatch[]): Envelope[] {
  return batches.flatMap(({ lines }) =>
    lines.flatMap((line) => {
      const read = parseEnvelope(JSON.parse(Buffer.from(line).toString("utf8")));
      return typeof read === "string" ? [] : [read];
    }),
  );
}

/** Every artifact that lines name, with the hash they give it. */
export function mapArtifactHashes(envelopes: readonly Envelope[]): Map<string, string | undefined> {
  const named = new Map<string, string | undefined>();
  for (const { refs, hashes } of envelopes)
    for (const ref of refs) {
      const name = parseArtifactRef(ref);
      if (name !== undefined) named.set(name, hashes?.[ref] ?? named.get(name));
    }
  return named;
}

/** The path of an artifact in a folder; a name that leads out of it is none. */
export function findArtifactFile(folder: string, name: string): string | undefined {
  const root = resolve(folder, "artifacts");
  const path = resolve(root, name);
  return path.startsWith(root + sep) ? path : undefined;
}

/** Brings a folder to where the record is: artifacts first, then the lines that name them. Returns how many lines are new. */
export async function writeRecordFolder(
  { world, raw }: RecordSource,
  bubble: string,
  folder: string,
): Promise<number> {
  const batches: RawBatch[] = [];
  for await (const batch of raw.readRaw(bubble)) batches.push(batch);
  const bytes = buildTranscript(batches);
  const file = join(folder, transcriptName);
  const before = existsSync(file) ? buildTranscript([...readRawFile(bubble, file)]) : Buffer.alloc(0);
  if (!bytes.subarray(0, before.length).equals(before)) throw toOtherRecord(bubble, folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of mapArtifactHashes(parseEnvelopes(batches)).keys())
    await writeArtifact(world, bubble, folder, name);
  const settings = await world.records.readConfig(bubble);
  if (settings !== undefined) replaceFile(join(folder, settingsName), settings, 0o600);
  if (bytes.length > before.length) replaceFile(file, bytes, 0o600);
  return countLines(bytes) - countLines(before);
}

async function writeArtifact(
  world: RecordWorld,
  bubble: string,
  folder: string,
  name: string,
): Promise<void> {
  const path = findArtifactFile(folder, name);
  if (path === undefined || existsSync(path)) return;
  const bytes = await world.records.get(bubble, name);
  if (!bytes) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Read-only, as everything is that is never replaced.
  replaceFile(path, bytes, 0o400);
}

export const buildTranscript = (batches: readonly RawBatch[]): Buffer =>
  Buffer.concat(batches.flatMap(({ lines }) => lines.flatMap((line) => [line, newline])));
const newline = Buffer.from("\n");

const countLines = (bytes: Buffer): number => bytes.reduce((sum, byte) => sum + (byte === 10 ? 1 : 0), 0);

function replaceFile(path: string, content: string | Uint8Array, mode: number): void {
  writeFileSync(`${path}.new`, content, { mode });
  renameSync(`${path}.new`, path);
}

const toOtherRecord = (bubble: string, folder: string): Failure =>
  new Failure(
    "export.other-record",
    `${folder} holds another record of ${bubble}: its lines are not the beginning of this one.`,
    { hint: "name another folder; that one stays as it is" },
  );
