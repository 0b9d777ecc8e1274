// What the fold of a transcript knows about the run of a workflow: tasks and their rounds, steps, locks, the newest
// review, children.

import type { Child } from "./program.ts";
import type { PayloadOf } from "./record/envelope.ts";
import type { ProducerPackage } from "./record/package.ts";
import type { Opinion } from "./review/verdict.ts";

/** One round of a task's loop, as its history tells it. */
export interface Iteration {
  readonly iteration: number;
  readonly producer: string;
  readonly critic?: string;
  readonly summary: string;
  readonly critique?: string;
  readonly approved?: boolean;
  /** GO or NO_GO, where the critic says so. */
  readonly decision?: string;
  /** The review could not count: it decided nothing. */
  readonly refused?: boolean;
  readonly at: string;
  readonly tree: string;
}

/** How far a task of the workflow is. */
export interface TaskProgress {
  readonly status: "running" | "completed" | "accepted" | "exceeded" | "skipped";
  /** The line that started it, its first round, and the tree it started from (absent: the base). */
  readonly seq: number;
  readonly firstRound: number;
  readonly fromTree?: string;
  readonly subtask: number;
  readonly switches: number;
  /** The newest line that changed what its views show. */
  readonly changed: number;
  /** A human accepted it as it is. */
  readonly accepted?: boolean;
  /** Its producer has said that a checkpoint is reached, in this round. */
  readonly checkpoint?: string;
  readonly confidence?: { readonly score: number; readonly tree: string; readonly met: boolean };
  /** A judge's score of a tree. */
  readonly judged?: { readonly score: number; readonly tree: string; readonly agent: string };
  readonly history: readonly Iteration[];
  readonly flag?: string;
  readonly iterations?: number;
  /** Turns of the producer since the last review. */
  readonly attempts?: number;
  /** Turns that a human has granted on top, until the next review. */
  readonly extraAttempts?: number;
  /** Its producer has said, in this round, that the work is complete. */
  readonly promised?: boolean;
  readonly chain?: ChainProgress;
  /** The last written view of its pair session. */
  readonly view?: { readonly artifact: string; readonly sha256: string; readonly seq: number };
}

/** What was made in one task or phase, as it stands. */
export interface Work {
  /** Agents whose changes are in it. */
  readonly makers: readonly string[];
  /** The resulting tree, and the kind of paper it is, if it is one. */
  readonly tree: string;
  readonly paper?: string;
  /** Agents whose clean review is about exactly that tree. */
  readonly passed: readonly string[];
  /** Its producer's explanation. */
  readonly package?: ProducerPackage;
  /** Made by a child: what there is to know of it. */
  readonly know?: NonNullable<PayloadOf<"CHILD_REPORTED">["know"]>;
}

/** A chain of critics that continues after an objection. */
export interface ChainProgress {
  /** Whose turn is next; equal to the length of the chain: all have passed the tree. */
  readonly next: number;
  /** How often the chain began again. */
  readonly restarts: number;
  /** The tree that each critic passed last, by its place. */
  readonly passed: Readonly<Record<string, string>>;
  /** The gate has passed a tree: who objects now makes the chain begin again. */
  readonly isRecheck?: boolean;
  /** The tree that the gate has judged last: asked again, it is told what changed since. */
  readonly gate?: string;
}

/** A paper that was handed in and accepted. */
export interface Paper {
  readonly value: Readonly<Record<string, unknown>>;
  readonly agent: string;
  readonly tree: string;
  readonly seq: number;
  readonly at: string;
}

/** The result of a step, for the references of later ones. */
export interface StepRecord {
  readonly outcome: string;
  readonly seq: number;
  readonly at: string;
  readonly visits: number;
  readonly output?: Readonly<Record<string, unknown>>;
  readonly error?: string;
}

export interface Lock {
  readonly path: string;
  readonly sha256: string;
  readonly task?: string;
  readonly decidedBy: string;
  readonly at: string;
  readonly seq: number;
}

/** The newest review as later steps refer to it. */
export interface LastReview {
  readonly agent: string;
  readonly tree: string;
  readonly seq: number;
  readonly approved: boolean;
  readonly feedback: string;
  readonly opinion?: Opinion;
  /** Why it cannot count; such a review touches no finding. */
  readonly invalid?: readonly string[];
}

/** Children that run side by side. */
export interface Children {
  readonly step: string;
  readonly seq: number;
  readonly from: string;
  readonly wait: "all" | "any" | "majority";
  readonly maxConcurrent: number;
  /** A human has said that those who failed are done without. */
  readonly settled?: boolean;
  readonly joined?: boolean;
  readonly each: readonly {
    readonly child: Child;
    readonly bubble?: string;
    readonly report?: PayloadOf<"CHILD_REPORTED">;
    /** The bubbles whose spending is in the parent's sum. */
    readonly counted?: readonly string[];
  }[];
}
