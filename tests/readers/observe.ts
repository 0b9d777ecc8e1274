// Everything that people, agents and the referee make of a record, as one text for each moment: views, prompts, what is
// due, and what is decided about a set of commands. The raw lines are not among it: a field that only they show has no reader.
import { type BriefingInputs, buildPrompt } from "../../src/core/briefing/prompt.ts";
import { decide } from "../../src/core/bubble/decide.ts";
import { listDueEffects } from "../../src/core/bubble/due.ts";
import { evolve } from "../../src/core/bubble/evolve.ts";
import { chooseSession } from "../../src/core/judge/sessions.ts";
import type { Command } from "../../src/core/model/command.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { listSentencesBeforeSigning } from "../../src/core/package/list.ts";
import { buildPackageView, renderPackageMarkdown } from "../../src/core/signing/package.ts";
import { getCurrentStep } from "../../src/core/state/workflow-position.ts";
import { buildInboxView } from "../../src/core/views/bubble/inbox.ts";
import { buildStatusView } from "../../src/core/views/bubble/status.ts";
import { buildSummaryView } from "../../src/core/views/bubble/summary.ts";
import { explain } from "../../src/core/views/history/explain.ts";
import { buildTimelineRow } from "../../src/core/views/history/timeline.ts";
import { serializePairSession } from "../../src/core/views/pair/session.ts";
import { buildPipelineReport } from "../../src/core/views/pipeline/report.ts";
import { buildPipelineStatus } from "../../src/core/views/pipeline/status.ts";
import { followPipeline } from "../../src/core/views/pipeline/trail.ts";
import { buildGateReport } from "../../src/core/views/report/gates.ts";
import { listReviewDecisions } from "../../src/core/views/review/decision.ts";
import { buildClaimOfReview, listReviewEvidence } from "../../src/core/views/review/evidence.ts";
import { buildReviewFiles } from "../../src/core/views/review/file.ts";
import { buildReviewLog } from "../../src/core/views/review/log.ts";
import { buildReviewTrail, listCountedReviews } from "../../src/core/views/review/trail.ts";
import { buildTreeView } from "../../src/core/views/tree/run.ts";
import { proveAllPlaces } from "../../src/testing/scenario-actors.ts";
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
  const step = getCurrentStep(state);
  if (turn?.status !== "due" || step?.kind !== "turn") return [];
  const resumed = chooseSession(state, turn, step).resume !== undefined;
  const document = state.document ? { document: { text: "its words", room: 1000 } } : {};
  const summary = [state.tree?.summary, state.package?.what].filter(Boolean).join("\n");
  return (["json", "verbs"] as const).map((voice) =>
    buildPrompt(state, turn, {
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
    buildStatusView(state, { now }),
    buildSummaryView(state),
    buildInboxView(state),
    listSentencesBeforeSigning(state),
    renderPackageMarkdown(buildPackageView(state)),
    buildGateReport(state),
    buildTreeView(state, { states: new Map([[state.bubbleId, state]]) } as never),
    Object.keys(state.tasks ?? {}).map((task) => serializePairSession(state, task)),
    listDueEffects(state).map(withoutTurn),
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
  const trail = buildReviewTrail(log);
  const pipeline = followPipeline(log);
  return JSON.stringify([
    explain(log),
    buildReviewLog("cart", trail),
    [...buildReviewFiles(trail)],
    Object.keys(trail.state?.tasks ?? {}).map((task) => listReviewDecisions(task, trail)),
    listCountedReviews(trail).map((review) =>
      listReviewEvidence(review, proveAllPlaces(buildClaimOfReview(review))),
    ),
    buildPipelineReport(pipeline),
    buildPipelineStatus(pipeline, { now }),
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
  if (changed) yield JSON.stringify(buildTimelineRow(changed));
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
