// Small documents for the tests of the four checks, and what a check says of them as "line: sentence".
import { checkDocument } from "../../src/core/document/check.ts";
import type { CheckName } from "../../src/core/document/check-names.ts";

/** What one check says of a text: one string a problem, line first. */
export function saysOf(check: CheckName, text: string): string[] {
  return checkDocument(text, [check]).flatMap(({ problems }) =>
    problems.map(({ line, message }) => `${line}: ${message}`),
  );
}

/** A whole document; a section given as undefined is left out, others are text under their heading. */
export function whole(sections: Readonly<Record<string, string | undefined>> = {}): string {
  const all: Record<string, string | undefined> = {
    Scope: "- Totals",
    "Non-goals": "- Taxes",
    Requirements: "- R1: Totals add up.",
    "Acceptance criteria": "- AC1 (R1): 1 + 1 is 2.",
    Risks: "- None is known.",
    Rollout: "- All at once, on 1 May.",
    ...sections,
  };
  const parts = Object.entries(all).flatMap(([name, text]) =>
    text === undefined ? [] : [`## ${name}\n${text}\n`],
  );
  return `# Cart\n${parts.join("")}`;
}
