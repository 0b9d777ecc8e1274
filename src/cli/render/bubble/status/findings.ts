// Findings in a status: the open ones and the newest that are closed.
import type { StatusView } from "../../../../core/views/bubble/status.ts";
import { toPlainLine } from "../../../terminal/style.ts";
import type { StatusRow } from "../../table.ts";
import { renderTable } from "../../table.ts";

const closedShown = 5;

type FindingView = StatusView["findings"]["open"][number];

export function renderFindingRows({ findings }: StatusView): StatusRow[] {
  const closed = findings.closed.slice(-closedShown);
  const rows = [...findings.open.map(renderOpenCells), ...closed.map(renderClosedFinding)];
  const lines = renderTable(rows, 2);
  const label = (i: number) => (i < findings.open.length ? "open" : "closed");
  const more = findings.closed.length - closed.length;
  return [
    ...lines.map((line, i): StatusRow => [label(i), line]),
    ...(more > 0 ? [["closed", `… and ${more} earlier`] as const] : []),
  ];
}

function place({ file, line }: FindingView): string {
  if (!file) return "";
  return toPlainLine(line ? `${file}:${line}` : file);
}

function renderOpenCells(finding: FindingView): string[] {
  const marks = [
    finding.proven ? "" : "unproven",
    finding.disputed ? `disputed: "${toPlainLine(finding.disputed)}"` : "",
    finding.escaped ? "escaped earlier" : "",
  ].filter(Boolean);
  const opened = `opened round ${finding.opened_round} by ${finding.opened_by}`;
  return [
    finding.id,
    finding.severity,
    toPlainLine(finding.title),
    place(finding),
    [opened, ...marks].join(" · "),
  ];
}

function renderClosedFinding(finding: FindingView): string[] {
  const round = finding.closed_round === null ? "" : ` in round ${finding.closed_round}`;
  const because = finding.because ? `: ${toPlainLine(finding.because)}` : "";
  return [
    finding.id,
    finding.severity,
    toPlainLine(finding.title),
    place(finding),
    `${finding.status}${round}${because}`,
  ];
}
