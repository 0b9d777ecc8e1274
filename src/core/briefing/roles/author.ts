// What the author of a paper is told: what the paper is, what it must fit, what was found in it, and how it is handed in.
import type { State } from "../../model/state.ts";
import { findAskedPaper } from "../../paper/context.ts";
import type { PaperKind } from "../../paper/kind.ts";
import { formatStrictPaper } from "../../paper/strict-form.ts";
import { listOpenFindings } from "../../state/severity.ts";
import { buildFixingSection } from "../fixing.ts";
import { buildHistorySection } from "../history.ts";
import type { BriefingInputs } from "../inputs.ts";
import { buildPaperSections, renderNumberedPaper } from "../papers.ts";
import { renderAnswerExample, renderFindingsToFix, renderSection, signalRules } from "../parts.ts";
import { buildRemarksSection } from "../remarks.ts";

export function buildAuthorSections(state: State, inputs: BriefingInputs): string[] {
  const kind = findAskedPaper(state);
  if (!kind) return [];
  const before = state.papers?.[kind.name];
  return [
    ...buildPaperSections(state, { kind: kind.name }),
    renderSection("The paper you hand in", describePaper(kind, inputs)),
    renderSection(
      "Your paper as you handed it in last",
      before ? renderNumberedPaper(kind.name, before.value) : "",
    ),
    renderSection("Findings", renderFindingsToFix(state)),
    buildRemarksSection(state, inputs),
    buildFixingSection(state, "author"),
    buildHistorySection(state, "author", inputs.asked),
  ];
}

function describePaper({ name, about, example }: PaperKind, { voice }: BriefingInputs): string {
  return [
    `A **${name}**, one JSON document. ${about}`,
    "You change no file: read the repository, run commands that change nothing, and hand in the paper. A turn that changes or removes files does not count; new files are put back and named to the person who signs.",
    voice === "json"
      ? ""
      : `An example of its form, about no real file; the schema is \`pairflow schema ${name}\`. Leave out what has no value; ids and times are put in for you.\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  ]
    .filter(Boolean)
    .join("\n\n");
}

export function describeAuthorVerbs(state: State, { out }: BriefingInputs): string {
  return [
    "End your turn with exactly one of these commands:",
    [
      "```",
      `pairflow pass --summary "what it says and why" --paper ${out}/paper.json      (or --paper - and the JSON on standard input)`,
      `pairflow ask-human --question "one question that blocks you" --option "an answer" --option "another"`,
      "```",
    ].join("\n"),
    "With the tools: `pass` takes the document itself as `paper`; `ask_human` takes `options` to choose from, and further questions in `others`.",
    listOpenFindings(state).length > 0
      ? "If a finding is wrong: `--dispute 'F1:reason that can be checked'`, beside the paper."
      : "",
    "What only a human can decide is asked, with the answers you would choose from; you continue with the answer.",
  ]
    .filter(Boolean)
    .join("\n\n");
}

export function describeAuthorAnswer(state: State): string {
  const kind = findAskedPaper(state);
  const idle = { questions: [], message: null };
  const question = {
    id: "q1",
    question: "How many codes may a cart have?",
    options: ["One", "Several"],
    context: "The request leaves it open",
  };
  return [
    "Your final answer is one JSON object of the given schema and nothing else: no code fence, no text around it. `paper` is the whole document; properties without a value are null or empty. Ids and times are put in for you. The sentences of the example are about no real file.",
    signalRules,
    listOpenFindings(state).length > 0
      ? "If a finding is wrong, put it into `disputes` with a reason that can be checked, beside the paper."
      : "",
    renderAnswerExample({
      status: "completed",
      ...idle,
      summary: "what it says and why",
      paper: kind ? formatStrictPaper(kind, kind.example) : {},
      disputes: [],
    }),
    `Asking:\n\n\`\`\`json\n${JSON.stringify({ status: "needs_input", questions: [question], message: null, summary: null, paper: null, disputes: [] })}\n\`\`\``,
  ]
    .filter(Boolean)
    .join("\n\n");
}
