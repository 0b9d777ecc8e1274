// pairflow document check: what is missing, vague, contradictory or untraced in a document, line by line. The gates of a
// document bubble are this command.

import { buildUsageError } from "../../../app/host/usage.ts";
import { checkDocumentFile } from "../../../app/task/document.ts";
import type { CheckResult } from "../../../core/document/check.ts";
import { type CheckName, checkNames } from "../../../core/document/check-names.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { formatCount } from "../../render/table.ts";
import { createInk, toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const documentCheck = defineVerb({
  words: "document check",
  about: "Check a document: completeness, ambiguity, consistency, traceability; each problem with its line",
  access: "read",
  takes: "<file>",
  example: "pairflow document check docs/cart.md --check ambiguity",
  flags: { check: { kind: "list", value: "<check>", about: "only this check", oneOf: checkNames } },
  async run(shell, { flags, words }) {
    const [file, extra] = words;
    if (!file)
      throw buildUsageError(
        "document.no-file",
        "document check needs a file",
        "pairflow document check docs/cart.md",
      );
    if (extra !== undefined)
      throw buildUsageError(
        "usage.extra-word",
        `document check takes one file, not also ${JSON.stringify(extra)}`,
        "pairflow document check --help",
      );
    const checks = checkDocumentFile(file, shell.cwd, flags.check as readonly CheckName[]);
    const failed = checks.filter((check) => !check.ok);
    const text = checks.map((check) => render(check, file, shell.colour)).join("\n");
    if (failed.length === 0) return { text, json: { ok: true, file, checks } };
    const refusal = refuse(
      "document.problems",
      `${file} fails ${failed.map(({ name }) => name).join(", ")}`,
      "fix the lines above, or ask a human to waive a check by its name",
    );
    return { text, json: { ok: false, file, checks }, refusal };
  },
});

function render({ name, ok, problems }: CheckResult, file: string, colour: boolean): string {
  const { accent, dim } = createInk(colour);
  if (ok) return `✓ ${name}`;
  const lines = problems.map(
    ({ line, message, hint }) =>
      `${toPlainLine(file)}:${line}: ${toPlainLine(message)}\n  ${dim(toPlainLine(hint))}`,
  );
  return [accent(`✗ ${name}: ${formatCount(problems.length, "problem")}`), ...lines].join("\n");
}
