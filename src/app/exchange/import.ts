// Records from folders into the store of a repository. Only lines that build on what is there are taken, as they are; anything else is
// told, and nothing is changed. Artifacts and commits come first, so that every line that counts has what it names.

import { isUtf8 } from "node:buffer";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { evolve } from "../../core/bubble/evolve.ts";
import type { State } from "../../core/model/state.ts";
import { load } from "../../engine/front/command.ts";
import { sendCommits } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { emptyHead } from "../../ports/record/log.ts";
import type { RawBatch } from "../../ports/record/raw-log.ts";
import { type OpenedWorld, openRecordWorld } from "../record/world.ts";
import { bundleName, readCommits } from "./commits.ts";
import {
  buildTranscript,
  type FolderRecord,
  findArtifactFile,
  mapArtifactHashes,
  readRecordFolders,
} from "./record-folder.ts";

export interface ImportedRecord {
  readonly bubble: string;
  /** How many lines came, and how many there are. */
  readonly added: number;
  readonly lines: number;
}

export async function takeRecords(repo: string, from: string): Promise<ImportedRecord[]> {
  const records = readRecordFolders(from);
  if (records.length === 0)
    throw new Failure(
      "import.no-record",
      `${from} holds no record: no folder in it has a transcript.ndjson.`,
      {
        hint: "name the folder that pairflow export --record wrote, or .pairflow/bubbles of another clone",
      },
    );
  const opened = openRecordWorld(repo);
  // Everything is looked at before anything is sent.
  const planned: PlannedImport[] = [];
  for (const record of records) planned.push(await planImport(opened, record));
  for (const folder of [from, dirname(from)]) await readCommits(repo, join(folder, bundleName));
  const bases = new Map(planned.map(({ state }) => [state.bubbleId, state.baseCommit]));
  const imported: ImportedRecord[] = [];
  for (const one of planned) imported.push(await takeRecord(opened, repo, one, bases));
  return imported;
}

interface PlannedImport {
  readonly record: FolderRecord;
  readonly state: State;
  readonly artifacts: ReadonlyMap<string, Buffer>;
  /** How many of its commands are there already; undefined when the bubble is not. */
  readonly known: { readonly batches: number; readonly head: RawBatch["head"] } | undefined;
}

async function planImport({ world, raw }: OpenedWorld, record: FolderRecord): Promise<PlannedImport> {
  const { bubble, envelopes, batches } = record;
  const state = envelopes.reduce<State | undefined>(
    (before, envelope) => evolve(before, envelope),
    undefined,
  );
  if (!state) throw new Failure("import.no-record", `${record.folder} holds no line that counts.`);
  const artifacts = readArtifacts(record, world.hash.sha256);
  refuseSecrets(world.redaction.redact, record, artifacts);
  if (!(await world.records.exists(bubble))) return { record, state, artifacts, known: undefined };
  const there: RawBatch[] = [];
  for await (const batch of raw.readRaw(bubble)) there.push(batch);
  const [mine, theirs] = [buildTranscript(batches), buildTranscript(there)];
  const shorter = Math.min(mine.length, theirs.length);
  if (!mine.subarray(0, shorter).equals(theirs.subarray(0, shorter))) throw toOtherRecord(bubble);
  for (const [name, bytes] of artifacts) {
    const hash = await world.records.hash(bubble, name);
    if (hash !== undefined && hash !== world.hash.sha256(bytes)) throw toOtherRecord(bubble, name);
  }
  return {
    record,
    state,
    artifacts,
    known: { batches: there.length, head: there.at(-1)?.head ?? emptyHead },
  };
}

function readArtifacts({ bubble, folder, envelopes }: FolderRecord, hashOf: (bytes: Uint8Array) => string) {
  const artifacts = new Map<string, Buffer>();
  for (const [name, hash] of mapArtifactHashes(envelopes)) {
    const path = findArtifactFile(folder, name);
    const bytes = path !== undefined && existsSync(path) ? readFileSync(path) : undefined;
    if (!bytes || (hash !== undefined && hashOf(bytes) !== hash))
      throw new Failure(
        "import.artifact",
        `${bubble} names the artifact ${name}, which is ${bytes ? "not as it was written" : "not there"}.`,
        {
          hint: `pairflow verify --id ${bubble}    # where it was exported`,
        },
      );
    artifacts.set(name, bytes);
  }
  return artifacts;
}

/** Lines and what they name cannot be changed any more: what would have to be redacted is not sent at all. */
function refuseSecrets(
  redact: (text: string) => string,
  { bubble, batches }: FolderRecord,
  artifacts: ReadonlyMap<string, Buffer>,
): void {
  const texts = [["its transcript", buildTranscript(batches)] as const, ...artifacts];
  for (const [name, bytes] of texts) {
    const text = isUtf8(bytes) ? bytes.toString("utf8") : bytes.toString("latin1");
    if (bytes.includes(0) || redact(text) === text) continue;
    throw new Failure(
      "import.secret",
      `${name} of ${bubble} holds what looks like a secret; nothing of it was sent.`,
      { hint: "take the secret out of use; the record stays where it is" },
    );
  }
}

async function takeRecord(
  { world, raw }: OpenedWorld,
  repo: string,
  { record, state, artifacts, known }: PlannedImport,
  bases: ReadonlyMap<string, string>,
): Promise<ImportedRecord> {
  const { bubble, batches, settings, envelopes } = record;
  if (!known) await world.records.create(bubble);
  if (!known && settings !== undefined) await world.records.writeConfig(bubble, settings);
  for (const [name, bytes] of artifacts)
    if ((await world.records.hash(bubble, name)) === undefined) await world.records.put(bubble, name, bytes);
  await sendCommits({ ...world, repo }, state, envelopes, bases.get(state.parent?.bubble ?? ""));
  let head = known?.head ?? emptyHead;
  let added = 0;
  for (const { lines } of batches.slice(known?.batches ?? 0)) {
    const done = await raw.appendRaw(bubble, head, lines);
    if (!done.ok) throw toOtherRecord(bubble);
    head = done.head;
    added += lines.length;
  }
  await load(world, bubble);
  return { bubble, added, lines: head.seq };
}

const toOtherRecord = (bubble: string, artifact?: string): Failure =>
  new Failure(
    "import.other-record",
    artifact === undefined
      ? `There is another record of ${bubble}: neither is the beginning of the other. Nothing was taken.`
      : `There is another artifact ${artifact} of ${bubble}. Nothing was taken.`,
    { hint: `pairflow bubble salvage --id ${bubble}    # continues from the good part, in a new bubble` },
  );
