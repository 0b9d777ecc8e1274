// How a turn's process ended, as types. Exit codes mean little: both big CLIs end with 0 after failures.
import * as v from "valibot";

export const turnOutcomes = [
  /** It handed over, or its final answer was accepted. */
  "answered",
  /** It asked a human and ended; the answer continues in the same session. */
  "asked",
  /** It could not continue without a tool it was refused. */
  "refused-tool",
  /** It ended without a word that counts. */
  "crashed",
  /** It was ended because nothing was seen of it for too long. */
  "hung",
  "rate-limited",
  /** The account is used up until a moment that the CLI may name. */
  "quota",
  /** The conversation is longer than the model can take. */
  "context-overflow",
  /** Not logged in, or the key is not accepted. */
  "auth",
  /** The provider does not know the model that the settings name, or this account may not use it. */
  "unknown-model",
  /** The agent cannot be run with these settings: a mode it does not have, a protocol it does not speak. */
  "misconfigured",
  /** The provider could not be reached over the network. */
  "unreachable",
  /** It answered, but not with an answer. */
  "garbage",
  /** It printed more than is kept of one attempt, and was ended for it. */
  "too-much-output",
  /** It stopped in the middle and says that it is not ready. */
  "unfinished",
  /** The session that was to continue does not exist. */
  "no-session",
  /** The step has had its time. */
  "timed-out",
  /** A budget of the bubble was used up while it worked. */
  "over-budget",
  /** A human paused the bubble and did not want to wait for it. */
  "interrupted",
  /** Ended by the referee because it is not wanted any more. */
  "superseded",
  /** The bubble is driven on another machine now: what this attempt did to the files stayed where it ran. */
  "host-lost",
] as const;

export const TurnOutcome = v.picklist(turnOutcomes);
export type TurnOutcome = v.InferOutput<typeof TurnOutcome>;

/** An end without an answer. */
export interface TurnTrouble {
  readonly outcome: Exclude<TurnOutcome, "answered">;
  /** One or two sentences for a person. */
  readonly detail: string;
  /** ISO time from which on it makes sense to try again, where the CLI says so. */
  readonly until?: string;
}

/** What an adapter says about the end of a turn's process. */
export type TurnEnd =
  | {
      readonly outcome: "answered";
      readonly answer: unknown;
      /** The text the answer was found in, where the CLI gave no value: a review must be all of it. */
      readonly text?: string;
    }
  | TurnTrouble;

/** One question of an agent, with the answers it proposes. */
/** A question as a human reads it. */
export const formatAskedQuestion = ({
  question,
  context,
}: Pick<AgentQuestion, "question" | "context">): string => (context ? `${question}\n\n${context}` : question);

export interface AgentQuestion {
  readonly id: string;
  readonly question: string;
  readonly options?: readonly string[];
  readonly context?: string;
}
