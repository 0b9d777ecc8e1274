// What is found out about a tree that was just made, by a producer or by a merge: its diff against the base, the lines the
// last change touched, what looks like a secret, and what its critics must answer for.
import { diffName } from "../../core/model/artifact-names.ts";
import type { PayloadOf } from "../../core/model/envelope.ts";
import type { ChangedFile } from "../../core/model/payloads.ts";
import type { State } from "../../core/model/state.ts";
import { describePlace, secretsInDiff } from "../../core/redaction/in-diff.ts";
import { touchedLines } from "../../core/review/hunks.ts";
import { hasMade } from "../../core/state/code.ts";
import type { Place } from "../../ports/workspace.ts";
import type { World } from "../world/world.ts";
import { contextOf } from "./knowledge.ts";

interface Made {
  readonly tree: string;
  readonly files: readonly ChangedFile[];
  /** Against the base. */
  readonly diff: string;
}

type Found = Required<Pick<PayloadOf<"HANDOFF">, "touched" | "diff" | "secrets" | "context">>;

/** `before` is the tree the last change began with. */
export async function lookAtMade(
  world: World,
  state: State,
  place: Place,
  made: Made,
  before: string | undefined,
): Promise<Found> {
  const [change, diff, context] = await Promise.all([
    before && before !== made.tree ? world.workspace.diff(place, before, made.tree) : "",
    world.records.put(state.bubbleId, diffName(state.round), made.diff),
    contextOf(world, state, made.files),
  ]);
  return {
    touched: hasMade(state) ? rangesOf(change) : [],
    diff: diff.name,
    secrets: secretsInDiff(made.diff, world.redaction.find).map(describePlace),
    context,
  };
}

export const rangesOf = (change: string) =>
  touchedLines(change).map(({ path, ranges }) => ({
    path,
    ranges: ranges.map(([from, to]): [number, number] => [from, to]),
  }));
