// Records of an earlier tool in `.pairflow/bubbles/`. Those that have ended are moved aside, whole, and shown read-only; one that
// may still be at work stays.
import { join } from "node:path";
import {
  type ForeignLine,
  isForeignRecord,
  listForeignLines,
  readForeignState,
} from "../../core/adopt/foreign-record.ts";
import { refuse } from "../../core/model/refusal.ts";
import { type AdoptStep, findFileText, isExistingFolder, listEntryNames } from "./step.ts";

const bubbles = ".pairflow/bubbles";
const aside = ".pairflow/adopted/records";

export function listRecordSteps(repo: string): AdoptStep[] {
  const ids = listEntryNames(join(repo, bubbles)).filter((id) => isForeign(repo, id));
  return ids.map((id) => mapRecord(repo, id));
}

function isForeign(repo: string, id: string): boolean {
  const text = findFileText(join(repo, bubbles, id, "transcript.ndjson"));
  return text !== undefined && isForeignRecord(text.split("\n", 1)[0] ?? "");
}

function mapRecord(repo: string, id: string): AdoptStep {
  const [from, to] = [`${bubbles}/${id}`, `${aside}/${id}`];
  const { state, ended } = readForeignState(findFileText(join(repo, from, "state.json")));
  if (!ended)
    return {
      from,
      result: "left",
      why: `its state is ${state}: end it with the tool that made it, then adopt again`,
    };
  if (isExistingFolder(join(repo, to)))
    return { from, result: "left", to, why: `${to} is there already; nothing is overwritten` };
  const why = "its lines have no chain, so nothing in it can be proven; it is kept whole and shown read-only";
  return { from, result: "mapped", to, why, write: { kind: "move" }, next: `pairflow adopt --show ${id}` };
}

/** The lines of a record that was moved aside. Refuses a name that is not there. */
export function readAdoptedRecord(repo: string, id: string): ForeignLine[] {
  const known = listEntryNames(join(repo, aside));
  if (!known.includes(id))
    throw refuse(
      "adopt.no-record",
      `no record "${id}" was moved aside here`,
      known.length > 0 ? `pairflow adopt --show ${known[0]}` : "pairflow adopt",
    );
  return listForeignLines(findFileText(join(repo, aside, id, "transcript.ndjson")) ?? "");
}
