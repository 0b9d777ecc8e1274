// The test commands of a paper: what they may look like, and the patterns that say more than their exit codes.
import * as v from "valibot";
import { patternProblem } from "../gates/patterns.ts";
import { list, maybe, object, type Schema, text as textJson } from "../schema/json-schema.ts";
import type { PaperContext } from "./kind.ts";
import { text } from "./parts.ts";

const line = text(4000);

/** What the output must or must not show. A pattern is checked for its form as a problem of the paper. */
const pattern = v.optional(text(1000));
export const patternEntries = { success_pattern: pattern, failure_pattern: pattern };

/** A command with patterns of its own; patterns beside the list belong to a single command only. */
const Command = v.strictObject({ command: line, ...patternEntries });
export const Commands = v.optional(v.pipe(v.array(v.union([line, Command])), v.maxLength(20)), []);
export type Commands = v.InferOutput<typeof Commands>;
export const CommandLines = v.optional(v.pipe(v.array(line), v.maxLength(20)), []);

const success = maybe("regular expression that its output must show; null: its exit code is enough");
const failure = maybe("regular expression that its output must not show; null: none");
export const patternProperties: Readonly<Record<string, Schema>> = {
  success_pattern: success,
  failure_pattern: failure,
};
export const commandsJson = list(
  object({ command: textJson("as it is typed"), ...patternProperties }),
  "commands that show whether it works",
);

interface Patterns {
  readonly success_pattern?: string | undefined;
  readonly failure_pattern?: string | undefined;
}

/** Only the patterns that are said. */
export function patternsOf({ success_pattern: yes, failure_pattern: no }: Patterns): Patterns {
  return { ...(yes ? { success_pattern: yes } : {}), ...(no ? { failure_pattern: no } : {}) };
}

/** A command without patterns is its line alone. */
export const tidyCommands = (commands: Commands): Commands =>
  commands.map((one) => {
    if (typeof one === "string") return one;
    const patterns = patternsOf(one);
    return Object.keys(patterns).length === 0 ? one.command : { command: one.command, ...patterns };
  });

export function commandProblems(
  where: string,
  { commands, ...beside }: Patterns & { readonly commands: Commands },
  { gates }: PaperContext,
): string[] {
  const own = commands.flatMap((one) => (typeof one === "string" ? [] : patternProblems(where, one)));
  const none = commands.length === 0 && gates.length === 0;
  return [
    ...(none ? [`${where}.commands is empty: name at least one command that shows whether it works`] : []),
    ...patternProblems(where, beside),
    ...own,
  ];
}

function patternProblems(where: string, patterns: Patterns): string[] {
  return Object.entries(patternsOf(patterns)).flatMap(([name, given]) => {
    const problem = patternProblem(given ?? "");
    return problem ? [`${where}: the ${name} ${JSON.stringify(given)} cannot be used: ${problem}`] : [];
  });
}
