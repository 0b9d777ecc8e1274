// Everything that people, agents and the referee make of a record, as one text for each moment: views, prompts, what is
// due, and what is decided about a set of commands. The raw lines are not among it: a field that only they show has no reader.

import { type BriefingInputs, briefing } from "../../src/core/briefing/prompt.ts";
import { decide } from "../../src/core/bubble/decide.ts";
import { due } from "../../src/core/bubble/due.ts";
import { evolve } from "../../src/core/bubble/evolve.ts";
import { sessionFor } from "../../src/core/judge/sessions.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { Envelope } from "../../src/core/model/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { knowBeforeSigning } from "../../src/core/package/know.ts";
import { packageMarkdown, packageView } from "../../src/core/signing/package.ts";
import { currentStep } from "../../src/core/state/place.ts";
import { explain } from "../../src/core/views/explain.ts";
import { gateReportView } from "../../src/core/views/gate-report.ts";
import { inboxView } from "../../src/core/views/inbox.ts";
import { pairSessionText } from "../../src/core/views/pair-session.ts";
import { pipelineTrail } from "../../src/core/views/pipeline.ts";
import { pipelineReport } from "../../src/core/views/pipeline-report.ts";
import { pipelineStatus } from "../../src/core/views/pipeline-status.ts";
import { reviewDecisions } from "../../src/core/views/review-decision.ts";
import { claimIn, evidenceOf } from "../../src/core/views/review-evidence.ts";
import { reviewFiles } from "../../src/core/views/review-file.ts";
import { reviewLog } from "../../src/core/views/review-log.ts";
import { countedReviews, reviewTrail } from "../../src/core/views/review-trail.ts";
import { statusView } from "../../src/core/views/status.ts";
import { summaryView } from "../../src/core/views/summary.ts";
import { timelineRow } from "../../src/core/views/timeline.ts";
import { treeView } from "../../src/core/views/tree.ts";
import { allTrue } from "../../src/testing/scenario.ts";
import { askedFacts } from "./asked-facts.ts";

const now = "2026-02-21T12:00:00.000Z";

const inputs = (voice: BriefingInputs["voice"]): Omit<BriefingInputs, "resumed"> => ({
  roleText: "",
  task: "the task",
  worktree: "/work/cart",
  out: "/out",
  artifact: (name) => `/record/${name}`,
  voice,
});

function prompts(state: State): string[] {
  const { turn } = state;
  const step = currentStep(state);
  if (turn?.status !== "due" || step?.kind !== "turn") return [];
  const resumed = sessionFor(state, turn, step).resume !== undefined;
  const document = state.document ? { document: { text: "its words", room: 1000 } } : {};
  const summary = [state.tree?.summary, state.package?.what].filter(Boolean).join("\n");
  return (["json", "verbs"] as const).map((voice) =>
    briefing(state, turn, {
      ...inputs(voice),
      resumed,
      ...document,
      ...(summary ? { summary } : {}),
      asked: askedFacts(state, step.prompt),
    }),
  );
}

/** The turn of an effect is the state's own, not something that was read. */
const withoutTurn = (effect: object) => ({ ...effect, turn: undefined });

/** What is seen of one state. */
const seen = (state: State): string =>
  JSON.stringify([
    statusView(state, { now }),
    summaryView(state),
    inboxView(state),
    knowBeforeSigning(state),
    packageMarkdown(packageView(state)),
    gateReportView(state),
    treeView(state, { states: new Map([[state.bubbleId, state]]) } as never),
    Object.keys(state.tasks ?? {}).map((task) => pairSessionText(state, task)),
    due(state).map(withoutTurn),
    prompts(state),
  ]);

/** What is decided about each command, with what it would write. */
const decided = (state: State, commands: readonly Command[]): string =>
  JSON.stringify(
    commands.map((command) => {
      const { drafts, refusal } = decide(state, command, now);
      return [refusal, drafts];
    }),
  );

/** The views that need the whole record. */
function whole(log: readonly Envelope[]): string {
  const trail = reviewTrail(log);
  const pipeline = pipelineTrail(log);
  return JSON.stringify([
    explain(log),
    reviewLog("cart", trail),
    [...reviewFiles(trail)],
    Object.keys(trail.state?.tasks ?? {}).map((task) => reviewDecisions(task, trail)),
    countedReviews(trail).map((review) => evidenceOf(review, allTrue(claimIn(review)))),
    pipelineReport(pipeline),
    pipelineStatus(pipeline, { now }),
  ]);
}

/** Moments after a line at which it is looked who has made something of it. */
const enough = 4;

/** Somebody is about to be told something, or asked. */
const isTelling = ({ turn, questions, lifecycle }: State): boolean =>
  turn?.status === "due" || questions.length > 0 || lifecycle === "READY_FOR_APPROVAL";

/** Looks at a record from the line `from` on, moment after moment, so that two records can be compared until they differ. */
export function* observe(
  log: readonly Envelope[],
  {
    from,
    before,
    commands,
  }: {
    readonly from: number;
    readonly before: State | undefined;
    readonly commands: (seq: number) => readonly Command[];
  },
): Generator<string> {
  const changed = log[from];
  if (changed) yield JSON.stringify(timelineRow(changed));
  let state = before;
  let looked = 0;
  for (const [i, envelope] of log.slice(from).entries()) {
    state = evolve(state, envelope);
    if (!state || !(i < 2 || (isTelling(state) && looked < enough) || from + i === log.length - 1)) continue;
    looked++;
    yield seen(state);
    yield decided(state, commands(envelope.seq));
  }
  yield whole(log);
}
