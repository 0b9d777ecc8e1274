// What a new run takes over from one that has ended: papers that were approved, and the test commands a human has seen. It
// then begins at the phase that failed.
import type { Profile } from "../../core/model/gate.ts";
import type { State } from "../../core/model/state.ts";
import { approvedAt } from "../../core/views/pipeline-documents.ts";
import { requestText } from "../../core/views/pipeline-report.ts";

export interface Takeover {
  readonly request: string;
  readonly papers: Readonly<Record<string, unknown>>;
  readonly profile: Profile;
  /** Where the new run begins, in a person's words. */
  readonly begins: string;
  readonly says: readonly string[];
}

export function takeover(state: State): Takeover {
  const story = approvedStory(state);
  const plan = story && passedPlan(state);
  return {
    request: requestText(state),
    papers: { ...(story ? { "user-story": story } : {}), ...(plan ? { "plan-refined": plan } : {}) },
    profile: state.profile,
    begins: plan ? "the implementation" : story ? "the plan" : "the requirements",
    says: [
      story ? "the approved user story is taken over" : "no user story was approved: it is asked for again",
      ...(story ? [plan ? "the plan that all critics passed is taken over" : "the plan is made again"] : []),
      `what ${state.bubbleId} made stays on ${state.config.bubble_branch}`,
    ],
  };
}

/** With the signature it has: papers that a run was given carry theirs already. */
function approvedStory(state: State): object | undefined {
  const paper = state.papers?.["user-story"];
  if (!paper) return undefined;
  if (paper.agent === "human") return paper.value;
  const at = approvedAt(state, paper);
  return at === undefined ? undefined : { ...paper.value, approved_at: at, approved_by: "user" };
}

/** Behind the check that all critics passed stands the step that adopts its commands. */
function passedPlan({ papers, steps }: State): object | undefined {
  const paper = papers?.["plan-refined"];
  const adopted = steps?.adopt;
  const hasPassed = paper && (paper.agent === "human" || (adopted !== undefined && adopted.seq > paper.seq));
  return hasPassed ? paper.value : undefined;
}
