// The doctor's findings: what belongs together under one title, a mark, a name, a sentence, and the line that fixes it.
import { type DoctorFinding, groups } from "../../app/host/check.ts";
import { createInk, type Ink, toPlainLine, wrap } from "../terminal/style.ts";
import { formatCount, renderTable } from "./table.ts";

const marks = { ok: "✓", warning: "!", error: "✗" } as const;

export function renderDoctorFindings(
  findings: readonly DoctorFinding[],
  { colour, width = Number.POSITIVE_INFINITY }: { readonly colour: boolean; readonly width?: number },
): string {
  const paint = createInk(colour);
  // One table for all, so that every sentence begins in the same column.
  const sorted = groups.flatMap((group) => findings.filter((finding) => finding.group === group));
  const rows = renderTable(sorted.map((finding) => renderCells(finding, paint)));
  const indent = 2 + Math.max(0, ...sorted.map(({ name }) => name.length + 2)) + 3;
  const lines = sorted.flatMap(({ group, fix }, i) => [
    ...(sorted[i - 1]?.group === group ? [] : [getTitle(group, i, paint)]),
    wrap(`  ${rows[i] ?? ""}`, width, indent),
    ...(fix ? [`      ${paint.accent(toPlainLine(fix))}`] : []),
  ]);
  return [...lines, "", describeVerdict(findings)].join("\n");
}

function renderCells({ status, name, says }: DoctorFinding, paint: Ink): string[] {
  const mark = status === "ok" ? marks.ok : paint.accent(marks[status]);
  return [`${mark} ${name}`, toPlainLine(says)];
}

const getTitle = (group: string, place: number, paint: Ink): string =>
  `${place === 0 ? "" : "\n"}${paint.bold(group)}`;

/** `17 checks: all well`, or how much there is to fix. */
function describeVerdict(findings: readonly DoctorFinding[]): string {
  const of = (status: DoctorFinding["status"]) =>
    findings.filter((finding) => finding.status === status).length;
  const [errors, warnings] = [of("error"), of("warning")];
  const parts = [
    errors > 0 ? formatCount(errors, "error") : "",
    warnings > 0 ? formatCount(warnings, "warning") : "",
  ].filter(Boolean);
  return `${formatCount(findings.length, "check")}: ${parts.length > 0 ? parts.join(", ") : "all well"}`;
}
