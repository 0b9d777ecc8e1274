// Figures over bubbles and time. Every chart is a table first: what is drawn, read aloud and exported is the same rows.
import type { Card } from "../../../measure/card.ts";
import type { RunFacts } from "../../../model/page/facts.ts";
import { parseTime } from "../../../model/value/time.ts";
import type { PageHeader } from "../payload.ts";
import { listAreas, listFindings } from "./findings.ts";
import { addUp, computeMedian, measureRun } from "./numbers.ts";
import { listQuestions, listReviewers } from "./people.ts";
import type { InsightTable, Unit } from "./table.ts";
import { listWeeks } from "./weeks.ts";

export interface Figure {
  readonly name: string;
  readonly unit: Unit;
  readonly value: number | null;
}

export interface InsightsPage extends PageHeader {
  readonly page: "insights";
  /** What is looked at; null: no limit. */
  readonly days: number | null;
  readonly repo: string | null;
  readonly workflow: string | null;
  readonly workflows: readonly string[];
  readonly bubbles: number;
  readonly figures: readonly Figure[];
  readonly tables: readonly InsightTable[];
  readonly weeks: InsightTable;
}

/** The facts of one bubble, and where it was. */
export interface RunWithRepo extends RunFacts {
  readonly repo: string;
}

export interface InsightsScope {
  readonly days: number | null;
  readonly repo: string | null;
  readonly workflow: string | null;
}

export type InsightsView = Omit<InsightsPage, keyof PageHeader | "page">;

export function buildInsightsView(
  runs: readonly RunWithRepo[],
  wish: InsightsScope,
  { now, cards }: { readonly now: string; readonly cards: readonly Card[] },
): InsightsView {
  const chosen = runs.filter((run) => isWanted(run, wish, now));
  return {
    ...wish,
    workflows: [...new Set(runs.map(({ workflow }) => workflow))].sort(),
    bubbles: chosen.length,
    figures: listFigures(chosen),
    tables: [
      listRounds(chosen),
      listEnds(chosen),
      listFindings(chosen),
      listAreas(chosen),
      listReviewers(chosen, cards),
      listQuestions(chosen),
    ],
    weeks: listWeeks(chosen),
  };
}

const dayMs = 86_400_000;

const isWanted = (run: RunWithRepo, { days, repo, workflow }: InsightsScope, now: string): boolean =>
  (days === null || parseTime(now) - parseTime(run.ended_at) <= days * dayMs) &&
  (repo === null || run.repo === repo) &&
  (workflow === null || run.workflow === workflow);

const countAsked = ({ questions }: RunFacts): number => addUp(Object.values(questions));

function listFigures(runs: readonly RunFacts[]): Figure[] {
  const asked = runs.filter((run) => countAsked(run) > 0).length;
  const usd = runs.flatMap((run) => run.usd ?? []);
  return [
    { name: "bubbles ended", unit: "count", value: runs.length },
    { name: "asked a person", unit: "share", value: runs.length > 0 ? asked / runs.length : null },
    { name: "median time", unit: "ms", value: computeMedian(runs.map(measureRun)) },
    {
      name: "of it, waiting for you",
      unit: "ms",
      value: computeMedian(runs.map(({ waited_ms: waited }) => waited)),
    },
    { name: "median tokens", unit: "tokens", value: computeMedian(runs.flatMap((run) => run.tokens ?? [])) },
    { name: "median spent", unit: "usd", value: computeMedian(usd) },
    { name: "spent in all", unit: "usd", value: usd.length > 0 ? addUp(usd) : null },
  ];
}

const mostRounds = 6;

function listRounds(runs: readonly RunFacts[]): InsightTable {
  const rounds = runs.filter(({ converged }) => converged).map((run) => Math.min(mostRounds, run.rounds));
  const last = Math.max(0, ...rounds);
  const rows = Array.from({ length: last }, (_, index) => [
    index + 1 === mostRounds ? `${mostRounds} or more` : String(index + 1),
    rounds.filter((count) => count === index + 1).length,
  ]);
  return {
    key: "rounds",
    title: "Rounds to converge",
    says: "Bubbles that came to be signed, by the rounds they took.",
    columns: [
      { name: "rounds", unit: "text" },
      { name: "bubbles", unit: "count" },
    ],
    rows,
    drawn: 1,
  };
}

const endWords = { DONE: "done", FAILED: "failed", CANCELLED: "cancelled" } as const;

function listEnds(runs: readonly RunFacts[]): InsightTable {
  const rows = (["DONE", "FAILED", "CANCELLED"] as const).map((end) => [
    endWords[end],
    runs.filter((run) => run.end === end).length,
  ]);
  return {
    key: "ends",
    title: "How they ended",
    says: "Bubbles by their last state.",
    columns: [
      { name: "end", unit: "text" },
      { name: "bubbles", unit: "count" },
    ],
    rows: runs.length > 0 ? rows : [],
    drawn: 1,
  };
}
