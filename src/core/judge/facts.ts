// What conditions and references find at their paths, built from the state of a bubble. What is not known is left out, so
// that nothing can be true by it.
import type { State } from "../model/state.ts";
import { listOpenBlocking, listOpenFindings } from "../state/severity.ts";
import { getCurrentTask, getIteration, getLoop, getTaskProgress } from "../state/workflow-position.ts";
import type { Facts } from "../workflow/path.ts";
import { findValidGateEvidence, listCleanPasses, listRedGates } from "./convergence.ts";
import {
  buildStepFacts,
  dropUndefined,
  findRecord,
  getConfidence,
  getTaskStartSeq,
  type Texts,
} from "./step-facts.ts";
import { checkPolicy } from "./tiers.ts";

export type { Facts } from "../workflow/path.ts";
export type { Texts } from "./step-facts.ts";

export function buildFacts(state: State, texts: Texts = {}): Facts {
  const iteration = Math.max(0, getIteration(state));
  const task = getCurrentTask(state);
  return dropUndefined({
    pair: buildPairFacts(state, iteration),
    review: buildReviewFacts(state, iteration),
    confidence_score: getConfidence(state)?.score,
    gates: buildGateFacts(state),
    policy: dropUndefined({
      passed: task?.policy !== undefined && checkPolicy(state).length === 0,
      tier: task?.policy?.tier,
    }),
    findings: { open: listOpenFindings(state).length, blocking: listOpenBlocking(state).length },
    execution: { iteration },
    task: dropUndefined({
      key: task?.key,
      iteration: task && iteration,
      subtask: getTaskProgress(state)?.subtask,
    }),
    human: buildHumanFacts(state),
    trigger: { payload: state.program.payload ?? {} },
    papers: buildPapers(state),
    run: { attempt: getAttempt(state) },
    producer: { promised: getTaskProgress(state)?.promised ?? false },
    steps: buildStepFacts(state, texts),
  });
}

const buildPapers = ({ papers = {} }: State): Facts =>
  Object.fromEntries(Object.entries(papers).map(([kind, { value }]) => [kind, value]));

/** How often this workflow has been at this piece of work, with this run. */
const getAttempt = ({ lineage = [], program, config }: State): number =>
  1 + lineage.filter(({ workflow }) => workflow === program.id || workflow === config.workflow).length;

/** Every critic of the chain has found the current tree clean, and none of their reviews waits for a human's trust. */
function isApproved(state: State): boolean {
  const last = findNewestReview(state);
  if (!last?.clean || isUndecided(state)) return false;
  const since = getTaskStartSeq(state);
  const passes = listCleanPasses(state).filter(({ seq }) => seq > since);
  return passes.length >= (getLoop(state).chain?.length ?? 1);
}

/** The newest review of the current tree in this task; one that cannot count is not clean. */
function findNewestReview(state: State): { readonly clean: boolean } | undefined {
  const { tree, lastReview } = state;
  const last = state.reviews.at(-1);
  const invalid = lastReview?.invalid && lastReview.seq > (last?.seq ?? 0) ? lastReview : undefined;
  const newest = invalid ?? last;
  if (!tree || !newest || newest.tree !== tree.id || newest.seq <= getTaskStartSeq(state)) return undefined;
  return { clean: !invalid && last?.clean === true };
}

/** Its critic is not sure, and no human has said whether it counts. */
function isUndecided({ reviews }: State): boolean {
  const last = reviews.at(-1);
  return last?.unsure !== undefined && !last.trusted;
}

function buildPairFacts(state: State, iteration: number): Facts {
  if (getCurrentTask(state)?.overlay !== "paired_workflow") return { challenger_approved: false };
  const loop = getLoop(state);
  return dropUndefined({
    challenger_approved: isApproved(state),
    iteration,
    max_iterations: loop.max_rounds + state.extraRounds,
    switches: getTaskProgress(state)?.switches ?? 0,
    current_role_driver: state.roles[loop.producer],
  });
}

/** Set wherever a critic reviews; a pair uses the facts of its challenger instead. */
function buildReviewFacts(state: State, iteration: number): Facts {
  const isOn = getCurrentTask(state)?.overlay !== "paired_workflow" && getLoop(state).critic !== undefined;
  if (!isOn) return {};
  const judged = findNewestReview(state);
  return dropUndefined({
    decision: findDecision(state),
    iteration,
    confidence: judged && state.lastReview?.opinion?.confidence,
  });
}

/** GO when all have approved, NO_GO when one has not; nothing while others are still to be asked. */
function findDecision(state: State): "GO" | "NO_GO" | undefined {
  if (isApproved(state)) return "GO";
  const last = findNewestReview(state);
  return last && !last.clean && !isUndecided(state) ? "NO_GO" : undefined;
}

function buildGateFacts(state: State): Facts {
  const red = listRedGates(state);
  return dropUndefined({
    passed: state.tree !== undefined && red.length === 0,
    failed: findValidGateEvidence(state) && red.length,
  });
}

/** The newest answer of a human to a question of the workflow. */
function buildHumanFacts(state: State): Facts {
  const answers = state.program.steps
    .filter(({ kind }) => kind === "question")
    .flatMap(({ name }) => findRecord(state, name) ?? [])
    .filter(({ output }) => output?.decision !== undefined)
    .sort((a, b) => b.seq - a.seq);
  return dropUndefined({ decision: answers[0]?.output?.decision, message: answers[0]?.output?.message });
}
