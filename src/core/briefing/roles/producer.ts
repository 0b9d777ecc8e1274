// What a producer is told: what failed, what was found, what it may touch, and how it hands over.

import { listRedOnBase } from "../../judge/gate-runs/base.ts";
import type { GateResult } from "../../model/gate.ts";
import { listMissingPackageParts } from "../../model/record/package.ts";
import type { State } from "../../model/state.ts";
import { getEffectiveScope } from "../../permission/plan-scope.ts";
import { listInLists } from "../../permission/scope-intersection.ts";
import { hasMade } from "../../state/code-tree.ts";
import { listOpenFindings } from "../../state/severity.ts";
import { mergeRefusedPackage } from "../../state/work.ts";
import { getCurrentTask } from "../../state/workflow-position.ts";
import { buildFixingSection } from "../fixing.ts";
import { buildHistorySection } from "../history.ts";
import type { BriefingInputs } from "../inputs.ts";
import { buildPaperSections } from "../papers.ts";
import {
  renderAnswerExample,
  renderBullets,
  renderFindingsToFix,
  renderSection,
  signalRules,
} from "../parts.ts";
import { buildRemarksSection } from "../remarks.ts";
import { buildLockedSection } from "../task.ts";

export function buildProducerSections(state: State, inputs: BriefingInputs): string[] {
  const ran = state.gates?.tree === state.tree?.id ? (state.gates?.results ?? []) : [];
  const failed = ran.filter(({ status }) => status !== "passed" && status !== "skipped");
  return [
    ...buildPaperSections(state),
    renderSection("Files with conflict markers", renderBullets(state.tree?.conflicts ?? [])),
    renderSection(
      "Gates that failed on the last handoff",
      failed.map((result) => describeFailure(result, inputs.artifact)).join("\n\n"),
    ),
    renderSection("Gates that were red before you began", describeRedBase(state)),
    renderSection("Findings", renderFindingsToFix(state)),
    buildRemarksSection(state, inputs),
    buildFixingSection(state, "producer"),
    buildHistorySection(state, "producer", inputs.asked),
    renderSection(
      "Gates the referee will run",
      renderBullets(
        state.profile.gates.map(
          ({ name, command, required }) => `${name}${required ? "" : " (optional)"}: \`${command}\``,
        ),
      ),
    ),
    renderSection("Scope", scope(state)),
    buildLockedSection(state),
  ];
}

/** Once something was handed over, what is red on that tree says more. */
function describeRedBase(state: State): string {
  const names = listRedOnBase(state);
  if (names.length === 0 || hasMade(state)) return "";
  const hints = new Map(state.base?.results.map(({ name, hint }) => [name, hint]));
  const lines = names.map((name) => [name, hints.get(name)].filter(Boolean).join(": "));
  return `On the untouched base. They are not your mistake, and the required ones must still be green at the end.\n\n${renderBullets(lines)}`;
}

function describeFailure(result: GateResult, artifact: BriefingInputs["artifact"]): string {
  const { name, status, command, required, hint, excerpt, patch } = result;
  const optional = required ? "" : " (optional: a warning)";
  const why = [hint, patch ? describePatch(artifact(patch)) : ""]
    .filter(Boolean)
    .map((text) => `\n\n${text}`);
  return `### ${name}: ${status}${optional} (${command})${why.join("")}\n\n\`\`\`\n${excerpt}\n\`\`\``;
}

/** Whether what a gate wrote is right is for the producer to say, once. */
const describePatch = (path: string) =>
  `It writes instead of checking. If what it wrote is right, apply it in the worktree: \`git apply ${path}\`. If it is not, leave the files as they are and say why; a human then decides about this gate.`;

function scope(state: State): string {
  const bounds = getEffectiveScope(state);
  const { out, do_not_touch: no } = bounds;
  return renderBullets(
    [
      ...listInLists(bounds).map(
        (list, at) => `${at === 0 ? "only" : "and of these only"}: ${list.join(", ")}`,
      ),
      out.length ? `not: ${out.join(", ")}` : "",
      no.length ? `never touch: ${no.join(", ")}` : "",
    ].filter(Boolean),
  );
}

/** Where the producer itself says that a checkpoint is reached. */
const claimsCheckpoints = (state: State) => getCurrentTask(state)?.checkpoints === "claim";

export function describeProducerVerbs(state: State, inputs: BriefingInputs): string {
  const missing = listMissingPackageParts(mergeRefusedPackage(state));
  const parts = ' \\\n  --what "…" --why "…" --risks "…" --test-plan "…" --commit-message "…"';
  return [
    "End your turn with exactly one of these commands, run in the worktree:",
    `\`\`\`\npairflow pass --summary "what you did and why"${parts}\npairflow ask-human --question "one question that blocks you"\n\`\`\``,
    `The five parts are for the human who signs: ${partWords}. All are needed before that${describeEmptyParts(missing)}; repeat one to replace it.`,
    listOpenFindings(state).length > 0
      ? "If a finding is wrong: `--dispute 'F1:reason that can be checked'`."
      : "",
    "If nothing needs to change in the files, say so: `--no-change 'why, with evidence'`.",
    claimsCheckpoints(state)
      ? 'When a checkpoint is reached with this, name it: `--checkpoint "name"`. The roles switch there.'
      : "",
    `Files for the reviewer that are no part of the change (a log, a screenshot) go to ${inputs.out} and are named with \`--ref\`.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

export function describeProducerAnswer(state: State, inputs: BriefingInputs): string {
  const missing = listMissingPackageParts(mergeRefusedPackage(state));
  return [
    "Do the work in the worktree first. Then your final answer is one JSON object of the given schema and nothing else; properties without a value are null or empty.",
    signalRules,
    `\`package\` is for the human who signs: ${partWords}. All are needed before that${describeEmptyParts(missing)}; null keeps what you said before.`,
    listOpenFindings(state).length > 0
      ? "If a finding is wrong, put it into `disputes` with a reason that can be checked."
      : "",
    "If nothing needs to change in the files, say why in `no_change`, with evidence.",
    claimsCheckpoints(state)
      ? "When a checkpoint is reached with this, name it in `checkpoint`. The roles switch there."
      : "",
    `Files for the reviewer that are no part of the change (a log, a screenshot) go to ${inputs.out}.`,
    renderAnswerExample(
      claimsCheckpoints(state) ? { ...producerExample, checkpoint: null } : producerExample,
    ),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const partWords = "what (changed), why, risks, test_plan (how a person tries it by hand), commit_message";

const describeEmptyParts = (missing: readonly string[]): string =>
  missing.length < 5 && missing.length > 0 ? ` (still empty: ${missing.join(", ")})` : "";

const idle = { questions: [], message: null };
const producerExample = {
  status: "completed",
  summary: "what you did and why",
  ...idle,
  package: { what: "…", why: "…", risks: "…", test_plan: "…", commit_message: "…" },
  disputes: [],
  no_change: null,
};
