// What the fold of a transcript knows. It stays small whatever the length of the log: it keeps what is
// open and what is current, and counts the rest.
import type { BubbleConfig } from "./config.ts";
import type { GateResult, Profile } from "./gate.ts";
import type { PasskeyUse } from "./page/proof.ts";
import type { Program } from "./program.ts";
import type { BaseRun, CleanCheckout } from "./record/checkout.ts";
import type { PayloadOf } from "./record/envelope.ts";
import type { GitPin } from "./record/git-settings.ts";
import type { ProducerPackage } from "./record/package.ts";
import type { ChangedFile, ImplementedDocument, TreeContext } from "./record/payloads/parts.ts";
import type { Usage } from "./record/usage.ts";
import type { Finding } from "./review/finding.ts";
import type { Opinion } from "./review/verdict.ts";
import type { Children, Iteration, LastReview, Lock, Paper, StepRecord, TaskProgress, Work } from "./run.ts";
import type { TurnOutcome } from "./turn-end.ts";

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

/** One agent's go at a step. `due`: to be started; `running`: started; `claimed`: its verb is accepted. */
export interface Turn {
  readonly id: string;
  readonly step: string;
  readonly role: string;
  readonly agent: string;
  readonly status: "due" | "running" | "claimed";
  readonly attempt: number;
  /** Attempts that ended without an answer. */
  readonly failures: number;
  /** Why this turn exists, told to the agent. */
  readonly why: string;
  readonly since: string;
  readonly capability?: string;
  readonly session?: string;
  /** Whether the running attempt began a new session. */
  readonly fresh?: boolean;
  /** Artifact with what the running attempt was told. */
  readonly prompt?: string;
  /** Where it sits: a pane that people watch, or a process without a terminal. */
  readonly seat?: string;
  readonly tree?: string;
  readonly pid?: number;
  readonly tty?: string;
  readonly output?: string;
  readonly startedAt?: string;
  /** The host whose driver started the running attempt: only there are its process and its files. */
  readonly host?: string;
  readonly sandboxed?: boolean;
  /** Agents that had this turn before and could not continue. */
  readonly gaveUp?: readonly string[];
  /** How earlier attempts of this agent ended, counted by kind: each kind has its own bound. */
  readonly ends?: Readonly<Partial<Record<TurnOutcome, number>>>;
  /** How the last attempt ended. */
  readonly ended?: TurnOutcome;
  /** The next attempt: not before this time, in a new session, told what was wrong. */
  readonly notBefore?: string;
  /** Since when it backs off; absent where the agent's CLI named the moment, which no pause moves. */
  readonly backsOffSince?: string;
  readonly startFresh?: boolean;
  readonly problem?: string;
  /** What a dialog in its pane asks, since when. */
  readonly waitsFor?: { readonly what: string; readonly at: string };
  /** The newest attempt whose CLI has said what it used. */
  readonly measured?: number;
  /** Lines that its CLI's hooks have caused: sessions and dialogs. */
  readonly hookLines?: number;
  /** A human was asked something during this turn. */
  readonly waited?: boolean;
  /** Reviews of this turn that were refused: the third goes to a human. */
  readonly refusedReviews?: number;
  /** Messages that were on their way into its pane when it handed over: that they were sent may be reported late. */
  readonly underWay?: readonly number[];
  readonly claim?: Claim;
}

/** The verb that ended a turn, kept so that repeating it returns its first outcome. */
export interface Claim {
  readonly verb: "pass" | "converged" | "ask-human";
  readonly digest: string;
  readonly seq: number;
  /** What the verb said; it takes effect only when the referee has seen the tree after the turn. */
  readonly pass?: PayloadOf<"PASS">;
  readonly convergence?: PayloadOf<"CONVERGENCE">;
  /** The files it handed in, as refs. */
  readonly refs?: readonly string[];
}

export interface Question {
  /** q<seq of its envelope>. */
  readonly id: string;
  readonly seq: number;
  readonly kind: string;
  readonly from: string;
  readonly text: string;
  readonly at: string;
  readonly turn?: string;
  readonly options?: readonly { readonly key: string; readonly does: string }[];
  readonly findings?: readonly string[];
  /** The gates it is about. */
  readonly gates?: readonly string[];
  /** The asking process waits: its own ids of the request and the question. */
  readonly waiting?: { readonly request: string; readonly question: string };
  /** The changed git settings it is about. */
  readonly git?: GitPin;
}

/** Something that happened in git beside the work, for whoever signs. */
export interface GitNote {
  readonly code: string;
  readonly message: string;
  readonly seq: number;
}

/** A human's words on their way to an agent: part of its next prompt, or pasted into its pane. */
export interface Delivery {
  readonly message: number;
  readonly turn: string;
  readonly text: string;
  readonly status: "owed" | "sent";
  readonly tries: number;
  /** When it was put into the pane last: a sign of the agent after that says that it was read. */
  readonly sentAt?: string;
  /** The answer as it goes to a process that waits for it. */
  readonly reply?: { readonly request: string; readonly question: string; readonly text: string };
}

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

/** What a critic or a judge said about a handoff, for whoever continues the work. */
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

/** Files that appeared during a turn that only reads. */
export interface PutBack {
  readonly agent: string;
  readonly role: string;
  readonly round: number;
  readonly files: readonly string[];
  /** Artifact with the patch that keeps them. */
  readonly patch: string;
}

export interface Pause {
  readonly at: string;
  readonly seq: number;
  /** Why, in the words of whoever paused. */
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
