// A critic's newest review as a file of its own, in the pipeline's format. What the critic did not say is left out:
// no score, no category and no advice is made up here.
import type { Finding, Severity } from "../../model/review/finding.ts";
import type { State } from "../../model/state.ts";
import { isBlocking } from "../../state/severity.ts";
import type { AskedReview, CountedReview, Trail } from "./trail.ts";

export interface ReviewFile {
  /** review-YYYYMMDD-HHMMSS, in UTC; the second one of the same second ends with -2. */
  readonly id: string;
  readonly reviewer: "code-reviewer" | "plan-reviewer";
  readonly model: string;
  readonly status: "approved" | "needs_changes" | "needs_clarification";
  readonly summary: string;
  /** As the critic gave them; absent when it gave none. */
  readonly scores?: Readonly<Record<string, number>>;
  /** Everything the review left open. */
  readonly findings: readonly {
    readonly id: string;
    readonly category?: string;
    readonly severity: "critical" | "high" | "medium" | "low";
    readonly title: string;
    readonly recommendation?: string;
  }[];
  /** Those findings that stop the loop. */
  readonly blockers: readonly string[];
  readonly reviewed_at: string;
}

const severities = { P0: "critical", P1: "high", P2: "medium", P3: "low" } as const satisfies Record<
  Severity,
  string
>;

/** Where it stands among the artifacts. */
export const getReviewFileName = (agent: string): string => `review-${agent}.json`;

/** The newest word of each critic, by the critic's name: a review that counts, or what it must know first. */
export function buildReviewFiles({ state, reviews }: Trail): ReadonlyMap<string, ReviewFile> {
  if (!state) return new Map();
  const spoken = reviews.filter((review) => review.kind !== "refused");
  return new Map(spoken.map((review) => [review.agent, buildReviewFile(state.config, review, reviews)]));
}

/** One review in the pipeline's format; `all`: every review of the bubble, by which it gets an id of its own. */
export function buildReviewFile(
  config: State["config"],
  review: CountedReview | AskedReview,
  all: Trail["reviews"],
): ReviewFile {
  const who = {
    id: getId(review, all),
    reviewer: config.kind === "document" ? "plan-reviewer" : "code-reviewer",
    model: getModel(config, review.agent),
  } as const;
  const said = review.kind === "counted" ? buildJudgement(config, review) : buildQuestion(review);
  return { ...who, ...said, reviewed_at: review.at };
}

function getId({ at, seq }: CountedReview | AskedReview, all: Trail["reviews"]): string {
  const before = all.filter((one) => one.kind !== "refused" && one.seq < seq && stamp(one.at) === stamp(at));
  return `review-${stamp(at)}${before.length > 0 ? `-${before.length + 1}` : ""}`;
}

type Said = Omit<ReviewFile, "id" | "reviewer" | "model" | "reviewed_at">;

const buildQuestion = ({ questions }: AskedReview): Said => ({
  status: "needs_clarification",
  summary: questions.join("\n"),
  findings: [],
  blockers: [],
});

function buildJudgement(config: State["config"], review: CountedReview): Said {
  const scores = review.opinion?.scores;
  return {
    status: review.clean ? "approved" : "needs_changes",
    summary: review.summary,
    ...(scores ? { scores } : {}),
    findings: review.open.map(buildEntry),
    blockers: review.open
      .filter((finding) => isBlocking(finding, config.severity))
      .map(({ id, title }) => `${id} ${title}`),
  };
}

/** The model the agent is set to; by its own name where the settings leave the choice to its CLI. */
function getModel({ agent }: State["config"], name: string): string {
  const model = agent[name]?.model;
  return typeof model === "string" && model !== "" ? model : name;
}

function buildEntry({ id, area, severity, title, advice }: Finding): ReviewFile["findings"][number] {
  return {
    id,
    ...(area ? { category: area } : {}),
    severity: severities[severity],
    title,
    ...(advice ? { recommendation: advice } : {}),
  };
}

/** 2026-02-21T09:08:07.123Z → 20260221-090807 */
export const stamp = (at: string): string => at.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
