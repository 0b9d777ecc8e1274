// A record that cannot be built on: what every command says first that shows its good part.
import { salvageHint, type Trouble } from "../../ports/log.ts";
import { ink, plain } from "../terminal/style.ts";
import type { Shell } from "../verb/verb.ts";

/** Says it on stderr, so that it stands before the result whatever becomes of that. */
export function sayTrouble(
  shell: Pick<Shell, "say" | "colour">,
  bubble: string,
  trouble: Trouble | undefined,
): void {
  if (!trouble) return;
  const [first = "", ...rest] = troubleLines(bubble, trouble);
  shell.say([ink(shell.colour).accent(`✗ ${first}`), ...rest.map((line) => `  ${line}`)].join("\n"));
}

export function troubleLines(bubble: string, { kind, line, reason }: Trouble): string[] {
  const where = line === undefined ? "" : `line ${line} `;
  return kind === "newer"
    ? [
        plain(`the record of ${bubble} was written by a newer Pairflow: ${where}${reason}`),
        "what is shown is the part before it; update Pairflow on this machine to see the rest",
      ]
    : [
        plain(`the record of ${bubble} is damaged: ${where}${reason}`),
        "what is shown is its good part; nothing is done with this bubble any more",
        `to see what is damaged:   pairflow verify --id ${bubble}`,
        `to continue from what is good: ${salvageHint(bubble)}`,
      ];
}

/** The same for --json. */
export const troubleField = (trouble: Trouble | undefined) => (trouble ? { trouble } : {});
