// A pipeline as text: the next action, the whole status, the report, the checks.

import type { Check } from "../../app/host/check.ts";
import { keepStart } from "../../core/model/value/sizes.ts";
import type { PipelineReport } from "../../core/views/pipeline/report.ts";
import type { PipelineStatus, ReviewRow } from "../../core/views/pipeline/status.ts";
import type { PhaseView } from "../../core/views/pipeline/trail.ts";
import { createInk, cut, type Look, toPlainLine, toPlainLines } from "../terminal/style.ts";
import { renderQuestion } from "./bubble/question.ts";
import { formatCount, renderLabelled, renderTable } from "./table.ts";
import { formatAge } from "./time.ts";

type Row = readonly [label: string, text: string];
const renderRow = (label: string, text: string | null | undefined): Row[] => (text ? [[label, text]] : []);

/** A request may be a whole page: of that its beginning, on one line. */
const shortenRequest = (request: string): string =>
  cut(toPlainLine(request.trim().replaceAll(/\s+/g, " ")), 200);

/** The current state and the next action, in the words of the pipeline's format. */
export function renderAction(view: PipelineStatus, { colour }: { readonly colour: boolean }): string {
  const { accent, bold } = createInk(colour);
  const who = view.turn ? ` (${view.turn.role})` : "";
  return [
    `Current state: ${accent(view.state)}${view.paused ? ` (${toPlainLine(view.paused.says)})` : ""}`,
    "",
    `ACTION: ${bold(`${view.action}${who}`)}`,
    ...renderLabelled([
      ...renderRow("task", shortenRequest(view.request)),
      ...renderRow("agent", view.turn && `${view.turn.agent} · ${view.turn.role}`),
      ...renderRow("input", view.input.join(", ")),
      ...renderRow("then", view.follows.join(" → ")),
      ...renderRow("now", view.next.says),
      ...renderRow("next", view.next.command),
    ]),
  ].join("\n");
}

export function renderPipeline(view: PipelineStatus, look: Look): string {
  const { accent, bold } = createInk(look.colour);
  if (view.bubble === null)
    return `${accent(view.state)}\n${renderLabelled(renderRow("next", view.next.command)).join("\n")}`;
  const age = view.since ? ` for ${formatAge(view.since, look.now)}` : "";
  const rows: Row[] = [
    ...renderRow("task", shortenRequest(view.request)),
    ...renderRow("paused", renderPaused(view.paused, look)),
    ...renderRow("phase", view.phase),
    ...view.phases.map((phase): Row => ["rounds", describePhase(phase)]),
    ...renderRow(
      "turn",
      view.turn && `${view.turn.agent} · ${view.turn.role} · ${formatAge(view.turn.since, look.now)}`,
    ),
    ...renderRow("cost", view.spent),
  ];
  const reviews = renderTable(view.reviews.map(renderReviewCells)).map(
    (line): Row => ["reviews", cut(line, Math.max(0, look.width - 11))],
  );
  // Beside a question stands the command that answers it.
  const tail: Row[] =
    view.questions.length > 0 ? [] : [["now", view.next.says], ...renderRow("next", view.next.command)];
  return [
    `${bold(view.bubble)}   ${accent(view.state)}${age}   ${view.lifecycle}${view.paused ? " (paused)" : ""}`,
    ...renderLabelled([...rows, ...reviews]),
    ...(view.questions.length > 0 ? [renderQuestions(view, look.width)] : []),
    ...renderLabelled(tail),
  ].join("\n");
}

const renderPaused = (paused: PipelineStatus["paused"], { now }: Look): string | null =>
  paused && `${formatAge(paused.since, now)}, ${toPlainLine(paused.says)}; to continue: ${paused.command}`;

/** Each open question with what may be answered, and how. */
export function renderQuestions(
  { bubble: own, questions }: Pick<PipelineStatus, "bubble" | "questions">,
  width: number,
): string {
  return questions
    .flatMap((question) => [
      ...renderQuestion(question, own, width),
      `  answer it:\n      ${question.command}`,
    ])
    .join("\n");
}

function describePhase({ phase, round, restarts, attempts, status }: PhaseView): string {
  return [
    `${phase}: round ${round}`,
    ...(restarts ? [`chain failed ${restarts.now} of ${restarts.limit} times`] : []),
    ...(attempts ? [`turn ${attempts.now} of ${attempts.limit} since the last review`] : []),
    ...(status === "over" ? ["over"] : []),
  ].join(" · ");
}

const marks: Readonly<Record<string, string>> = {
  approved: "✓",
  needs_changes: "✗",
  needs_clarification: "?",
};

function renderReviewCells({ phase, round, name, status, tree, summary }: ReviewRow): string[] {
  return [
    `${phase} r${round}`,
    name,
    `${marks[status] ?? ""} ${status}`,
    tree?.slice(0, 8) ?? "",
    keepStart(toPlainLine(toPlainLines(summary)[0] ?? ""), 60),
  ];
}

export function renderReport(report: PipelineReport): string {
  const verdicts = report.verdicts.map(({ name, status }) => `${name} ${marks[status] ?? status}`).join("  ");
  const tests = report.tests.map(({ name, status }) => `${name} ${status === "passed" ? "✓" : status}`);
  const signs: Readonly<Record<string, string>> = { added: "+", deleted: "−" };
  return [
    `${report.bubble}   ${report.state}`,
    ...renderLabelled([
      ...renderRow("request", shortenRequest(report.request)),
      ...renderRow("story", report.story),
      ...renderRow("plan", report.plan),
      ...report.phases.map((phase): Row => ["phases", describePhase({ ...phase, status: "running" })]),
      ...renderRow(
        "reviews",
        `${formatCount(report.reviews, "review")}${verdicts ? ` · on the final tree: ${verdicts}` : ""}`,
      ),
      ...renderRow("tests", tests.join("  ")),
      ...report.files.map(
        ({ path, status }): Row => ["files", `${signs[status] ?? "~"} ${toPlainLine(path)}`],
      ),
      ...renderRow("tree", report.tree?.slice(0, 10)),
      ...renderRow("commit", report.commit && `${report.commit.slice(0, 10)} on ${report.branch}`),
      ...renderRow(
        "cost",
        [`${report.minutes} min of agents' work`, ...(report.spent ? [report.spent] : [])].join(" · "),
      ),
    ]),
  ].join("\n");
}

const checkMarks: Readonly<Record<Check["status"], string>> = { ok: "✓", warning: "!", error: "✗" };

export function renderChecks(checks: readonly Check[]): string {
  const lines = renderTable(
    checks.map(({ name, status, says }) => [checkMarks[status], name, toPlainLine(says)]),
    2,
  );
  const failed = checks.filter(({ status }) => status !== "ok");
  const ways = [...new Set(failed.flatMap(({ fix }) => fix ?? []))];
  const fixes = ways.map(
    (way) => `Fix ${failed.flatMap((one) => (one.fix === way ? one.name : [])).join(", ")}: ${way}`,
  );
  const errors = failed.filter(({ status }) => status === "error").length;
  const end = errors === 0 ? "Everything is there" : `${formatCount(errors, "check")} failed`;
  return [...lines, ...fixes, end].join("\n");
}
