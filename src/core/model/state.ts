// What the fold of a transcript knows. It stays small whatever the length of the log: it keeps what is
// open and what is current, and counts the rest.
import type { BubbleConfig } from "./config.ts";
import type { Profile } from "./gate.ts";
import type { PasskeyUse } from "./page/proof.ts";
import type { Program } from "./program.ts";
import type { PayloadOf } from "./record/envelope.ts";
import type { GitPin } from "./record/git-settings.ts";
import type { ProducerPackage } from "./record/package.ts";
import type { ImplementedDocument } from "./record/payloads/parts.ts";
import type { Usage } from "./record/usage.ts";
import type { Finding } from "./review/finding.ts";
import type { Children, Iteration, LastReview, Lock, Paper, StepRecord, TaskProgress, Work } from "./run.ts";
import type { BaseEvidence, GatesEvidence, PutBack, Remark, Review, Tree } from "./state/evidence.ts";
import type { Delivery, Question, Turn } from "./state/turn.ts";

export const lifecycleStates = [
  "CREATED",
  "PREPARING_WORKSPACE",
  "RUNNING",
  "WAITING_HUMAN",
  "READY_FOR_APPROVAL",
  "APPROVED_FOR_COMMIT",
  "COMMITTED",
  "DONE",
  "FAILED",
  "CANCELLED",
] as const;

export type Lifecycle = (typeof lifecycleStates)[number];

/** Something that happened in git beside the work, for the person who signs. */
export interface GitNote {
  readonly code: string;
  readonly message: string;
  readonly seq: number;
}

/** What all turns so far used, by their CLIs' own figures. */
export interface Spent {
  readonly total: Usage;
  readonly byAgent: Readonly<Record<string, Usage>>;
  /** Attempts that ended without any figure: the sums do not know them. */
  readonly unknown: number;
  /** Attempts with figures, but none in money. */
  readonly unpriced: number;
  /** Milliseconds agents had a turn, finished attempts only. */
  readonly workedMs: number;
}

/** A setting that was read from bubble.toml after the start. */
export interface SettingAfterStart {
  readonly setting: string;
  readonly from: string;
  readonly to: string;
  readonly seq: number;
  /** The command that read it. */
  readonly readAt?: string;
}

export interface Pause {
  readonly at: string;
  readonly seq: number;
  /** Why, in the words of the person who paused. */
  readonly message: string;
  /** What was under way was ended. */
  readonly now: boolean;
  /** The account that has paused it. */
  readonly by?: string;
  /** The bubble above that was paused, and this one with it. */
  readonly parent?: string;
}

export interface RoundRoles {
  readonly round: number;
  readonly [role: string]: string | number;
}

export interface State {
  /** The version of the fold: a cache of another one is folded anew. */
  readonly v: 2;
  readonly bubbleId: string;
  readonly seq: number;
  readonly createdAt: string;
  readonly lifecycle: Lifecycle;
  readonly config: BubbleConfig;
  readonly program: Program;
  readonly profile: Profile;
  readonly baseCommit: string;
  readonly task: PayloadOf<"BUBBLE_CREATED">["task"];
  /** The criteria that the newest TASK line told. */
  readonly criteria?: readonly string[];
  readonly knowledge?: PayloadOf<"BUBBLE_CREATED">["knowledge"];
  /** The approved document that this bubble implements. */
  readonly document?: ImplementedDocument;
  readonly seat?: string;
  /** The account that has started it. */
  readonly startedBy?: string;
  /** Words that granted something through a door that is not proven. */
  readonly unproven?: readonly { readonly seq: number; readonly what: string; readonly why: string }[];
  /** Words that were granted by a passkey. */
  readonly passkeys?: readonly (PasskeyUse & { readonly seq: number; readonly what: string })[];
  readonly workspace?: {
    /** Where it was on its own host: a note, since every host has places of its own. */
    readonly path: string;
    /** The host whose worktree holds the recorded tree. */
    readonly host?: string;
    /** The tree it began with. */
    readonly tree?: string;
    readonly branch: string;
    /** What is different in it: copied files, empty submodules. */
    readonly notes?: readonly string[];
    /** The tree of the base, while the gates may still be asked about it. */
    readonly base?: string;
    /** It is that of a newer commit than the work began with. */
    readonly isBaseMoved?: true;
    /** Why the setup command failed in it. */
    readonly problem?: string;
  };
  readonly base?: BaseEvidence;
  /** The commit of the base branch that is to be merged into the work. */
  readonly baseUpdate?: { readonly branch: string; readonly to: string; readonly seq: number };
  /** The git settings that count as known; `putBack`: those that a human wants undone, by their hash. */
  readonly git?: GitPin & { readonly putBack?: string };
  readonly gitNotes?: readonly GitNote[];
  readonly driver?: {
    readonly id: string;
    readonly pid: number;
    readonly host: string;
    readonly attempt: number;
    readonly at: string;
  };

  /** Where the workflow is: the step, how often in a row it refused a handoff, and the route a spent budget held back. */
  readonly position: {
    readonly step: string | null;
    /** The line that entered the step: evidence older than this belongs to an earlier visit. */
    readonly seq: number;
    /** The outcome that led here. */
    readonly outcome: string;
    readonly why: string;
    readonly refusals: number;
    readonly held?: { readonly to: string; readonly swap: boolean };
    /** When the step was entered, and how long a human was asked since then. */
    readonly at?: string;
    readonly waitedMs?: number;
  };
  readonly round: number;
  readonly extraRounds: number;
  /** Which agent holds which role in this round. */
  readonly roles: Readonly<Record<string, string>>;
  readonly roundRoleHistory: readonly RoundRoles[];

  readonly turnCount: number;
  readonly turn?: Turn;
  readonly lastTurn?: Turn;
  /** The newest session of each agent's producer turns, to be resumed. */
  readonly sessions: Readonly<Record<string, string>>;
  /** Where each of them was made: a CLI keeps its sessions in files of one machine. */
  readonly sessionHosts?: Readonly<Record<string, string>>;

  readonly spent: Spent;
  /** How often a human has granted the budgets once more. */
  readonly extraBudgets: number;

  /** Agents that ran outside an OS sandbox; shown before anybody signs. */
  readonly unsandboxed: readonly string[];

  /** All that are open, and the newest that are closed. */
  readonly findings: readonly Finding[];
  /** Ids given out so far; an id is never given twice, even if its pass had no effect. */
  readonly findingCount: number;
  readonly tree?: Tree;
  readonly gates?: GatesEvidence;
  /** How often the final run was red: on the newest such tree, and in all. */
  readonly finalReds?: { readonly tree: string; readonly count: number; readonly total: number };
  readonly reviews: readonly Review[];
  /** What was said about the newest tree that was judged, oldest first. */
  readonly remarks?: readonly Remark[];
  /** What was made, by task or phase; without those under the empty key. */
  readonly work?: Readonly<Record<string, Work>>;
  /** The explanation of all work as one. */
  readonly package?: ProducerPackage;
  readonly packageSeq?: number;
  /** Parts of a package that came with a refused handoff: the next one of the same task need not say them again. */
  readonly refusedPackage?: { readonly task: string; readonly parts: ProducerPackage };
  /** Consecutive reviews with the same open findings on the same tree. */
  readonly progress: { readonly key: string; readonly repeats: number };
  readonly waivedGates: readonly string[];
  /** Why a human waived a gate or check by name. */
  readonly gateWaivers?: Readonly<Record<string, string>>;
  /** The human has understood the document of this tree, in their own words. */
  readonly comprehension?: { readonly tree: string; readonly seq: number; readonly words: string };
  /** Settings that changed after the start, the newest of them. */
  readonly settings?: readonly SettingAfterStart[];
  /** Files that changed outside any turn: those a human is asked about, and those a human has kept. */
  readonly stray?: readonly string[];
  readonly strayKept?: readonly string[];
  /** New files that appeared in turns that only read; they were put back. */
  readonly putBack?: readonly PutBack[];
  readonly scopeOverrides: readonly string[];
  readonly notes: readonly string[];

  /** Tasks of the workflow that have begun, by key. */
  readonly tasks?: Readonly<Record<string, TaskProgress>>;
  /** The rounds of a run without tasks, as a human or an agent who comes later is told them. */
  readonly history?: readonly Iteration[];
  readonly steps?: Readonly<Record<string, StepRecord>>;
  readonly lastReview?: LastReview;
  readonly locks?: readonly Lock[];
  readonly children?: Children;
  /** Results of children of earlier groups, by key. */
  readonly parts?: Readonly<Record<string, { readonly status: string; readonly bubble: string }>>;
  /** Papers that were accepted, by kind. */
  readonly papers?: Readonly<Record<string, Paper>>;
  /** The damaged record whose good part continues here. */
  readonly salvaged?: PayloadOf<"BUBBLE_CREATED">["salvaged"];
  readonly lineage?: PayloadOf<"BUBBLE_CREATED">["lineage"];
  readonly result?: PayloadOf<"RUN_RESULT">;
  readonly parent?: { readonly bubble: string; readonly key: string; readonly depth: number };
  /** When the run began, how long a human was asked in all, and since when one is asked now. */
  readonly run?: { readonly at: string; readonly waitedMs: number };
  readonly waitingSince?: string | undefined;

  readonly questions: readonly Question[];
  readonly deliveries: readonly Delivery[];
  readonly convergence?: { readonly seq: number; readonly agent: string; readonly weak: boolean };
  readonly approval?: {
    readonly digest: string;
    readonly tree: string;
    readonly artifact: string;
    readonly sha256: string;
    readonly seq: number;
    readonly at: string;
    readonly decision?: "approve" | "revise" | "reject";
    readonly decidedAt?: string;
    readonly decidedSeq?: number;
    /** The passkey whose proof approved it. */
    readonly passkey?: PasskeyUse;
  };
  readonly commit?: { readonly id: string; readonly branch: string };
  readonly end?: { readonly code: string; readonly message: string };
  readonly workspaceFailures: number;
  readonly workspaceError?: string;
  readonly warnings: {
    readonly count: number;
    readonly last?: { readonly code: string; readonly message: string; readonly at: string };
    /** How many of them there were since turn number `turns` began: an agent cannot fill the log with them. */
    readonly now?: { readonly turns: number; readonly count: number };
  };
  /** A human wants nothing new begun. Every clock shows this moment until it ends. */
  readonly pause?: Pause;
  /** Pauses that have ended: what is measured is measured anew after each. */
  readonly pauses?: number;
  /** Since when the turn has had its agent; a pause is not counted. */
  readonly activeSince: string;
  readonly lastCommandAt: string;
  /** Time of the newest line; a clock set back never makes time run backwards in a log. */
  readonly lastAt: string;
}
