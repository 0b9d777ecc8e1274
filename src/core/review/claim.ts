// From a verdict to what an agent would have typed: one path into the referee, whatever the dialect.
import type { ReviewClaim } from "../model/command.ts";
import type { Clarification, Opinion, SopEntry, Verdict } from "../model/review/verdict.ts";
import { type AgentQuestion, formatAskedQuestion } from "../model/turn-end.ts";
import { expandNames, expandSopId } from "./names.ts";

export interface VerdictClaim extends ReviewClaim {
  readonly type: "pass" | "converged";
  readonly summary: string;
  readonly opinion: Opinion;
}

interface VerdictQuestion {
  readonly type: "ask-human";
  readonly question: string;
  readonly options?: readonly string[];
  readonly others: readonly AgentQuestion[];
  /** The tree it is about; "" when it names none. */
  readonly tree: string;
}

/** The command that a verdict stands for: what the ledger needs, and the rest as the critic's opinion beside it. */
export function reviewClaim(verdict: Verdict): VerdictClaim {
  const { summary, findings, answers, checked, questions: _asked, converged, ...opinion } = verdict;
  const review = expandNames({ summary, findings, answers, checked, opinion });
  return converged
    ? { type: "converged", ...review }
    : { type: "pass", ...review, ...(findings.length === 0 ? { noFindings: true } : {}) };
}

/** SOPs and confidence that were said one by one, beside the findings. The tree is the turn's own. */
export function buildOpinion(
  { findings, answers }: ReviewClaim,
  { sops, confidence }: { readonly sops: SopEntry[]; readonly confidence?: number | undefined },
): Pick<ReviewClaim, "opinion"> {
  if (sops.length === 0 && confidence === undefined) return {};
  const revises =
    Boolean(findings?.length) ||
    Boolean(answers?.some(({ status }) => status === "open")) ||
    sops.some(({ status }) => status === "violated");
  return {
    opinion: {
      dialect: "findings",
      decision: revises ? "revise" : "approve",
      sop_review: sops.map((entry) => ({ ...entry, sop_id: expandSopId(entry.sop_id) })),
      patterns: [],
      ...(confidence === undefined ? {} : { confidence }),
    },
  };
}

export type SaidVerdict = VerdictClaim | VerdictQuestion;

/** The same for a verdict that may need clarification: that is a question to the human. */
export function buildSaidVerdict(verdict: Verdict): SaidVerdict {
  if (verdict.decision !== "clarify") return reviewClaim(verdict);
  const [first = { question: verdict.summary }, ...others]: readonly Clarification[] = verdict.questions;
  return {
    type: "ask-human",
    tree: verdict.tree ?? "",
    question: formatAskedQuestion(first),
    ...(first.options ? { options: first.options } : {}),
    others: others.map((asked, i) => ({ id: `q${i + 2}`, ...asked })),
  };
}
