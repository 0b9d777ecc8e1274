// Findings over many bubbles: by severity with what became of them, and by the area that their critics named.
import type { FindingFact, RunFacts } from "../../../model/page/facts.ts";
import { severities } from "../../../model/review/finding.ts";
import type { InsightColumn, InsightTable } from "./table.ts";

const columns: readonly InsightColumn[] = [
  { name: "found", unit: "count" },
  { name: "fixed", unit: "count" },
  { name: "withdrawn", unit: "count" },
  { name: "waived", unit: "count" },
  { name: "left open", unit: "count" },
  { name: "disputed", unit: "count" },
  { name: "upheld", unit: "count" },
  { name: "found by you", unit: "count" },
];

function countFates(findings: readonly FindingFact[]): number[] {
  const count = (holds: (finding: FindingFact) => boolean) => findings.filter(holds).length;
  return [
    findings.length,
    count(({ status }) => status === "fixed"),
    count(({ status }) => status === "withdrawn"),
    count(({ status }) => status === "waived"),
    count(({ status }) => status === "open"),
    count(({ disputed }) => disputed),
    count(({ upheld }) => upheld),
    count(({ by_human: byHuman }) => byHuman),
  ];
}

const listAll = (runs: readonly RunFacts[]): FindingFact[] => runs.flatMap(({ findings }) => findings);

export function listFindings(runs: readonly RunFacts[]): InsightTable {
  const all = listAll(runs);
  const rows = severities.map((severity) => [
    severity,
    ...countFates(all.filter((finding) => finding.severity === severity)),
  ]);
  return {
    key: "findings",
    title: "Findings by severity",
    says: "What reviewers found and what became of it. Found by you: after they had found nothing more.",
    columns: [{ name: "severity", unit: "text" }, ...columns],
    rows: all.length > 0 ? rows : [],
    drawn: 1,
  };
}

/** The rest is one row: a chart of a hundred areas says nothing. */
const mostAreas = 10;

export function listAreas(runs: readonly RunFacts[]): InsightTable {
  const byArea = new Map<string, FindingFact[]>();
  for (const finding of listAll(runs)) {
    const area = finding.area.trim().toLowerCase() || "no area named";
    byArea.set(area, [...(byArea.get(area) ?? []), finding]);
  }
  const sorted = [...byArea].sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1));
  const rest = sorted.slice(mostAreas).flatMap(([, findings]) => findings);
  return {
    key: "areas",
    title: "Findings by area",
    says: "The same by the area that reviewers named.",
    columns: [{ name: "area", unit: "text" }, ...columns],
    rows: [
      ...sorted.slice(0, mostAreas).map(([area, findings]) => [area, ...countFates(findings)]),
      ...(rest.length > 0 ? [[`${sorted.length - mostAreas} others`, ...countFates(rest)]] : []),
    ],
    drawn: 1,
  };
}
