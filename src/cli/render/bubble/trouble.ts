// A record that cannot be built on: what every command says first that shows its good part.
import { type LogTrouble, salvageHint } from "../../../ports/record/log.ts";
import { createInk, toPlainLine } from "../../terminal/style.ts";
import type { Shell } from "../../verb/declaration.ts";

/** Says it on stderr, so that it is printed before the result in any case. */
export function sayTrouble(
  shell: Pick<Shell, "say" | "colour">,
  bubble: string,
  trouble: LogTrouble | undefined,
): void {
  if (!trouble) return;
  const [first = "", ...rest] = renderTrouble(bubble, trouble);
  shell.say([createInk(shell.colour).accent(`✗ ${first}`), ...rest.map((line) => `  ${line}`)].join("\n"));
}

export function renderTrouble(bubble: string, { kind, line, reason }: LogTrouble): string[] {
  const where = line === undefined ? "" : `line ${line} `;
  return kind === "newer"
    ? [
        toPlainLine(`the record of ${bubble} was written by a newer Pairflow: ${where}${reason}`),
        "what is shown is the part before it; update Pairflow on this machine to see the rest",
      ]
    : [
        toPlainLine(`the record of ${bubble} is damaged: ${where}${reason}`),
        "what is shown is its good part; nothing is done with this bubble any more",
        `to see what is damaged:   pairflow verify --id ${bubble}`,
        `to continue from what is good: ${salvageHint(bubble)}`,
      ];
}

/** The same for --json. */
export const buildTroubleField = (trouble: LogTrouble | undefined) => (trouble ? { trouble } : {});
