// A pipeline as text: the next action, the whole status, the report, the checks.

import type { Check } from "../../app/host/check.ts";
import { keepStart } from "../../core/model/sizes.ts";
import type { PhaseView } from "../../core/views/pipeline.ts";
import type { PipelineReport } from "../../core/views/pipeline-report.ts";
import type { PipelineStatus, ReviewRow } from "../../core/views/pipeline-status.ts";
import { cut, ink, type Look, plain, plainLines } from "../terminal/style.ts";
import { questionLines } from "./question.ts";
import { count, labelled, table } from "./table.ts";
import { since } from "./time.ts";

type Row = readonly [label: string, text: string];
const row = (label: string, text: string | null | undefined): Row[] => (text ? [[label, text]] : []);

/** A request may be a whole page: of that its beginning, on one line. */
const inShort = (request: string): string => cut(plain(request.trim().replaceAll(/\s+/g, " ")), 200);

/** The current state and the next action, in the words of the pipeline's format. */
export function renderAction(view: PipelineStatus, { colour }: { readonly colour: boolean }): string {
  const { accent, bold } = ink(colour);
  const who = view.turn ? ` (${view.turn.role})` : "";
  return [
    `Current state: ${accent(view.state)}${view.paused ? ` (${plain(view.paused.says)})` : ""}`,
    "",
    `ACTION: ${bold(`${view.action}${who}`)}`,
    ...labelled([
      ...row("task", inShort(view.request)),
      ...row("agent", view.turn && `${view.turn.agent} · ${view.turn.role}`),
      ...row("input", view.input.join(", ")),
      ...row("then", view.follows.join(" → ")),
      ...row("now", view.next.says),
      ...row("next", view.next.command),
    ]),
  ].join("\n");
}

export function renderPipeline(view: PipelineStatus, look: Look): string {
  const { accent, bold } = ink(look.colour);
  if (view.bubble === null)
    return `${accent(view.state)}\n${labelled(row("next", view.next.command)).join("\n")}`;
  const age = view.since ? ` for ${since(view.since, look.now)}` : "";
  const rows: Row[] = [
    ...row("task", inShort(view.request)),
    ...row("paused", pausedText(view.paused, look)),
    ...row("phase", view.phase),
    ...view.phases.map((phase): Row => ["rounds", phaseWords(phase)]),
    ...row(
      "turn",
      view.turn && `${view.turn.agent} · ${view.turn.role} · ${since(view.turn.since, look.now)}`,
    ),
    ...row("cost", view.spent),
  ];
  const reviews = table(view.reviews.map(reviewCells)).map(
    (line): Row => ["reviews", cut(line, Math.max(0, look.width - 11))],
  );
  // Beside a question stands the command that answers it.
  const tail: Row[] =
    view.questions.length > 0 ? [] : [["now", view.next.says], ...row("next", view.next.command)];
  return [
    `${bold(view.bubble)}   ${accent(view.state)}${age}   ${view.lifecycle}${view.paused ? " (paused)" : ""}`,
    ...labelled([...rows, ...reviews]),
    ...(view.questions.length > 0 ? [renderQuestions(view, look.width)] : []),
    ...labelled(tail),
  ].join("\n");
}

const pausedText = (paused: PipelineStatus["paused"], { now }: Look): string | null =>
  paused && `${since(paused.since, now)}, ${plain(paused.says)}; to continue: ${paused.command}`;

/** Each open question with what may be answered, and how. */
export function renderQuestions(
  { bubble: own, questions }: Pick<PipelineStatus, "bubble" | "questions">,
  width: number,
): string {
  return questions
    .flatMap((question) => [
      ...questionLines(question, own, width),
      `  answer it:\n      ${question.command}`,
    ])
    .join("\n");
}

function phaseWords({ phase, round, restarts, attempts, status }: PhaseView): string {
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

function reviewCells({ phase, round, name, status, tree, summary }: ReviewRow): string[] {
  return [
    `${phase} r${round}`,
    name,
    `${marks[status] ?? ""} ${status}`,
    tree?.slice(0, 8) ?? "",
    keepStart(plain(plainLines(summary)[0] ?? ""), 60),
  ];
}

export function renderReport(report: PipelineReport): string {
  const verdicts = report.verdicts.map(({ name, status }) => `${name} ${marks[status] ?? status}`).join("  ");
  const tests = report.tests.map(({ name, status }) => `${name} ${status === "passed" ? "✓" : status}`);
  const signs: Readonly<Record<string, string>> = { added: "+", deleted: "−" };
  return [
    `${report.bubble}   ${report.state}`,
    ...labelled([
      ...row("request", inShort(report.request)),
      ...row("story", report.story),
      ...row("plan", report.plan),
      ...report.phases.map((phase): Row => ["phases", phaseWords({ ...phase, status: "running" })]),
      ...row(
        "reviews",
        `${count(report.reviews, "review")}${verdicts ? ` · on the final tree: ${verdicts}` : ""}`,
      ),
      ...row("tests", tests.join("  ")),
      ...report.files.map(({ path, status }): Row => ["files", `${signs[status] ?? "~"} ${plain(path)}`]),
      ...row("tree", report.tree?.slice(0, 10)),
      ...row("commit", report.commit && `${report.commit.slice(0, 10)} on ${report.branch}`),
      ...row(
        "cost",
        [`${report.minutes} min of agents' work`, ...(report.spent ? [report.spent] : [])].join(" · "),
      ),
    ]),
  ].join("\n");
}

const checkMarks: Readonly<Record<Check["status"], string>> = { ok: "✓", warning: "!", error: "✗" };

export function renderChecks(checks: readonly Check[]): string {
  const lines = table(
    checks.map(({ name, status, says }) => [checkMarks[status], name, plain(says)]),
    2,
  );
  const failed = checks.filter(({ status }) => status !== "ok");
  const ways = [...new Set(failed.flatMap(({ fix }) => fix ?? []))];
  const fixes = ways.map(
    (way) => `Fix ${failed.flatMap((one) => (one.fix === way ? one.name : [])).join(", ")}: ${way}`,
  );
  const errors = failed.filter(({ status }) => status === "error").length;
  const end = errors === 0 ? "Everything is there" : `${count(errors, "check")} failed`;
  return [...lines, ...fixes, end].join("\n");
}
