// What the lines of a record name in git: the newest pin under each name, and the commit that was approved.
import type { Envelope } from "../../core/model/record/envelope.ts";

export interface Pin {
  readonly seq: number;
  readonly type: string;
  readonly commit: string;
  readonly tree: string;
  readonly ref: string;
}

export interface ApprovedCommit {
  readonly seq: number;
  readonly commit: string;
  readonly tree: string;
  readonly branch: string;
  readonly parent: string;
  readonly message: string;
}

export interface GitNames {
  readonly pins: readonly Pin[];
  readonly committed?: ApprovedCommit;
  readonly branch: string;
  /** What lines give as commits and trees, and no git has ever called so. */
  readonly invented: readonly { readonly seq: number; readonly type: string; readonly id: string }[];
  /** The commit it begins with, where that is none of git's: nothing of it can be looked up. */
  readonly foreignBase?: string;
}

const isId = (text: string) => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

/** A pin's name may be used again by another try of the same turn; the last one counts. */
export function collectGitNames(envelopes: readonly Envelope[]): GitNames {
  const pins = [...new Map(envelopes.flatMap(listPins).map((pin) => [pin.ref, pin])).values()];
  const committed = findCommitted(envelopes);
  const created = findCreation(envelopes);
  const base = created?.base_commit ?? "";
  const branch = created?.config.bubble_branch ?? "";
  const invented = [...pins, ...(committed ? [{ ...committed, type: "COMMITTED" }] : [])].flatMap(
    listInvented,
  );
  // A record that begins with no commit of git is not about git: it was made for a workspace of another kind.
  if (base !== "" && !isId(base))
    return { pins: [], branch, invented: [], ...(invented.length > 0 ? { foreignBase: base } : {}) };
  return {
    pins: pins.filter(({ commit, tree }) => isId(commit) && isId(tree)),
    ...(committed && isId(committed.commit) ? { committed } : {}),
    branch,
    invented,
  };
}

function listInvented({ seq, type, commit, tree }: Omit<Pin, "ref">): GitNames["invented"][number][] {
  return [commit, tree].filter((id) => !isId(id)).map((id) => ({ seq, type, id }));
}

/** A critic that left the files alone hands over a tree that is pinned already. */
function listPins({ seq, type, payload }: Envelope): Pin[] {
  const isPinned = type === "HANDOFF" || type === "JOINED" || type === "BASE_UPDATED";
  if (!isPinned || payload.ref === "") return [];
  const { commit, tree, ref } = payload;
  return [{ seq, type, commit, tree, ref }];
}

function findCreation([first]: readonly Envelope[]) {
  return first?.type === "BUBBLE_CREATED" ? first.payload : undefined;
}

/** The approved commit as it must be: on the base, with the message of the newest package before it. */
function findCommitted(envelopes: readonly Envelope[]): ApprovedCommit | undefined {
  const at = envelopes.findLastIndex(({ type }) => type === "COMMITTED");
  const line = envelopes[at];
  if (line?.type !== "COMMITTED") return undefined;
  const created = findCreation(envelopes);
  const packed = envelopes.slice(0, at).findLast(({ type }) => type === "DONE_PACKAGE");
  const said = packed?.type === "DONE_PACKAGE" ? packed.payload.package.commit_message : "";
  const { commit, tree, branch } = line.payload;
  const message = said || (created?.task.title ?? "");
  const moved = envelopes.slice(0, at).findLast(({ type }) => type === "BASE_UPDATED");
  const parent = moved?.type === "BASE_UPDATED" ? moved.payload.to : (created?.base_commit ?? "");
  return { seq: line.seq, commit, tree, branch, parent, message };
}
