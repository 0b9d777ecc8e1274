// What a producer is told: what failed, what was found, what it may touch, and how it hands over.

import { redOnBase } from "../judge/base-run.ts";
import type { GateResult } from "../model/gate.ts";
import { missingParts } from "../model/package.ts";
import type { State } from "../model/state.ts";
import { inLists } from "../permission/narrow.ts";
import { scopeOf } from "../permission/plan-scope.ts";
import { hasMade } from "../state/code.ts";
import { currentTask } from "../state/place.ts";
import { openFindings } from "../state/severity.ts";
import { saidPackage } from "../state/work.ts";
import { fixingSection } from "./fixing.ts";
import { historySection } from "./history.ts";
import type { BriefingInputs } from "./inputs.ts";
import { paperSections } from "./papers.ts";
import { answerExample, bullets, findingsToFix, section, signalRules } from "./parts.ts";
import { remarksSection } from "./remarks.ts";
import { lockedSection } from "./task.ts";

export function producerSections(state: State, inputs: BriefingInputs): string[] {
  const ran = state.gates?.tree === state.tree?.id ? (state.gates?.results ?? []) : [];
  const failed = ran.filter(({ status }) => status !== "passed" && status !== "skipped");
  return [
    ...paperSections(state),
    section("Files with conflict markers", bullets(state.tree?.conflicts ?? [])),
    section(
      "Gates that failed on the last handoff",
      failed.map((result) => failureText(result, inputs.artifact)).join("\n\n"),
    ),
    section("Gates that were red before you began", redBefore(state)),
    section("Findings", findingsToFix(state)),
    remarksSection(state, inputs),
    fixingSection(state, "producer"),
    historySection(state, "producer", inputs.asked),
    section(
      "Gates the referee will run",
      bullets(
        state.profile.gates.map(
          ({ name, command, required }) => `${name}${required ? "" : " (optional)"}: \`${command}\``,
        ),
      ),
    ),
    section("Scope", scope(state)),
    lockedSection(state),
  ];
}

/** Once something was handed over, what is red on that tree says more. */
function redBefore(state: State): string {
  const names = redOnBase(state);
  if (names.length === 0 || hasMade(state)) return "";
  const hints = new Map(state.base?.results.map(({ name, hint }) => [name, hint]));
  const lines = names.map((name) => [name, hints.get(name)].filter(Boolean).join(": "));
  return `On the untouched base. They are not your mistake, and the required ones must still be green at the end.\n\n${bullets(lines)}`;
}

function failureText(result: GateResult, artifact: BriefingInputs["artifact"]): string {
  const { name, status, command, required, hint, excerpt, patch } = result;
  const optional = required ? "" : " (optional: a warning)";
  const why = [hint, patch ? patchText(artifact(patch)) : ""].filter(Boolean).map((text) => `\n\n${text}`);
  return `### ${name}: ${status}${optional} (${command})${why.join("")}\n\n\`\`\`\n${excerpt}\n\`\`\``;
}

/** Whether what a gate wrote is right is for the producer to say, once. */
const patchText = (path: string) =>
  `It writes instead of checking. If what it wrote is right, apply it in the worktree: \`git apply ${path}\`. If it is not, leave the files as they are and say why; a human then decides about this gate.`;

function scope(state: State): string {
  const bounds = scopeOf(state);
  const { out, do_not_touch: no } = bounds;
  return bullets(
    [
      ...inLists(bounds).map((list, at) => `${at === 0 ? "only" : "and of these only"}: ${list.join(", ")}`),
      out.length ? `not: ${out.join(", ")}` : "",
      no.length ? `never touch: ${no.join(", ")}` : "",
    ].filter(Boolean),
  );
}

/** Where the producer itself says that a checkpoint is reached. */
const claimsCheckpoints = (state: State) => currentTask(state)?.checkpoints === "claim";

export function producerVerbs(state: State, inputs: BriefingInputs): string {
  const missing = missingParts(saidPackage(state));
  const parts = ' \\\n  --what "…" --why "…" --risks "…" --test-plan "…" --commit-message "…"';
  return [
    "End your turn with exactly one of these commands, run in the worktree:",
    `\`\`\`\npairflow pass --summary "what you did and why"${parts}\npairflow ask-human --question "one question that blocks you"\n\`\`\``,
    `The five parts are for the human who signs: ${partWords}. All are needed before that${stillEmpty(missing)}; repeat one to replace it.`,
    openFindings(state).length > 0
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

export function producerAnswer(state: State, inputs: BriefingInputs): string {
  const missing = missingParts(saidPackage(state));
  return [
    "Do the work in the worktree first. Then your final answer is one JSON object of the given schema and nothing else; properties without a value are null or empty.",
    signalRules,
    `\`package\` is for the human who signs: ${partWords}. All are needed before that${stillEmpty(missing)}; null keeps what you said before.`,
    openFindings(state).length > 0
      ? "If a finding is wrong, put it into `disputes` with a reason that can be checked."
      : "",
    "If nothing needs to change in the files, say why in `no_change`, with evidence.",
    claimsCheckpoints(state)
      ? "When a checkpoint is reached with this, name it in `checkpoint`. The roles switch there."
      : "",
    `Files for the reviewer that are no part of the change (a log, a screenshot) go to ${inputs.out}.`,
    answerExample(claimsCheckpoints(state) ? { ...producerExample, checkpoint: null } : producerExample),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const partWords = "what (changed), why, risks, test_plan (how a person tries it by hand), commit_message";

const stillEmpty = (missing: readonly string[]): string =>
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
