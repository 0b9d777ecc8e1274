// What a tree is judged by, as the fold keeps it: the tree itself, reviews, remarks, gate runs.
import type { GateResult } from "../gate.ts";
import type { BaseRun, CleanCheckout } from "../record/checkout.ts";
import type { PayloadOf } from "../record/envelope.ts";
import type { ChangedFile, TreeContext } from "../record/payloads/parts.ts";
import type { Opinion } from "../review/verdict.ts";

export interface Tree {
  readonly id: string;
  readonly commit: string;
  readonly files: readonly ChangedFile[];
  readonly filesTotal: number;
  readonly added: number;
  readonly removed: number;
  readonly by: string;
  readonly round: number;
  readonly seq: number;
  readonly touched: PayloadOf<"HANDOFF">["touched"];
  /** What its producer said about this handoff; told to critics only where the bubble says so. */
  readonly summary?: string;
  /** Files that its producer handed in beside the tree, as refs. */
  readonly refs?: readonly string[];
  readonly diff?: string;
  /** Places that look like a secret; shown before anybody signs. */
  readonly secrets?: readonly string[];
  /** What its critics must answer for, and the line that said so where that was not the handoff. */
  readonly context?: TreeContext;
  readonly contextSeq?: number;
  /** Files that the merge of children left conflict markers in. */
  readonly conflicts?: readonly string[];
  /** It holds a paper, which is not in the worktree: the tree that is, and its commit. */
  readonly paper?: { readonly kind: string; readonly code: string; readonly commit: string };
}

/** What a critic or a judge said about a handoff, for the agent that continues the work. */
export interface Remark {
  readonly agent: string;
  readonly role: string;
  readonly round: number;
  readonly seq: number;
  readonly tree: string;
  readonly summary: string;
  /** Files that it handed in, as refs. */
  readonly refs?: readonly string[];
  /** New files of its turn that were put back, and the patch that keeps them. */
  readonly putBack?: { readonly files: readonly string[]; readonly patch: string };
}

/** One critic's pass over the current tree. */
export interface Review {
  readonly agent: string;
  readonly round: number;
  readonly seq: number;
  readonly tree: string;
  readonly clean: boolean;
  readonly byOperator: boolean;
  readonly openIds: readonly string[];
  /** Its own word rejects, whatever the severity of what it found. */
  readonly rejects?: boolean;
  /** Where the critic wants it to go, when that is not the producer. */
  readonly route?: Opinion["route"];
  /** Its own confidence, when it is below what the bubble asks for; a human then decides. */
  readonly unsure?: number;
  /** What it answered on top of the review. */
  readonly duty?: string;
  /** A human trusts it although its critic was not sure. */
  readonly trusted?: boolean;
  /** Criteria that it gave evidence for, by their ids. */
  readonly proves?: readonly string[];
  /** Habits of the project that its critic noticed, if it approves. */
  readonly patterns?: Opinion["patterns"];
}

export interface GatesEvidence {
  readonly tree: string;
  readonly attempt: number;
  readonly seq: number;
  readonly results: readonly GateResult[];
  readonly void: boolean;
  readonly commitMessage?: string;
  /** Gates that were killed: they are run once more before the results count. */
  readonly again?: readonly string[];
  /** They ran on a clean checkout of the tree, made ready like this. */
  readonly clean?: CleanCheckout;
}

/** What the gates said about the untouched base. */
export interface BaseEvidence {
  readonly tree: string;
  readonly seq: number;
  readonly results: readonly Pick<
    GateResult,
    "name" | "required" | "status" | "missing" | "signal" | "hint"
  >[];
  /** Why no gate could run. */
  readonly problem?: string;
  readonly ranAt: string;
  readonly fromCache: boolean;
  readonly redInWorktree: NonNullable<BaseRun["red_in_worktree"]>;
  /** Absent in the cache of an older version, as if it were empty. */
  readonly needsNetwork?: NonNullable<BaseRun["needs_network"]>;
}

/** Files that appeared during a turn that only reads. */
export interface PutBack {
  readonly agent: string;
  readonly role: string;
  readonly round: number;
  readonly files: readonly string[];
  /** Artifact with the patch that keeps them. */
  readonly patch: string;
}
