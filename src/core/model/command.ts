// What can be asked of the referee: by agents (claims), by people (decisions), by a driver (outcomes of effects).
import type { BubbleConfig } from "./config.ts";
import type { Door } from "./door.ts";
import type { GivenProof } from "./page/proof.ts";
import type { BaseRun, CleanCheckout } from "./record/checkout.ts";
import type { PayloadOf } from "./record/envelope.ts";
import type { GitPin } from "./record/git-settings.ts";
import type { ProducerPackage } from "./record/package.ts";
import type { ChangedFile, Via } from "./record/payloads/parts.ts";
import type { UsedBudget } from "./record/usage.ts";
import type { CodeLocation } from "./review/evidence.ts";
import type { Answer, CheckedEvidence, Dispute, NewFinding } from "./review/finding.ts";
import type { Opinion } from "./review/verdict.ts";
import type { AgentQuestion } from "./turn-end.ts";

/** Who speaks. An agent shows the capability of its turn; the log knows only the capability's hash. */
export type Actor =
  | { readonly kind: "agent"; readonly turn: string; readonly attempt: number; readonly capability: string }
  | {
      readonly kind: "operator";
      readonly via: Via;
      readonly door?: Door;
      readonly as?: string;
      readonly proof?: GivenProof;
    }
  /** A driver reports; for an agent without a terminal it also passes on the final answer of that attempt. */
  | { readonly kind: "driver"; readonly id: string; readonly turn?: string; readonly attempt?: number };

interface Base<T extends string> {
  readonly type: T;
  readonly actor: Actor;
}

export interface ReviewClaim {
  readonly findings?: readonly NewFinding[];
  readonly noFindings?: boolean;
  readonly answers?: readonly Answer[];
  readonly checked?: readonly CheckedEvidence[];
  /** The rest of a verdict; absent when the critic used flags alone. */
  readonly opinion?: Opinion;
  /** A written review that could not be understood, and why: it is refused, and counted. */
  readonly unreadable?: readonly string[];
  /** It can be read and contradicts itself: `unreadable` says how. */
  readonly contradicts?: boolean;
}

/**
 * What was found out about the places a review cites, read from git objects by the caller of the command: the rules
 * judge these facts, they read no files. Places and files that are not mentioned here do not stand in the tree.
 */
export interface ReviewFacts {
  /** The tree that was looked at. */
  readonly tree: string;
  /** Cited places by `buildLocationKey`, with what is wrong about each; undefined: it stands there. */
  readonly places: Readonly<Record<string, string | null>>;
  /** What the texts of the review cite, by the text. */
  readonly read: Readonly<Record<string, ReadEvidence>>;
  /** Files named in the review that exist in the tree, or in the base. */
  readonly files: readonly string[];
  /** Findings answered `fixed` although nothing changed where they were opened. */
  readonly unchanged: readonly string[];
  /** SOPs whose evidence only says their own text back. */
  readonly echoed: readonly string[];
  /** SOPs the review answers that the project does not have. */
  readonly unknownSops: readonly string[];
  /** The changed files that each SOP the review answers is about, by the SOP's own patterns. */
  readonly matched: Readonly<Record<string, readonly string[]>>;
}

/** Evidence that was written as one text, read with the files that there are. */
export interface ReadEvidence {
  /** Places with a line, and quotes with their places: each is looked up. */
  readonly cites: readonly CodeLocation[];
  /** Every file it names, with or without a line. */
  readonly files: readonly string[];
}

/** Hash of a verb's arguments, so that a repeated verb is recognised. */
interface Claimed {
  readonly digest: string;
  readonly refs?: readonly string[];
}

/** How long ago, in milliseconds, as measured by the effect that watches a turn. */
export interface Ages {
  /** Since the turn was begun or continued. */
  readonly turnMs: number;
  /** Since the last sign of life. */
  readonly signMs: number;
}

/** What the gates said on a clean checkout. */
export type CleanRun = Pick<
  PayloadOf<"GATES_RESULT">,
  "tree" | "results" | "changed" | "output" | "commit_message"
> & { readonly clean: CleanCheckout };

export type Command =
  | (Base<"create"> & PayloadOf<"BUBBLE_CREATED">)
  | (Base<"configure"> & { readonly config: BubbleConfig; readonly readAt?: string })
  | (Base<"start"> & { readonly seat: string })
  | (Base<"workspace-ready"> & PayloadOf<"WORKSPACE_READY">)
  | (Base<"workspace-failed"> & { readonly code: string; readonly message: string })
  | (Base<"claim-driver"> & { readonly pid: number; readonly host: string; readonly seat: string })
  | (Base<"turn-started"> & Omit<PayloadOf<"TURN_STARTED">, "step" | "role" | "agent">)
  | (Base<"turn-spawned"> & PayloadOf<"TURN_SPAWNED">)
  | (Base<"turn-ended"> &
      Omit<PayloadOf<"TURN_ENDED">, "next"> & {
        /** Its process was gone when the driver that reports this came: nobody saw how it ended. */
        readonly unseen?: boolean;
      })
  | (Base<"pass"> &
      ReviewClaim &
      Claimed & {
        readonly summary: string;
        readonly intent?: "task" | "review" | "fix_request";
        readonly disputes?: readonly Dispute[];
        readonly noChange?: string;
        readonly package?: ProducerPackage;
        /** A checkpoint is reached: the roles switch after this round, where the task says so. */
        readonly checkpoint?: string;
        /** A judge's score of the tree, 0 to 1. */
        readonly score?: number;
        /** A paper, as its author wrote it. */
        readonly paper?: unknown;
        readonly facts?: ReviewFacts;
      })
  | (Base<"converged"> & ReviewClaim & Claimed & { readonly summary: string; readonly facts?: ReviewFacts })
  | (Base<"ask-human"> &
      Claimed & {
        readonly question: string;
        readonly options?: readonly string[];
        /** Further questions of the same go; the agent continues when all are answered. */
        readonly others?: readonly AgentQuestion[];
        /** A review that needs clarification names the tree it is about, like any other; "" when it names none. */
        readonly tree?: string;
        /** The process waits for the answers: its own ids of the request and of each question, in order. */
        readonly waiting?: { readonly request: string; readonly questions: readonly string[] };
      })
  | (Base<"turn-session"> & PayloadOf<"TURN_SESSION">)
  | (Base<"turn-waiting"> & PayloadOf<"TURN_WAITING">)
  | (Base<"usage"> & Omit<PayloadOf<"TURN_USAGE">, "agent" | "role">)
  | (Base<"handoff"> &
      Omit<PayloadOf<"HANDOFF">, "problems" | "files_total" | "added" | "removed" | "files"> & {
        /** Every changed file; the record keeps the first ones and the totals. */
        readonly files: readonly ChangedFile[];
        /** What git itself refuses: new gitlinks, an open merge, a HEAD that left its base, a failing add. */
        readonly problems: readonly string[];
        /** A critic's turn: its review, checked once more by the driver on the tree it judged. */
        readonly facts?: ReviewFacts;
        /** Locked artifacts as they stand in this tree; null: gone. */
        readonly locked?: Readonly<Record<string, string | null>>;
      })
  | (Base<"gates-ran"> & Omit<PayloadOf<"GATES_RESULT">, "attempt" | "again" | "clean" | "base">)
  /** The gates ran on a clean checkout of the tree that asks for approval. */
  | (Base<"final-gates-ran"> & CleanRun)
  /** The gates ran on a clean checkout of the base. */
  | (Base<"base-gates-ran"> & CleanRun & { readonly base: BaseRun })
  | (Base<"package-written"> & {
      readonly tree: string;
      readonly artifact: string;
      readonly sha256: string;
      readonly digest: string;
    })
  | (Base<"delivered"> & PayloadOf<"DELIVERY">)
  | (Base<"reply"> & {
      readonly message: string;
      readonly question?: string;
      readonly choice?: string;
      readonly rounds?: number;
      readonly findings?: readonly string[];
      readonly waiveGates?: readonly string[];
    })
  | (Base<"resume"> & {
      readonly message: string;
      readonly tree?: "keep" | { readonly putBack: string };
      /** The bubble above that was resumed, and this one with it. */
      readonly parent?: string;
      /** A bubble above this one is paused. */
      readonly pausedAbove?: string;
    })
  /** Nothing new is begun; `now`: what is under way is ended too. */
  | (Base<"pause"> & { readonly message: string; readonly now: boolean; readonly parent?: string })
  | (Base<"override-scope"> & { readonly paths: readonly string[]; readonly reason: string })
  | (Base<"approve"> & { readonly digest: string; readonly tree: string; readonly message: string })
  | (Base<"request-rework"> & {
      readonly message: string;
      readonly reject: boolean;
      /** What the human found, at its lines: it gets ids and is answered like a critic's. */
      readonly findings?: readonly NewFinding[];
    })
  | (Base<"commit"> & {
      readonly commit: string;
      readonly tree: string;
      readonly branch: string;
      /** Locked artifacts as they stand in the committed tree; null: gone. */
      readonly locked?: Readonly<Record<string, string | null>>;
    })
  | (Base<"finish"> & object)
  | (Base<"stop"> & { readonly reason: string })
  | (Base<"fail"> & { readonly code: string; readonly message: string })
  | (Base<"tree-changed"> & PayloadOf<"TREE_CHANGED">)
  /** The repository's git settings differ from those that count as known. */
  | (Base<"git-changed"> & GitPin & { readonly changes: readonly string[] })
  | (Base<"watchdog"> & { readonly lastSignAt?: string; readonly ages?: Ages })
  /** Something went wrong that stops nothing: it is written down. */
  | (Base<"warn"> & { readonly code: string; readonly message: string })
  /** A human waives a document check or a gate by name. */
  | (Base<"waive"> & { readonly gates: readonly string[]; readonly reason: string })
  /** The artifacts of the current task, with their hashes in the current tree. */
  | (Base<"lock"> & { readonly tree: string; readonly artifacts: PayloadOf<"LOCKED">["artifacts"] })
  | (Base<"unlock"> & { readonly paths: readonly string[]; readonly reason: string })
  | (Base<"context-assembled"> & PayloadOf<"CONTEXT_ASSEMBLED">)
  | (Base<"workflow-started"> & PayloadOf<"WORKFLOW_STARTED">)
  | (Base<"plan-kept"> & PayloadOf<"PLAN_KEPT">)
  | (Base<"child-started"> & PayloadOf<"CHILD_STARTED">)
  | (Base<"child-reported"> & PayloadOf<"CHILD_REPORTED">)
  /** The children's trees were merged; problems as for a handoff. */
  | (Base<"joined"> & Omit<PayloadOf<"JOINED">, "files_total" | "added" | "removed">)
  /** A wait is over, or a step or the run has had its time. `entered` is the line that entered the step. */
  /** `measured`: the driver has waited that long itself, whatever the clock says now. */
  | (Base<"time-up"> & {
      readonly what: "wait" | "step" | "run";
      readonly entered: number;
      readonly measured?: boolean;
    })
  /** The base branch has moved: its commit `to` is to be merged into the work. */
  | (Base<"update-base"> & { readonly branch: string; readonly to: string; readonly tree: string })
  /** It was merged; problems as for a handoff. */
  | (Base<"base-updated"> &
      Omit<PayloadOf<"BASE_UPDATED">, "from" | "files_total" | "added" | "removed" | "rounds">)
  /** Steps that need nobody continue. */
  | (Base<"go-on"> & { readonly entered: number })
  | (Base<"pair-session"> & PayloadOf<"PAIR_SESSION">)
  /** The pair's state contradicts itself or was changed behind the referee's back. */
  | (Base<"pair-corrupt"> & { readonly task: string; readonly problem: string; readonly artifact: string })
  | (Base<"redo"> & { readonly step: string; readonly reason: string })
  /** Is a budget used up by now, with what children at work have used by their own records? */
  | (Base<"check-budget"> & { readonly children?: UsedBudget });

export type CommandOf<T extends Command["type"]> = Extract<Command, { type: T }>;
