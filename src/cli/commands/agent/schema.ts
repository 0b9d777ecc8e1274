// pairflow schema: the form of a review or of a paper, for a CLI's own structured output, an editor or a person, and the
// forms of what the referee reports.
import { type Dialect, dialects } from "../../../core/model/verdict.ts";
import { paperKinds, paperNamed, paperNames } from "../../../core/paper/kinds.ts";
import { exampleReviews, reviewSchema } from "../../../core/review/dialect/index.ts";
import { nearest } from "../../../core/text/nearest.ts";
import {
  type ReportName,
  reportAbout,
  reportNames,
  reportSchema,
} from "../../../core/views/report-schema.ts";
import { usage } from "../../verb/outcome.ts";
import { verb } from "../../verb/verb.ts";

const about: Readonly<Record<Dialect, string>> = {
  findings: "defects from P0 to P3; what is found decides",
  decision: "GO or NO_GO, with feedback and quality checks",
  status: "approved, needs_changes or needs_clarification, with scores, findings and blockers",
  verdict: "approved or rejected, with where a rejection leads, every SOP answered, and confidence",
  challenge: "challenger_approved true or false, with a critique",
};

export const schema = verb({
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
      throw usage(
        "usage.extra-word",
        `schema takes one name, not also ${JSON.stringify(extra)}`,
        "pairflow schema",
      );
    if (word === undefined) return listed();
    const report = reportNames.find((name) => name === word);
    if (report) return printedReport(report, flags.example);
    const paper = paperNamed(word);
    if (paper) return printed(flags.example ? paper.example : paper.json);
    const json = flags.example ? exampleReviews(dialectOf(word)) : reviewSchema(dialectOf(word));
    return printed(json);
  },
});

const printed = (json: unknown) => ({ text: JSON.stringify(json, null, 2), json });

function printedReport(name: ReportName, wantsExample: boolean) {
  if (wantsExample)
    throw usage(
      "usage.no-example",
      `there are examples of reviews and papers only, not of ${name}`,
      `pairflow schema ${name}`,
    );
  return printed(reportSchema(name));
}

function listed() {
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

function dialectOf(word: string): Dialect {
  const found = dialects.find((name) => name === word);
  if (found) return found;
  throw usage(
    "usage.unknown-dialect",
    `there is no dialect, paper or report ${JSON.stringify(word)}${nearest(word, [...dialects, ...paperNames, ...reportNames])}`,
    "pairflow schema",
  );
}
