// Records of an earlier tool in `.pairflow/bubbles/`. Those that have ended are moved aside, whole, and shown read-only; one that
// may still be at work stays.
import {
  type ForeignLine,
  isForeignRecord,
  listForeignLines,
  readForeignState,
} from "../../core/adopt/foreign-record.ts";
import { refuse } from "../../core/model/refusal.ts";
import { type AdoptFiles, openFiles } from "./files.ts";
import type { AdoptStep } from "./step.ts";

const bubbles = ".pairflow/bubbles";
const transcript = "transcript.ndjson";
const longestRecord = 64_000_000;
const aside = ".pairflow/adopted/records";

export function listRecordSteps(files: AdoptFiles): AdoptStep[] {
  const ids = files.list(bubbles).filter((id) => isForeign(files, id));
  return ids.map((id) => mapRecord(files, id));
}

function isForeign(files: AdoptFiles, id: string): boolean {
  const text = files.findStart(`${bubbles}/${id}/${transcript}`);
  return text !== undefined && isForeignRecord(text.split("\n", 1)[0] ?? "");
}

function mapRecord(files: AdoptFiles, id: string): AdoptStep {
  const [from, to] = [`${bubbles}/${id}`, `${aside}/${id}`];
  const { state, isAtRest } = readForeignState(files.find(`${from}/state.json`));
  if (!isAtRest) return { from, result: "left", why: explainAtWork(state) };
  const refused = files.refuse(to);
  if (refused !== undefined) return { from, result: "left", to, why: refused };
  const why = "its lines have no chain, so nothing in it can be proven; it is kept whole and shown read-only";
  return { from, result: "mapped", to, why, write: { kind: "move" }, next: `pairflow adopt --show ${id}` };
}

const explainAtWork = (state: string): string =>
  `its state is ${state}: end it with the tool that made it, then adopt again; without that tool, move the folder away by hand`;

/** The lines of a record that was moved aside. Refuses a name that is not there. */
export function readAdoptedRecord(repo: string, id: string): ForeignLine[] {
  const files = openFiles(repo);
  const known = files.list(aside);
  if (!known.includes(id))
    throw refuse(
      "adopt.no-record",
      `no record "${id}" was moved aside here`,
      known.length > 0 ? `pairflow adopt --show ${known[0]}` : "pairflow adopt",
    );
  return listForeignLines(files.find(`${aside}/${id}/${transcript}`, longestRecord) ?? "");
}
