// An open question in full: who asks what, and the answers it takes.
import type { AskedQuestion } from "../../core/views/status.ts";
import { indentedLines, plain, widthOf, wrap, wrapLines } from "../terminal/style.ts";
import { table } from "./table.ts";

const gap = 3;

/** `own`: the bubble that the screen is about; the questions of others are told with their name. */
export function questionLines(question: AskedQuestion, own: string | null, width: number): string[] {
  const { bubble, id, from, text, options } = question;
  return [
    `  ${id}  ${from} asks${bubble === own ? "" : ` in ${bubble}`}:`,
    ...indentedLines(text).flatMap((line) => wrapLines(`      ${line}`, width, 2)),
    ...(options.length > 0 ? ["  answers:"] : []),
    ...answerLines(question, width),
  ];
}

/** An agent's own options say all by themselves. */
function answerLines({ kind, options }: AskedQuestion, width: number): string[] {
  const cells = options.map(({ key, does }) => [`      ${plain(key)}`, kind === "agent" ? "" : plain(does)]);
  const column = Math.max(0, ...cells.map(([key = ""]) => widthOf(key))) + gap;
  return table(cells, gap).flatMap((line) => wrap(line, width, column).split("\n"));
}
