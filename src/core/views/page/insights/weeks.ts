// The same figures over time, a row a week from the first bubble that ended to the last; weeks without one are there too.
import type { RunFacts } from "../../../model/page/facts.ts";
import { formatTime, parseTime } from "../../../model/value/time.ts";
import { addUp, computeMedian, measureRun } from "./numbers.ts";
import type { Cell, InsightTable } from "./table.ts";

const weekMs = 7 * 86_400_000;
/** The first of January 1970 was a Thursday; weeks begin on Monday. */
const mondayMs = 4 * 86_400_000;
/** Two years; an older beginning is cut off. */
const mostWeeks = 104;

const findWeek = (iso: string): number => Math.floor((parseTime(iso) - mondayMs) / weekMs);

export function listWeeks(runs: readonly RunFacts[]): InsightTable {
  const weeks = runs.map(({ ended_at: ended }) => findWeek(ended));
  const last = Math.max(...weeks);
  const first = Math.max(Math.min(...weeks), last - mostWeeks + 1);
  const numbers = runs.length > 0 ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : [];
  return {
    key: "weeks",
    title: "Week by week",
    says: "Bubbles by the week in which they ended, with medians of that week.",
    columns: [
      { name: "week of", unit: "text" },
      { name: "bubbles", unit: "count" },
      { name: "rounds", unit: "count" },
      { name: "time", unit: "ms" },
      { name: "findings", unit: "count" },
      { name: "questions", unit: "count" },
      { name: "tokens", unit: "tokens" },
      { name: "spent", unit: "usd" },
    ],
    rows: numbers.map((week) =>
      describeWeek(
        week,
        runs.filter((run) => findWeek(run.ended_at) === week),
      ),
    ),
    drawn: 1,
  };
}

function describeWeek(week: number, runs: readonly RunFacts[]): Cell[] {
  const usd = runs.flatMap((run) => run.usd ?? []);
  const tokens = runs.flatMap((run) => run.tokens ?? []);
  return [
    formatTime(week * weekMs + mondayMs).slice(0, 10),
    runs.length,
    computeMedian(runs.map(({ rounds }) => rounds)),
    computeMedian(runs.map(measureRun)),
    addUp(runs.map(({ findings }) => findings.length)),
    addUp(runs.map(({ questions }) => addUp(Object.values(questions)))),
    tokens.length > 0 ? addUp(tokens) : null,
    usd.length > 0 ? addUp(usd) : null,
  ];
}
