// What a new run takes over from one that has ended: papers that were approved, the test commands a human has seen, the
// newest pinned files of the phase, and the findings that nobody has answered. It then begins at the phase that failed.
import type { Profile } from "../../core/model/gate.ts";
import type { PayloadOf } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import { describeKeptWork } from "../../core/state/code-tree.ts";
import { listCarriedFindings } from "../../core/state/severity.ts";
import { findStoryApproval } from "../../core/views/pipeline/documents.ts";
import { getRequestText } from "../../core/views/pipeline/report.ts";

export interface Takeover {
  readonly request: string;
  readonly papers: Readonly<Record<string, unknown>>;
  readonly profile: Profile;
  /** The newest pinned work of the phase, and the base it was made on. Its files are the first ones of the new worktree. */
  readonly work?: { readonly commit: string; readonly baseCommit: string };
  /** Findings that nobody has answered: open in the new run too. */
  readonly continues?: NonNullable<PayloadOf<"BUBBLE_CREATED">["continues"]>;
  /** Where the new run begins, in a person's words. */
  readonly begins: string;
  readonly says: readonly string[];
}

interface Pinned {
  /** The newest commit of its work that git still has. */
  readonly commit: string | undefined;
  readonly tree: string | undefined;
  /** Files made on one base are not put on another: they would undo what happened there meanwhile. */
  readonly isOtherBase: boolean;
}

export function planTakeover(state: State, { commit, tree, isOtherBase }: Pinned): Takeover {
  const story = findApprovedStory(state);
  const plan = story && findPassedPlan(state);
  const work = plan && commit && !isOtherBase ? { commit, baseCommit: state.baseCommit } : undefined;
  return {
    ...(work ? { work } : {}),
    ...carryFindings(state, work ? tree : undefined),
    request: getRequestText(state),
    papers: { ...(story ? { "user-story": story } : {}), ...(plan ? { "plan-refined": plan } : {}) },
    profile: state.profile,
    begins: plan ? getCodePhase(state) : story ? "the phase plan" : "the phase requirements",
    says: [
      story ? "the approved user story is taken over" : "no user story was approved: it is asked for again",
      ...(story
        ? [plan ? "the plan that all reviewers passed is taken over" : "the plan is made again"]
        : []),
      ...describeWork(state, commit !== undefined, work !== undefined),
      ...describeCarriedFindings(state),
    ],
  };
}

/** By the name that `pipeline status` has for it; which of the two it is, is decided when the plan is adopted. */
function getCodePhase({ tasks = {} }: State): string {
  const known = ["implementing_loop", "implementing"].find((key) => tasks[key]);
  return known ? `the phase ${known}` : "the implementation";
}

/** What was found must be answered by the agent that continues and by its reviewer; `tree` is what the new run begins with. */
function carryFindings(state: State, tree: string | undefined): Pick<Takeover, "continues"> {
  const findings = listCarriedFindings(state);
  if (findings.length === 0) return {};
  return { continues: { bubble: state.bubbleId, ...(tree ? { tree } : {}), findings } };
}

function describeWork(state: State, isKept: boolean, isTaken: boolean): string[] {
  const continues = `the implementation continues from it, on the same base ${state.baseCommit.slice(0, 12)}`;
  return [...(isKept ? [describeKeptWork(state)] : []), ...(isTaken ? [continues] : [])];
}

function describeCarriedFindings(state: State): string[] {
  const ids = listCarriedFindings(state).map(({ id }) => id);
  return ids.length > 0 ? [`open findings are open in the new run: ${ids.join(", ")}`] : [];
}

/** With the signature it has: papers that a run was given carry theirs already. */
function findApprovedStory(state: State): object | undefined {
  const paper = state.papers?.["user-story"];
  if (!paper) return undefined;
  if (paper.agent === "human") return paper.value;
  const at = findStoryApproval(state, paper);
  return at === undefined ? undefined : { ...paper.value, approved_at: at, approved_by: "user" };
}

/** Behind the check that all reviewers passed stands the step that adopts its commands. */
function findPassedPlan({ papers, steps }: State): object | undefined {
  const paper = papers?.["plan-refined"];
  const adopted = steps?.adopt;
  const hasPassed = paper && (paper.agent === "human" || (adopted !== undefined && adopted.seq > paper.seq));
  return hasPassed ? paper.value : undefined;
}
