// A turn of an agent, its claim, the questions of a bubble and messages on their way to agents, as the fold keeps them.
import type { PayloadOf } from "../record/envelope.ts";
import type { GitPin } from "../record/git-settings.ts";
import type { QuestionKind } from "../record/question-kind.ts";
import type { TurnOutcome } from "../turn-end.ts";

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
  readonly kind: QuestionKind;
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
