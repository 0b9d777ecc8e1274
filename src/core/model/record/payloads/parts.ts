// What payloads of several types say: doors, files, trees, findings with their ids.
import * as v from "valibot";
import { Door } from "../../door.ts";
import { Answer, NewFinding } from "../../review/finding.ts";

export const defineStr = (max = 16_000) => v.pipe(v.string(), v.maxLength(max));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));
export const turnRef = { turn: defineStr(20), attempt: count };

/** Through which door a human's word came in; approvals and overrides show it. */
export const Via = v.picklist(["terminal", "operator-key", "page", "cli"]);
export type Via = v.InferOutput<typeof Via>;
export const Through = { via: Via, door: v.optional(Door) };

/** The findings of one pass, with the ids the referee gave to the new ones. */
export const NumberedFinding = v.strictObject({
  id: Answer.entries.id,
  ...NewFinding.entries,
  /** False: its place or quote does not stand in the tree. */
  proven: v.optional(v.boolean()),
});
export type NumberedFinding = v.InferOutput<typeof NumberedFinding>;

export const ChangedFile = v.strictObject({
  path: defineStr(1000),
  /** Where a renamed file was before: scope rules look at both. */
  from: v.optional(defineStr(1000)),
  status: v.picklist(["added", "modified", "deleted", "renamed", "type-changed"]),
  added: v.nullable(count),
  removed: v.nullable(count),
});
export type ChangedFile = v.InferOutput<typeof ChangedFile>;

export const QuestionOption = v.strictObject({ key: defineStr(200), does: defineStr(300) });

/** What applies to a tree: which SOPs its files call for, in the versions pinned from the base. */
export const TreeContext = v.strictObject({
  sops: v.array(v.strictObject({ id: defineStr(200), severity: v.picklist(["error", "warning", "info"]) })),
  /** Hash of everything a critic of this tree is told from the project's knowledge. */
  digest: defineStr(64),
  /** Why no reviewer can be asked: it does not fit, or could not be read. */
  problem: v.optional(defineStr(1000)),
});
export type TreeContext = v.InferOutput<typeof TreeContext>;

/** What was found elsewhere and not answered yet: it is open here under its id. */
export const CarriedFinding = v.strictObject({ ...NewFinding.entries, id: defineStr(20), by: defineStr(60) });
export type CarriedFinding = v.InferOutput<typeof CarriedFinding>;

/** The approved document that a bubble implements: whose it is, and its bytes as an artifact of this bubble. */
export const ImplementedDocument = v.strictObject({
  bubble: defineStr(63),
  path: defineStr(1000),
  /** The tree that was approved. */
  tree: defineStr(64),
  artifact: defineStr(300),
  sha256: defineStr(64),
});
export type ImplementedDocument = v.InferOutput<typeof ImplementedDocument>;

export const touched = v.array(
  v.strictObject({ path: defineStr(1000), ranges: v.array(v.tuple([count, count])) }),
);

/** A tree, pinned in git, and how it differs from the base. */
export const treeWithFiles = {
  tree: defineStr(64),
  commit: defineStr(64),
  ref: defineStr(300),
  files: v.array(ChangedFile),
  files_total: count,
  added: count,
  removed: count,
};
