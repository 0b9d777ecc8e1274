// What lies beside a log and knows more than it: messages, prompts and pins are made only when a line is durable that
// leads to them. So if that line is not in the log, the log was cut off.

import type { State } from "../../core/model/state.ts";
import { lineBehind } from "../../core/views/message.ts";
import type { RecordWorld } from "../../engine/world/world.ts";
import type { Trouble } from "../../ports/log.ts";
import { askGit } from "../host/git-questions.ts";

type Evidence = Pick<RecordWorld, "records">;

/** Proof that the log was longer once; undefined when nothing shows it. */
export async function cutEnd(
  world: Evidence,
  repo: string,
  bubble: string,
  state: State | undefined,
): Promise<Trouble | undefined> {
  const known = { seq: state?.seq ?? 0, turns: state?.turnCount ?? 0 };
  const reason =
    (await messageBeyond(world, bubble, known.seq)) ??
    turnBeyond(await world.records.names(bubble, "prompts"), known.turns) ??
    turnBeyond(await pinsOf(repo, bubble), known.turns);
  return reason === undefined
    ? undefined
    : { kind: "damaged", reason: `it ends at message ${known.seq}, but ${reason}: it was cut off` };
}

/** A killed writer leaves the messages of one command, all written behind the newest line there was. */
async function messageBeyond(
  { records }: Evidence,
  bubble: string,
  seq: number,
): Promise<string | undefined> {
  const later = (await records.names(bubble, "messages")).filter((name) => numberIn(name) > seq);
  for (const name of later) {
    const bytes = await records.get(bubble, name);
    const base = bytes && lineBehind(new TextDecoder().decode(bytes.subarray(0, 600)));
    if (base !== undefined && base > seq) return `${name} was written behind message ${base}`;
  }
  return undefined;
}

const numberIn = (name: string): number => Number(/^messages\/(\d+)-/.exec(name)?.[1] ?? 0);

/** A turn has its number before its prompt is written or its tree is pinned. */
function turnBeyond(names: readonly string[], turns: number): string | undefined {
  const later = names.find((name) => turnIn(name) > turns);
  return later && `${later} belongs to turn ${turnIn(later)}, and it knows ${turns}`;
}

const turnIn = (name: string): number => Number(/(?:^prompts\/|-)t(\d+)(?:\.\d+-.*)?$/.exec(name)?.[1] ?? 0);

async function pinsOf(repo: string, bubble: string): Promise<string[]> {
  const refs = await askGit(repo, "for-each-ref", "--format=%(refname)", `refs/pairflow/${bubble}/`);
  return refs ? refs.split("\n").filter((ref) => /\/(?:round|paper)-\d+-t\d+$/.test(ref)) : [];
}
