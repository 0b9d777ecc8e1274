// What lies beside a log and knows more than it: messages, prompts and pins are made only when a line is durable that
// leads to them. So if that line is not in the log, the log was cut off.

import type { State } from "../../core/model/state.ts";
import { parseLineBehind } from "../../core/views/bubble/message.ts";
import type { RecordWorld } from "../../engine/front/world.ts";
import type { LogTrouble } from "../../ports/record/log.ts";
import { askGit } from "../host/git-questions.ts";

type Records = Pick<RecordWorld, "records">;

/** What lies beside a log, by name. */
export interface BesideLog {
  readonly messages: readonly string[];
  readonly prompts: readonly string[];
  readonly pins: readonly string[];
}

/** To be listed before the log is read: a driver at work then makes the log longer than the list, never shorter. */
export async function listBesideLog(world: Records, repo: string, bubble: string): Promise<BesideLog> {
  return {
    messages: await world.records.names(bubble, "messages"),
    prompts: await world.records.names(bubble, "prompts"),
    pins: await listPins(repo, bubble),
  };
}

/** Proof that the log was longer once; undefined when nothing shows it. */
export async function findCutEnd(
  world: Records,
  bubble: string,
  beside: BesideLog,
  state: State | undefined,
): Promise<LogTrouble | undefined> {
  const known = { seq: state?.seq ?? 0, turns: state?.turnCount ?? 0 };
  const reason =
    (await findMessageBeyond(world, bubble, beside.messages, known.seq)) ??
    findTurnBeyond(beside.prompts, known.turns) ??
    findTurnBeyond(beside.pins, known.turns);
  return reason === undefined
    ? undefined
    : { kind: "damaged", reason: `it ends at message ${known.seq}, but ${reason}: it was cut off` };
}

/** A killed writer leaves the messages of one command, all written behind the newest line there was. */
async function findMessageBeyond(
  { records }: Records,
  bubble: string,
  names: readonly string[],
  seq: number,
): Promise<string | undefined> {
  const later = names.filter((name) => parseNumber(name) > seq);
  for (const name of later) {
    const bytes = await records.get(bubble, name);
    const base = bytes && parseLineBehind(new TextDecoder().decode(bytes.subarray(0, 600)));
    if (base !== undefined && base > seq) return `${name} was written behind message ${base}`;
  }
  return undefined;
}

const parseNumber = (name: string): number => Number(/^messages\/(\d+)-/.exec(name)?.[1] ?? 0);

/** A turn has its number before its prompt is written or its tree is pinned. */
function findTurnBeyond(names: readonly string[], turns: number): string | undefined {
  const later = names.find((name) => parseTurn(name) > turns);
  return later && `${later} belongs to turn ${parseTurn(later)}, and it knows ${turns}`;
}

const parseTurn = (name: string): number =>
  Number(/(?:^prompts\/|-)t(\d+)(?:\.\d+-.*)?$/.exec(name)?.[1] ?? 0);

async function listPins(repo: string, bubble: string): Promise<string[]> {
  const refs = await askGit(repo, "for-each-ref", "--format=%(refname)", `refs/pairflow/${bubble}/`);
  return refs ? refs.split("\n").filter((ref) => /\/(?:round|paper)-\d+-t\d+$/.test(ref)) : [];
}
