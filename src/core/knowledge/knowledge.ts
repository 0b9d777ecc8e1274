// All that a project knows about how its work is judged, read from one commit and pinned with the bubble: what is
// committed later, or edited in a worktree, changes nothing for a bubble that runs.

import * as v from "valibot";
import { type Refusal, refuse } from "../model/refusal.ts";
import { tryOr } from "../model/value/try-or.ts";
import { check } from "../model/value/validate.ts";
import { tryParseJson } from "../text/json.ts";
import { ConstitutionLevel } from "./constitution.ts";
import { Convention } from "./conventions.ts";
import { Sop } from "./sop.ts";

export const Knowledge = v.strictObject({
  v: v.literal(1),
  /** Where it was read. */
  commit: v.string(),
  sops: v.array(Sop),
  constitution: v.array(ConstitutionLevel),
  conventions: v.array(Convention),
  /** Files that a blind producer must not have among its own. */
  hidden: v.array(v.string()),
});
export type Knowledge = v.InferOutput<typeof Knowledge>;

/** A project that has written nothing down. */
export const createEmptyKnowledge = (commit: string): Knowledge => ({
  v: 1,
  commit,
  sops: [],
  constitution: [],
  conventions: [],
  hidden: [],
});

/** The artifact's text; the same knowledge is always the same text. */
export function serializeKnowledge(knowledge: Knowledge): string {
  return `${JSON.stringify(knowledge)}\n`;
}

export type ReadBack =
  | { readonly ok: true; readonly knowledge: Knowledge }
  | { readonly ok: false; readonly refusal: Refusal };

/** What a bubble has pinned: the artifact's bytes must be those that were written at its creation. */
export function openKnowledge(
  text: string | undefined,
  pinned: { readonly artifact: string; readonly sha256: string },
  hash: (text: string) => string,
): ReadBack {
  if (text === undefined) return refuseDamaged(pinned.artifact, "is gone");
  if (hash(text) !== pinned.sha256) return refuseDamaged(pinned.artifact, "is not what was pinned");
  // The very bytes that were checked before they were written need no second check, neither of their form nor of their depth.
  const value: unknown = tryOr(() => JSON.parse(text), undefined);
  return value === undefined
    ? refuseDamaged(pinned.artifact, "cannot be read")
    : { ok: true, knowledge: value as Knowledge };
}

/** Reads the artifact's text back, strictly. */
export function parseKnowledge(text: string, artifact = "knowledge.json"): ReadBack {
  const value = tryParseJson(text);
  const checked = check(Knowledge, value);
  if (checked.ok) return { ok: true, knowledge: checked.value };
  const { path, message } = checked.issues[0] ?? { path: [], message: "is not valid" };
  return refuseDamaged(artifact, `cannot be read: ${path.join(".") || "the file"}: ${message}`);
}

function refuseDamaged(artifact: string, how: string): ReadBack {
  const refusal = refuse(
    "knowledge.damaged",
    `${artifact} ${how}; without it nobody can be told what applies`,
    "put the file back from a copy, or stop the bubble and create it again",
  );
  return { ok: false, refusal };
}
