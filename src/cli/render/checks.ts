// The doctor's findings: a mark, a name, a sentence, and the command that mends it.
import type { Check } from "../../app/doctor/check.ts";
import { ink, plain } from "./style.ts";
import { table } from "./table.ts";

const marks = { ok: "✓", warning: "!", error: "✗" } as const;

export function renderChecks(checks: readonly Check[], colour: boolean): string {
  const paint = ink(colour);
  const mark = (status: Check["status"]) => (status === "error" ? paint.accent(marks.error) : marks[status]);
  const rows = checks.map(({ status, name, says }) => [`${mark(status)} ${name}`, plain(says)]);
  const indent = " ".repeat(4);
  return table(rows)
    .flatMap((line, i) => {
      const fix = checks[i]?.fix;
      return fix ? [line, `${indent}${paint.accent(fix)}`] : [line];
    })
    .join("\n");
}
