// The test commands of a paper: what they may look like, and the patterns that say more than their exit codes.
import * as v from "valibot";
import { checkPattern } from "../gates/output/patterns.ts";
import { defineTextField, describeField } from "../model/value/field.ts";
import type { PaperContext } from "./kind.ts";

const line = defineTextField(4000, "as it is typed");

/** What the output must or must not show. A pattern is checked for its form as a problem of the paper. */
const pattern = v.optional(defineTextField(1000));
export const patternEntries = {
  success_pattern: describeField(
    pattern,
    "regular expression that its output must show; null: its exit code is enough",
  ),
  failure_pattern: describeField(pattern, "regular expression that its output must not show; null: none"),
};
/** The same beside a list of commands that have patterns of their own: read, and not asked for. */
export const olderPatterns = { success_pattern: pattern, failure_pattern: pattern };

/** A command with patterns of its own; patterns beside the list belong to a single command only. */
const Command = v.strictObject({ command: line, ...patternEntries });
const showing = "commands that show whether it works";
export const Commands = describeField(
  v.optional(v.pipe(v.array(v.union([defineTextField(4000), Command])), v.maxLength(20)), []),
  showing,
);
export type Commands = v.InferOutput<typeof Commands>;
export const CommandLines = describeField(
  v.optional(v.pipe(v.array(defineTextField(4000)), v.maxLength(20)), []),
  showing,
);

interface Patterns {
  readonly success_pattern?: string | undefined;
  readonly failure_pattern?: string | undefined;
}

/** Only the patterns that are said. */
export function pickPatterns({ success_pattern: yes, failure_pattern: no }: Patterns): Patterns {
  return { ...(yes ? { success_pattern: yes } : {}), ...(no ? { failure_pattern: no } : {}) };
}

/** A command without patterns is its line alone. */
export const tidyCommands = (commands: Commands): Commands =>
  commands.map((one) => {
    if (typeof one === "string") return one;
    const patterns = pickPatterns(one);
    return Object.keys(patterns).length === 0 ? one.command : { command: one.command, ...patterns };
  });

export function checkCommands(
  where: string,
  { commands, ...beside }: Patterns & { readonly commands: Commands },
  { gates }: PaperContext,
): string[] {
  const own = commands.flatMap((one) => (typeof one === "string" ? [] : listPatternProblems(where, one)));
  const none = commands.length === 0 && gates.length === 0;
  return [
    ...(none ? [`${where}.commands is empty: name at least one command that shows whether it works`] : []),
    ...listPatternProblems(where, beside),
    ...own,
  ];
}

function listPatternProblems(where: string, patterns: Patterns): string[] {
  return Object.entries(pickPatterns(patterns)).flatMap(([name, given]) => {
    const problem = checkPattern(given ?? "");
    return problem ? [`${where}: the ${name} ${JSON.stringify(given)} cannot be used: ${problem}`] : [];
  });
}
