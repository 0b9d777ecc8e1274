// The judge: what follows from the facts after gates and reviews. Used both to route the loop and to check an
// agent's claim that the work has converged, so that the two can never disagree.
import { listMissingPackageParts } from "../model/record/package.ts";
import type { Finding } from "../model/review/finding.ts";
import type { GatesEvidence, Review } from "../model/state/evidence.ts";
import type { State } from "../model/state.ts";
import { listUpheldDisputes } from "../review/findings/ledger.ts";
import { listLoopAgents, listPastCritics } from "../state/roles.ts";
import { listOpenBlocking, listOpenFindings, listOpenMinor } from "../state/severity.ts";
import { getLoop } from "../state/workflow-position.ts";

export type JudgeResult =
  | "gates"
  | "review"
  | "dispute"
  | "unsure"
  | "revise"
  | "stuck"
  | "tie_break"
  | "swap"
  | "package"
  | "converged";

export interface LoopJudgement {
  readonly outcome: JudgeResult;
  readonly why: string;
}

export function joinWithAnd(findings: readonly Finding[]): string {
  return findings.map((finding) => `${finding.id} (${finding.severity}, ${finding.title})`).join("; ");
}

const getName = ({ name }: { name: string }) => name;

/** The gate results that count now: for this tree, not void, and with this commit message where a hook judged it. */
export function findValidGateEvidence(state: State): GatesEvidence | undefined {
  const evidence = state.gates;
  if (!evidence || evidence.void || evidence.again || evidence.tree !== state.tree?.id) return undefined;
  const judged = evidence.commitMessage;
  return judged === undefined || judged === (state.package?.commit_message ?? "") ? evidence : undefined;
}

/** A human signed for it: at a question, or by name. */
export function isWaived(state: Pick<State, "waivedGates" | "gateWaivers">, name: string): boolean {
  return state.waivedGates.includes(name) || state.gateWaivers?.[name] !== undefined;
}

/** Passed, or none of the files it looks at changed. */
export const isGreen = (result: { status: string }) =>
  result.status === "passed" || result.status === "skipped";

/** Required gates that are not green on the current tree, waived ones left out. No command judges a paper. */
export function listRedGates(state: State): string[] {
  if (state.tree?.paper) return [];
  const evidence = findValidGateEvidence(state);
  const required = state.profile.gates.filter((gate) => gate.required && !isWaived(state, gate.name));
  if (!evidence)
    return state.gates?.commitMessage === undefined || isWaived(state, "hook:commit-msg")
      ? required.map(getName)
      : [...required.map(getName), "hook:commit-msg"];
  const passed = new Set(evidence.results.filter(isGreen).map((result) => result.name));
  const hooks = evidence.results.filter(
    (result) => result.required && !required.some((gate) => gate.name === result.name),
  );
  const redHooks = hooks.filter((result) => !isGreen(result) && !isWaived(state, result.name));
  return [
    ...required.map((gate) => gate.name).filter((name) => !passed.has(name)),
    ...redHooks.map((result) => result.name),
  ];
}

/** A test profile counts when a human confirmed it: commands, or an explicit "not available". */
export function checkProfile(state: State): string | undefined {
  if (!state.profile.confirmed) return "the test profile was never confirmed by a human";
  if (state.profile.gates.length === 0 && !state.profile.not_available)
    return "there is no test command and nobody said why";
  return undefined;
}

/** The clean passes at the end of the list, on the current tree, each by another agent where two exist. */
export function listCleanPasses(state: State): Review[] {
  const onTree = state.reviews.filter((review) => review.tree === state.tree?.id);
  const trailing: Review[] = [];
  for (const review of [...onTree].reverse()) {
    if (!review.clean) break;
    trailing.unshift(review);
  }
  if (listLoopAgents(state).length < 2 || getLoop(state).role_switch !== "before_convergence")
    return trailing;
  return trailing.filter((review, i) => trailing.findIndex((other) => other.agent === review.agent) === i);
}

/** A producer handed over after the last review, and not merely the missing explanation of a tree already found clean. */
export function isReviewNeeded(state: State): boolean {
  const last = state.reviews.at(-1);
  if (!last || last.tree !== state.tree?.id) return true;
  const handedOverSince = state.tree.seq > last.seq;
  return handedOverSince && !(last.clean && listOpenFindings(state).length === 0);
}

const routes = {
  misscoped: "misscoped: the boundaries of the task are wrong",
  architectural: "architectural: the design is wrong",
  too_big: "too big: it should be several tasks",
  unknown: "nothing the producer can fix",
} as const;

/** No critic is asked without what it must answer for. */
function mayBeReviewed({ tree }: State): LoopJudgement {
  const problem = tree?.context?.problem;
  return problem
    ? { outcome: "stuck", why: `no reviewer can be asked: ${problem}` }
    : { outcome: "review", why: "gates are green; this tree has no review yet" };
}

/** What the loop does next, and the sentence `explain` gives for it. */
export function judge(state: State): LoopJudgement {
  const red = listRedGates(state);
  if (red.length > 0) return { outcome: "gates", why: `gates not green on this tree: ${red.join(", ")}` };
  if (isReviewNeeded(state)) return mayBeReviewed(state);
  const last = state.reviews.at(-1);
  if (last?.unsure !== undefined && !last.trusted)
    return {
      outcome: "unsure",
      why: `${last.agent} is only ${Math.round(last.unsure * 100)} % sure of its review (${Math.round(state.config.review.min_confidence * 100)} % are asked for)`,
    };
  const upheld = listUpheldDisputes(state.findings);
  if (upheld.length > 0)
    return {
      outcome: "dispute",
      why: `the reviewer upheld what the producer disputes: ${joinWithAnd(upheld)}`,
    };
  // Who rejects in so many words sends it back, however small what it found is.
  const blocking = last?.rejects ? listOpenFindings(state) : listOpenBlocking(state);
  if (blocking.length > 0) {
    if (last?.route !== undefined && last.route !== "fixable")
      return {
        outcome: "stuck",
        why: `${last.agent} says that this is ${routes[last.route]}: ${joinWithAnd(blocking)}`,
      };
    if (state.progress.repeats >= 2)
      return {
        outcome: "stuck",
        why: `the same findings stayed open on the same tree twice: ${joinWithAnd(blocking)}`,
      };
    return {
      outcome: "revise",
      why: `${joinWithAnd(blocking)} ${blocking.length === 1 ? "is" : "are"} open`,
    };
  }
  const minor = listOpenMinor(state);
  if (minor.length > 0)
    return { outcome: "tie_break", why: `only P2/P3 outside core are open: ${joinWithAnd(minor)}` };
  return judgeCleanTree(state);
}

/** Who has to review the tree as well; with one agent there is nobody else. */
function findNextReviewer(state: State): string {
  const passed = listCleanPasses(state).map(({ agent }) => agent);
  const others = listLoopAgents(state).filter((agent) => !passed.includes(agent));
  return others.length > 0
    ? `${others.join(" or ")} must review this tree too`
    : `${passed[0] ?? "the same agent"} must review this tree once more: there is no other agent`;
}

function judgeCleanTree(state: State): LoopJudgement {
  const { clean_passes: wanted, role_switch: roleSwitch, critic } = getLoop(state);
  const clean = listCleanPasses(state);
  if (clean.length < wanted) {
    if (clean.length > 0 && roleSwitch === "before_convergence")
      return {
        outcome: "swap",
        why: `${clean.at(-1)?.agent} found nothing (${clean.length} of ${wanted} clean passes); ${findNextReviewer(state)}`,
      };
    return {
      outcome: "review",
      why: `${clean.length} of ${wanted} clean passes on this tree; ${state.roles[critic ?? ""] ?? "the reviewer"} reviews`,
    };
  }
  const missing = listMissingPackageParts(state.package);
  if (missing.length > 0) return { outcome: "package", why: `the package lacks: ${missing.join(", ")}` };
  const profile = checkProfile(state);
  if (profile)
    return { outcome: "stuck", why: `nothing converges without a validated test profile: ${profile}` };
  const who = clean.map((review) => `${review.agent} ${review.seq}`).join(", ");
  return {
    outcome: "converged",
    why: `${wanted === 1 ? "one clean pass" : `${wanted} clean passes`} (${who}) on one tree, gates green on it, package complete, no open question`,
  };
}

/** Everything that still stands between this state and convergence, one sentence each; empty when nothing does. */
export function checkConvergence(state: State): string[] {
  const problems: string[] = [];
  const loop = getLoop(state);
  const profile = checkProfile(state);
  if (profile) problems.push(profile);
  for (const finding of listOpenFindings(state)) {
    problems.push(
      `open finding ${finding.id} ${finding.severity} ${finding.title}${finding.file ? `  ${finding.file}${finding.line ? `:${finding.line}` : ""}` : ""}`,
    );
  }
  const clean = listCleanPasses(state).length;
  if (clean < loop.clean_passes)
    problems.push(
      `${clean} of ${loop.clean_passes} clean passes on this tree${clean > 0 ? `; ${findNextReviewer(state)}` : ""}`,
    );
  if (
    loop.role_switch === "before_convergence" &&
    listLoopAgents(state).length > 1 &&
    listPastCritics(state).length < 2
  )
    problems.push("no reviewer-role alternation yet: round_role_history knows only one reviewer");
  const red = listRedGates(state);
  if (red.length > 0) problems.push(`gates not green on this tree: ${red.join(", ")}`);
  const missing = listMissingPackageParts(state.package);
  if (missing.length > 0) problems.push(`the producer's package lacks: ${missing.join(", ")}`);
  if (state.questions.length > 0) problems.push(`unanswered question ${state.questions[0]?.id}`);
  return problems;
}
