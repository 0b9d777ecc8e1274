// The doctor's findings: what belongs together under one title, a mark, a name, a sentence, and the line that fixes it.
import { type Finding, groups } from "../../app/host/check.ts";
import { type Ink, ink, plain, wrap } from "../terminal/style.ts";
import { count, table } from "./table.ts";

const marks = { ok: "✓", warning: "!", error: "✗" } as const;

export function renderFindings(
  findings: readonly Finding[],
  { colour, width = Number.POSITIVE_INFINITY }: { readonly colour: boolean; readonly width?: number },
): string {
  const paint = ink(colour);
  // One table for all, so that every sentence begins in the same column.
  const sorted = groups.flatMap((group) => findings.filter((finding) => finding.group === group));
  const rows = table(sorted.map((finding) => cells(finding, paint)));
  const indent = 2 + Math.max(0, ...sorted.map(({ name }) => name.length + 2)) + 3;
  const lines = sorted.flatMap(({ group, fix }, i) => [
    ...(sorted[i - 1]?.group === group ? [] : [titleOf(group, i, paint)]),
    wrap(`  ${rows[i] ?? ""}`, width, indent),
    ...(fix ? [`      ${paint.accent(plain(fix))}`] : []),
  ]);
  return [...lines, "", verdict(findings)].join("\n");
}

function cells({ status, name, says }: Finding, paint: Ink): string[] {
  const mark = status === "ok" ? marks.ok : paint.accent(marks[status]);
  return [`${mark} ${name}`, plain(says)];
}

const titleOf = (group: string, place: number, paint: Ink): string =>
  `${place === 0 ? "" : "\n"}${paint.bold(group)}`;

/** `17 checks: all well`, or how much there is to fix. */
function verdict(findings: readonly Finding[]): string {
  const of = (status: Finding["status"]) => findings.filter((finding) => finding.status === status).length;
  const [errors, warnings] = [of("error"), of("warning")];
  const parts = [
    errors > 0 ? count(errors, "error") : "",
    warnings > 0 ? count(warnings, "warning") : "",
  ].filter(Boolean);
  return `${count(findings.length, "check")}: ${parts.length > 0 ? parts.join(", ") : "all well"}`;
}
