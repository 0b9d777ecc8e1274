// What a critic is told: the tree, what it must answer for and by which rules, and how it says what it found. Never what
// the author thinks of its own work, unless the bubble says so.

import { describeGateResult } from "../../gates/result-sentence.ts";
import { describeSensitiveEdit, findSensitiveEdits } from "../../gates/sensitive.ts";
import type { State } from "../../model/state.ts";
import { describeReviewAnswer, renderReviewExamples } from "../../review/dialect/say.ts";
import { findDueDuty } from "../../review/duties.ts";
import { listSubjects, type Subject } from "../../review/subjects.ts";
import { listOpenFindings } from "../../state/severity.ts";
import { getCurrentTask, getDialect } from "../../state/workflow-position.ts";
import { buildHistorySection } from "../history.ts";
import type { BriefingInputs } from "../inputs.ts";
import { buildPaperSections, renderJudgedPaper } from "../papers.ts";
import { renderBullets, renderKnownFindings, renderSection } from "../parts.ts";
import { buildHandedInSection } from "../remarks.ts";

export function buildCriticSections(state: State, inputs: BriefingInputs): string[] {
  return [
    ...describeYardstick(state),
    ...buildTreeSections(state, inputs),
    renderSection("What you must answer for", mustAnswer(state)),
    renderSection(findDueDuty(state)?.title ?? "", describeDuty(state)),
    renderSection("How full the producer's context was", explainFullness(state)),
    renderSection("Findings so far", renderKnownFindings(state)),
    buildHistorySection(state, "critic", inputs.asked),
    renderSection("What the producer says", state.config.reviewer_sees_summary ? (inputs.summary ?? "") : ""),
  ];
}

/** What a critic that continues in its session is told: what is new about the tree, and what it must answer for. */
export function buildRepeatReviewSections(state: State, inputs: BriefingInputs): string[] {
  const rules = state.tree?.context?.sops.length ? (inputs.knowledge?.trim() ?? "") : "";
  return [
    renderSection("What changed since your last review", inputs.changes ?? ""),
    rules,
    ...buildTreeSections(state, inputs),
    renderSection("What you must answer for", mustAnswer(state, true)),
    renderSection(findDueDuty(state)?.title ?? "", describeDuty(state)),
    renderSection("Findings so far", renderKnownFindings(state)),
  ];
}

/** The papers that what is judged must fit: a plan for code, what came before it for a paper. */
function describeYardstick(state: State): string[] {
  const kind = state.tree?.paper?.kind;
  return buildPaperSections(state, kind === undefined ? {} : { kind, before: true });
}

/** The tree that is judged, and what is known about it. */
export function buildTreeSections(state: State, inputs: BriefingInputs): string[] {
  const tree = state.tree;
  const paper = renderJudgedPaper(state);
  if (tree?.paper && paper)
    return [
      renderSection("What you judge", `Tree ${tree.id}: the paper ${tree.paper.kind}\n\n${paper}`),
      buildHandedInSection(state, inputs),
    ];
  const files =
    tree?.files.map(
      (file) =>
        `${file.path} (${file.status}${file.added === null ? "" : `, +${file.added} −${file.removed ?? 0}`})`,
    ) ?? [];
  const more = tree && tree.filesTotal > files.length ? [`… and ${tree.filesTotal - files.length} more`] : [];
  const gates = state.gates?.tree === tree?.id ? (state.gates?.results ?? []) : [];
  return [
    renderSection(
      "What you judge",
      `Tree ${tree?.id ?? ""}\nDiff against the base: ${tree?.diff ? inputs.artifact(tree.diff) : "none"}\n\n${renderBullets([...files, ...more])}`,
    ),
    buildHandedInSection(state, inputs),
    renderSection(
      "Gates on exactly this tree",
      renderBullets(gates.map(describeGateResult)) ||
        (state.profile.not_available ? `none: ${state.profile.not_available}` : ""),
    ),
    renderSection("This change edits what judges it", describeEdits(state)),
  ];
}

/** A model whose window is nearly full overlooks things; only some CLIs tell. Told where a workflow assembles its context. */
function explainFullness({ tree, spent, program }: State): string {
  if (!program.steps.some(({ kind }) => kind === "context")) return "";
  const full = tree ? spent.byAgent[tree.by]?.context : undefined;
  return full === undefined ? "" : `${Math.round(full * 100)} %, by its own CLI's figures`;
}

/** What an approval must prove; empty where the bubble asks for no evidence. Criteria that are told above are only named. */
function mustAnswer(state: State, isAgain = false): string {
  if (!state.config.review.require_evidence) return "";
  const subjects = listSubjects(state);
  const told = isAgain
    ? []
    : subjects.filter(({ kind }) => kind === "criterion").map(({ id }) => `**${id}**`);
  const lines = [
    ...subjects
      .filter(({ kind }) => isAgain || kind !== "criterion")
      .map((subject) => renderSubjectLine(subject)),
    ...(told.length > 0 ? [`${told.join(", ")}: the acceptance criteria above`] : []),
  ];
  return [
    "An approval counts only with evidence for each of these: a place (`file:line`) with the text that is there, and in your own words what it shows. Places are looked up in the tree; invented ones and empty praise are refused.",
    renderBullets(lines),
  ].join("\n\n");
}

function renderSubjectLine({ kind, id, text }: Subject): string {
  if (kind === "file") return `the change of \`${id}\` (${text})`;
  if (kind === "sop") return `**${id}** (an SOP; a violation is ${text === "error" ? "P1" : "P2"})`;
  return kind === "duty" ? `**${id}**, a question of this pass, see below` : `**${id}** ${text}`;
}

/** The question this pass must answer beside the review. */
function describeDuty(state: State): string {
  const duty = findDueDuty(state);
  return duty
    ? [duty.tell, renderBullets(duty.questions.map(({ id, ask }) => `**${id}** ${ask}`))].join("\n\n")
    : "";
}

/** Edits of what judges the work are shown as what they are. */
function describeEdits(state: State): string {
  return renderBullets(findSensitiveEdits(state.tree?.files ?? []).map(describeSensitiveEdit));
}

export function describeCriticAnswer(state: State): string {
  return describeReviewAnswer(getDialect(state), buildAsked(state));
}

export function describeCriticVerbs(state: State): string {
  const open = listOpenFindings(state)
    .map((finding) => ` --fixed ${finding.id}|--open ${finding.id}|--withdrawn '${finding.id}:reason'`)
    .join("");
  const checked = renderEvidenceFlags(state);
  return [
    "End your turn with exactly one of these commands, run in the worktree:",
    "```",
    `pairflow pass --summary "…"${open} --finding 'P1:Title @ file:line | \`quoted text\` what is wrong with it' [--finding …]`,
    `pairflow pass --summary "…"${open} --no-findings${checked}`,
    ...(getCurrentTask(state)?.overlay
      ? []
      : [
          `pairflow converged --summary "…"${open}${checked}      (claims that nothing at all is missing; refused if the record says otherwise, a pass without findings is always enough)`,
        ]),
    'pairflow ask-human --question "one question that blocks you"',
    "```",
    'Many findings: `--findings-file review.json` with `[{"severity":"P1","title":"…","file":"…","line":1,"quote":"…","why":"…","area":"…","advice":"…"}]`.',
    describeSop(state),
    getDialect(state) === "findings"
      ? `\`--confidence 0.9\` says how sure you are of this review; below ${getMinConfidence(state)} a human is asked whether it counts.`
      : "",
    describeReviewFile(state),
    open ? "Every open finding above needs one of the three answers." : "",
  ]
    .filter(Boolean)
    .join("\n");
}

const shownFlags = 4;

/** The evidence flags for what must be answered, the first few spelt out. */
function renderEvidenceFlags(state: State): string {
  const subjects = state.config.review.require_evidence ? listSubjects(state) : [];
  const flags = subjects.slice(0, shownFlags).map(getFlag);
  const more = subjects.length > shownFlags ? " …" : "";
  return flags.length > 0 ? `${flags.join("")}${more}` : " --checked 'file:line what you saw there'";
}

function getFlag({ kind, id }: Subject): string {
  if (kind === "file") return ` --checked '${id}:LINE what you saw there'`;
  if (kind === "sop") return ` --sop '${id} passed file:LINE what you saw there'`;
  return ` --checked '${kind === "duty" ? `for:${id}` : id} file:LINE what you saw there'`;
}

function describeSop(state: State): string {
  return state.tree?.context?.sops.length
    ? "An SOP that is not kept is answered `violated`, one that has nothing to do with the change `not_applicable`, naming a changed file it is about and why it does not apply there."
    : "";
}

function describeReviewFile(state: State): string {
  const dialect = getDialect(state);
  const form = `The whole review as a file: \`--review-file review.json\`, one JSON object of the dialect ${dialect} (\`pairflow schema ${dialect} --example\`) with "tree": "${state.tree?.id ?? ""}".`;
  if (dialect === "findings") return form;
  return `This bubble's reviews speak the dialect ${dialect}. ${form}\n\n${renderReviewExamples(dialect, buildAsked(state))}\n`;
}

/** A step that validates reviews has a bound of its own. */
function getMinConfidence({ config, program }: State): number {
  const bounds = program.steps.flatMap((step) =>
    step.kind === "validate" ? (step.min_confidence ?? []) : [],
  );
  return Math.max(config.review.min_confidence, ...bounds);
}

/** What the review is about, as the dialects tell it. */
function buildAsked(state: State) {
  return {
    tree: state.tree?.id ?? "",
    open: listOpenFindings(state).map(({ id }) => id),
    subjects: state.config.review.require_evidence ? listSubjects(state) : [],
    minConfidence: getMinConfidence(state),
  };
}
