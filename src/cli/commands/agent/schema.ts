// pairflow schema: the form of a review or of a paper, for a CLI's own structured output, an editor or a person, and the
// forms of what the referee reports.

import { buildUsageError } from "../../../app/host/usage.ts";
import { type Dialect, dialects } from "../../../core/model/review/verdict.ts";
import { findPaperKind, paperKinds, paperNames } from "../../../core/paper/kinds.ts";
import { buildPaperSchema } from "../../../core/paper/strict-form.ts";
import { buildExampleReviews } from "../../../core/review/dialect/examples.ts";
import { buildReviewSchema } from "../../../core/review/dialect/schema.ts";
import { suggestWord } from "../../../core/text/nearest.ts";
import {
  buildReportSchema,
  type ReportName,
  reportAbout,
  reportNames,
} from "../../../core/views/report/schema.ts";
import { defineVerb } from "../../verb/declaration.ts";

const about: Readonly<Record<Dialect, string>> = {
  findings: "defects from P0 to P3; what is found decides",
  decision: "GO or NO_GO, with feedback and quality checks",
  status: "approved, needs_changes or needs_clarification, with scores, findings and blockers",
  verdict: "approved or rejected, with where a rejection leads, every SOP answered, and confidence",
  challenge: "challenger_approved true or false, with a critique",
};

export const schema = defineVerb({
  words: "schema",
  about: "Print the JSON Schema of a review in one dialect, of a paper or of a report, or list them",
  access: "read",
  takes: "[dialect|paper]",
  example: "pairflow schema verdict --example",
  flags: {
    example: { kind: "switch", about: "print an approving and a rejecting review, or a paper, instead" },
  },
  async run(_shell, { flags, words }) {
    const [word, extra] = words;
    if (extra !== undefined)
      throw buildUsageError(
        "usage.extra-word",
        `schema takes one name, not also ${JSON.stringify(extra)}`,
        "pairflow schema",
      );
    if (word === undefined) return listForms();
    const report = reportNames.find((name) => name === word);
    if (report) return printReportSchema(report, flags.example);
    const paper = findPaperKind(word);
    if (paper) return buildPrinted(flags.example ? paper.example : buildPaperSchema(paper));
    const json = flags.example ? buildExampleReviews(getDialect(word)) : buildReviewSchema(getDialect(word));
    return buildPrinted(json);
  },
});

const buildPrinted = (json: unknown) => ({ text: JSON.stringify(json, null, 2), json });

function printReportSchema(name: ReportName, wantsExample: boolean) {
  if (wantsExample)
    throw buildUsageError(
      "usage.no-example",
      `there are examples of reviews and papers only, not of ${name}`,
      `pairflow schema ${name}`,
    );
  return buildPrinted(buildReportSchema(name));
}

function listForms() {
  const forms = {
    dialects: dialects.map((name) => ({ name, about: about[name] })),
    papers: paperKinds.map((kind) => ({ name: kind.name, about: kind.about })),
    reports: reportNames.map((name) => ({ name: name as string, about: reportAbout(name) })),
  };
  const told = Object.values(forms).flat();
  const width = Math.max(...told.map(({ name }) => name.length));
  return {
    text: told.map((one) => `${one.name.padEnd(width)}  ${one.about}`).join("\n"),
    json: forms,
  };
}

function getDialect(word: string): Dialect {
  const found = dialects.find((name) => name === word);
  if (found) return found;
  throw buildUsageError(
    "usage.unknown-dialect",
    `there is no dialect, paper or report ${JSON.stringify(word)}${suggestWord(word, [...dialects, ...paperNames, ...reportNames])}`,
    "pairflow schema",
  );
}
