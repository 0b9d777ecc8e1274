// The approval package on a screen: everything a person should know before signing, in one view.
import { describeCriterion } from "../../../core/package/criteria.ts";
import { renderImplementedDocument } from "../../../core/signing/document.ts";
import { listPreparationLines } from "../../../core/signing/final-run.ts";
import type { PackageView } from "../../../core/signing/package.ts";
import { runSections } from "../../../core/signing/package-run.ts";
import { createInk, measureWidth, toPlainLine, toPlainLines } from "../../terminal/style.ts";
import { formatCount, renderLabelled } from "../table.ts";

export interface PackageLook {
  readonly digest: string;
  /** Line and short hash of the head, so that a rewritten past contradicts what was seen here. */
  readonly head: string;
  readonly colour: boolean;
  readonly width?: number;
}

type Row = readonly [label: string, text: string];
const filesShown = 20;

export function renderPackage(view: PackageView, { digest, head, colour, width }: PackageLook): string {
  const paint = createInk(colour);
  const asks = `${paint.bold(view.bubble)} asks for approval`;
  const signed = `digest ${paint.accent(groupDigits(digest))} · head ${head}`;
  const oneLine = `${asks}     ${signed}`;
  const title = width && measureWidth(oneLine) > width ? `${asks}\n  ${signed}` : oneLine;
  const rows: Row[] = [
    ...renderText("what", view.what),
    ...renderText("why", view.why),
    ...renderText("risk", view.risks),
    ...renderFileRows(view),
    ["gates", describeGates(view)],
    ...listPreparationLines(view).map((line): Row => ["gates", toPlainLine(line)]),
    ["reviews", describeReviews(view)],
    ...(view.document ? renderText("builds", renderImplementedDocument(view.document)) : []),
    ...view.criteria.flatMap((criterion) => renderText("wanted", describeCriterion(criterion))),
    ...renderText("try", view.test_plan),
    ...renderText("message", view.commit_message),
    ...view.sops.flatMap((sop) => renderText("sops", sop)),
    ...runRows(view),
    ...view.sensitive.flatMap((edit) => renderText("edits", edit)),
    ...view.know.flatMap((sentence) => renderText("know", sentence.text)),
  ];
  return [title, ...renderLabelled(rows, width)].join("\n");
}

const runLabels: Readonly<Record<string, string>> = {
  Tasks: "task",
  "Result of the run": "result",
  "Locked artifacts": "locked",
  "Confidence (advisory)": "score",
};
const locksShown = 10;

/** The results of the tasks of the workflow; the score says itself that it decides nothing. */
function runRows({ run }: PackageView): Row[] {
  return runSections(run).flatMap(([title, lines]) => {
    const label = runLabels[title] ?? title;
    const more = title === "Locked artifacts" ? lines.length - locksShown : 0;
    const shown = more > 0 ? [...lines.slice(0, locksShown), `… and ${more} more`] : lines;
    return shown.map((line): Row => [label, toPlainLine(label === "score" ? `${line} (advisory)` : line)]);
  });
}

/** `5d0e 91aa 0c3f`: short enough to compare by eye. */
function groupDigits(digest: string): string {
  return (digest.slice(0, 12).match(/.{1,4}/g) ?? []).join(" ");
}

function renderText(label: string, words: string): Row[] {
  const lines = toPlainLines(words);
  return (lines.length > 0 ? lines : ["(not written)"]).map((line): Row => [label, line]);
}

function renderFileRows(view: PackageView): Row[] {
  const shown = view.files.slice(0, filesShown);
  const counted = (value: number | null) => (value === null ? "binary" : String(value));
  const rows = shown.map(
    (file): Row => [
      "files",
      `${toPlainLine(file.path)} +${counted(file.added)} −${counted(file.removed)}${file.status === "modified" ? "" : ` (${file.status})`}`,
    ],
  );
  const more = view.files_total - shown.length;
  if (view.files_total === 0) return [["files", "none changed"]];
  return more > 0 ? [...rows, ["files", `… and ${more} more`]] : rows;
}

function describeGates({ gates, clean }: PackageView): string {
  if (gates.length === 0) return "none ran on this tree";
  const marks = gates.map(({ name, status, required }) => {
    if (status === "passed") return `${name} ✓`;
    return status === "skipped" ? `${name} –` : `${name} ✗ (${status}${required ? "" : ", optional"})`;
  });
  return `${marks.join("  ")}     on ${clean ? "a clean checkout of exactly this tree" : "this tree, in the worktree"}`;
}

function describeReviews({ reviews, findings }: PackageView): string {
  const verdicts = reviews.map(
    (review) => `${review.agent} ${review.clean ? "clean" : "with findings"} (round ${review.round})`,
  );
  const number = (status: string) => findings.filter((finding) => finding.status === status).length;
  const counts = `${formatCount(number("fixed"), "finding")} fixed, ${number("waived")} waived, ${number("open")} open`;
  return [...(verdicts.length > 0 ? verdicts : ["none"]), counts].join(" · ");
}
