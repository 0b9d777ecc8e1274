// What is found out about a tree that was just made, by a producer or by a merge: its diff against the base, the lines the
// last change touched, what looks like a secret, and what its critics must answer for.
import { nameDiff } from "../../core/model/record/artifact-names.ts";
import type { PayloadOf } from "../../core/model/record/envelope.ts";
import type { ChangedFile } from "../../core/model/record/payloads/parts.ts";
import type { State } from "../../core/model/state.ts";
import { describePlace, findSecretsInDiff } from "../../core/redaction/in-diff.ts";
import { listTouchedLines } from "../../core/review/touched-lines.ts";
import { hasMade } from "../../core/state/code-tree.ts";
import type { World } from "../world/world.ts";
import { assembleTreeContext } from "./knowledge.ts";

interface Made {
  readonly files: readonly ChangedFile[];
  /** Against the base. */
  readonly diff: string;
  /** Against the tree before (`findTreeBefore`). */
  readonly change: string;
}

type Found = Required<Pick<PayloadOf<"HANDOFF">, "touched" | "diff" | "secrets" | "context">>;

/** The tree that the last change began with; only what stands on earlier work has lines that it touched. */
export function findTreeBefore(state: State, before: string | undefined): string | undefined {
  return hasMade(state) ? before : undefined;
}

export async function lookAtMade(world: World, state: State, made: Made): Promise<Found> {
  const [diff, context] = await Promise.all([
    world.records.put(state.bubbleId, nameDiff(state.round), made.diff),
    assembleTreeContext(world, state, made.files),
  ]);
  return {
    touched: listTouchedRanges(made.change),
    diff: diff.name,
    secrets: findSecretsInDiff(made.diff, world.redaction.find).map(describePlace),
    context,
  };
}

export const listTouchedRanges = (change: string) =>
  listTouchedLines(change).map(({ path, ranges }) => ({
    path,
    ranges: ranges.map(([from, to]): [number, number] => [from, to]),
  }));
