// An open question in full: who asks what, and the answers it takes.
import type { AskedQuestion } from "../../../core/views/bubble/status.ts";
import { measureWidth, toIndentedLines, toPlainLine, wrap, wrapLines } from "../../terminal/style.ts";
import { nameSender } from "../sender.ts";
import { renderTable } from "../table.ts";

const gap = 3;

/** `own`: the bubble that the screen is about; the questions of others are told with their name. */
export function renderQuestion(question: AskedQuestion, own: string | null, width: number): string[] {
  const { bubble, id, from, text, options } = question;
  return [
    `  ${id}  ${nameSender(from)} asks${bubble === own ? "" : ` in ${bubble}`}:`,
    ...toIndentedLines(text).flatMap((line) => wrapLines(`      ${line}`, width, 2)),
    ...(options.length > 0 ? ["  answers:"] : []),
    ...renderAnswerLines(question, width),
  ];
}

/** An agent's own options say all by themselves. */
function renderAnswerLines({ kind, options }: AskedQuestion, width: number): string[] {
  const cells = options.map(({ key, does }) => [
    `      ${toPlainLine(key)}`,
    kind === "agent" ? "" : toPlainLine(does),
  ]);
  const column = Math.max(0, ...cells.map(([key = ""]) => measureWidth(key))) + gap;
  return renderTable(cells, gap).flatMap((line) => wrap(line, width, column).split("\n"));
}
