// The review of a change: its two trees, its files, findings where their lines are now, evidence, gates, what to know, and what
// a signature would be over.
import type { PageNotes } from "../../../model/page/notes.ts";
import type { State } from "../../../model/state.ts";
import { buildCriterionViews } from "../../../package/criteria.ts";
import { listSentencesBeforeSigning } from "../../../package/list.ts";
import type { Sentence } from "../../../package/sentence.ts";
import { buildPackageView } from "../../../signing/package.ts";
import type { Asked } from "../inbox.ts";
import type { BubbleHeader } from "../overview.ts";
import type { RoundView } from "../rounds.ts";
import type { PlacedComment } from "./comments.ts";
import type { DiffFile } from "./diff.ts";
import type { EvidenceGroup } from "./evidence.ts";
import type { FindingLife } from "./findings.ts";

/** A tree that can be compared with another. */
export interface TreeChoice {
  readonly id: string;
  /** `base`, `round 2 · codex`. */
  readonly name: string;
}

export interface PinnedFinding extends FindingLife {
  /** Where its line is in the tree that is shown; null when it was changed or removed since. */
  readonly at: number | null;
}

/** What asks for a signature, and through which door it can be given. */
export interface SignView {
  /** What is left to be signed: all of it, or the commit of what was approved elsewhere. */
  readonly does: "approve" | "commit";
  readonly digest: string;
  /** The newest line of the record, as the terminal shows it. */
  readonly head: string;
  readonly message: string;
  readonly branch: string;
  /** Why it cannot be signed from this page now; null when it can. */
  readonly not_now: string | null;
  /** What the terminal of `pairflow ui` was asked, and what it said. */
  readonly asked: Asked | null;
  readonly has_terminal: boolean;
  readonly command: string;
}

export interface ReviewPage extends BubbleHeader {
  readonly page: "review";
  readonly from: TreeChoice;
  readonly to: TreeChoice;
  readonly trees: readonly TreeChoice[];
  /** A newer tree than the one that is shown, and how many files differ between the two. */
  readonly newer: (TreeChoice & { readonly changed: number }) | null;
  readonly files: readonly DiffFile[];
  readonly findings: readonly PinnedFinding[];
  /** Not sent yet, each where its line is now. */
  readonly comments: readonly PlacedComment[];
  readonly evidence: readonly EvidenceGroup[];
  readonly gates: readonly {
    readonly name: string;
    readonly status: string;
    readonly ms: number;
    readonly hint: string | null;
    /** Head and tail of what it printed. */
    readonly output: string;
  }[];
  /** They ran on a clean checkout of exactly this tree. */
  readonly gates_clean: boolean;
  readonly know: readonly Sentence[];
  readonly notes: PageNotes;
  readonly sign: SignView | null;
  readonly brief: ReviewBrief;
}

/** What somebody who was not there reads first. */
export interface ReviewBrief {
  readonly what: string;
  readonly why: string;
  readonly risks: string;
  readonly test_plan: string;
  /** Edits of tests, gates and rules: the person who signs should look at these as such. */
  readonly edits: readonly string[];
  /** Reviews of exactly the newest tree. */
  readonly reviews: readonly { readonly agent: string; readonly round: number; readonly clean: boolean }[];
}

/** Every tree that was handed over, oldest first, with the base before them. */
export function listTreeChoices(state: State, rounds: readonly RoundView[]): TreeChoice[] {
  const made = rounds.flatMap(({ round, turns }) =>
    turns
      .filter(({ does }) => does === "made")
      .map(({ tree, agent }) => ({ id: tree, name: `round ${round} · ${agent}` })),
  );
  const last =
    state.tree && !made.some(({ id }) => id === state.tree?.id)
      ? [{ id: state.tree.id, name: "newest" }]
      : [];
  const all = [{ id: state.baseCommit, name: "base" }, ...made, ...last];
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
}

export function listGateRows({ gates, tree }: State): ReviewPage["gates"] {
  const results = gates && gates.tree === tree?.id ? gates.results : [];
  return results.map(({ name, status, duration_ms: ms, hint, excerpt }) => ({
    ...{ name, status, ms },
    hint: hint ?? null,
    output: excerpt,
  }));
}

export function buildBrief(state: State): ReviewBrief {
  const { what, why = "", risks = "", test_plan = "" } = state.package ?? {};
  const reviews = state.reviews.filter(({ tree }) => tree === state.tree?.id);
  return {
    ...{ why, risks, test_plan },
    what: what ?? state.task.title,
    edits: buildPackageView(state).sensitive,
    reviews: reviews.map(({ agent, round, clean }) => ({ agent, round, clean })),
  };
}

export function getSigningStep({ lifecycle }: Pick<State, "lifecycle">): SignView["does"] | undefined {
  if (lifecycle === "READY_FOR_APPROVAL") return "approve";
  return lifecycle === "APPROVED_FOR_COMMIT" ? "commit" : undefined;
}

export function buildSignView(
  state: State,
  given: Pick<SignView, "asked" | "has_terminal" | "head"> & { readonly isShown: boolean },
): SignView | null {
  const { approval, package: pack } = state;
  const does = getSigningStep(state);
  if (!approval || !does) return null;
  return {
    does,
    digest: approval.digest,
    head: given.head,
    message: pack?.commit_message || state.task.title,
    branch: state.config.bubble_branch,
    not_now: given.isShown ? null : "another change is shown than the one that would be signed",
    asked: given.asked,
    has_terminal: given.has_terminal,
    command: `pairflow bubble ${does} --id ${state.bubbleId}`,
  };
}

export const listSignSentences = (state: State): readonly Sentence[] => listSentencesBeforeSigning(state);
export const listCriterionViews = (state: State): ReturnType<typeof buildCriterionViews> =>
  buildCriterionViews(state);
