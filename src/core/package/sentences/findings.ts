// Findings that nobody has answered: they are signed with the work.
import { listUnanswered } from "../../state/severity.ts";
import type { SentenceRule } from "../sentence.ts";

const open: SentenceRule = {
  code: "finding.open",
  appears: "a finding is open still: nobody answered it fixed or withdrawn, and no human waived it",
  say: (state) =>
    listUnanswered(state).map(({ id, severity, title, openedBy, openedRound }) => ({
      text: `open finding ${id} (${severity}, by ${openedBy} in round ${openedRound}): ${title}`,
      facts: { id, severity, title, opened_by: openedBy, opened_round: openedRound },
    })),
};

const waived: SentenceRule = {
  code: "finding.waived",
  appears: "a human waived a finding; the reason stands there",
  say: ({ findings }) =>
    findings
      .filter(({ status }) => status === "waived")
      .map(({ id, severity, title, closedBecause = "" }) => ({
        text: `waived finding ${id} (${severity}): ${title} (${closedBecause})`,
        facts: { id, severity, title, reason: closedBecause },
      })),
};

export const findingSentences: readonly SentenceRule[] = [open, waived];
