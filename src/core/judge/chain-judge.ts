// The judge of a chain of critics that continues after an objection: whose turn is next, and when all have passed one tree.
import type { Review } from "../model/state/evidence.ts";
import type { State } from "../model/state.ts";
import { listOpenBlocking, listOpenFindings } from "../state/severity.ts";
import { getCurrentStep, getLoop } from "../state/workflow-position.ts";
import { getChainPosition, hasChainPassed } from "./chain.ts";
import { joinWithAnd, listRedGates } from "./convergence.ts";
import { findDoubt } from "./doubt.ts";

export interface ChainJudgement {
  readonly outcome:
    | "gates"
    | "review"
    | "unsure"
    | "dispute"
    | "revise"
    | "misscoped"
    | "architectural"
    | "too_big"
    | "stuck"
    | "passed";
  readonly why: string;
}

export function judgeChain(state: State): ChainJudgement {
  const red = listRedGates(state);
  if (red.length > 0) return { outcome: "gates", why: `gates not green on this tree: ${red.join(", ")}` };
  const doubt = findDoubt(state);
  if (doubt) return doubt;
  if (hasChainPassed(state))
    return { outcome: "passed", why: `all ${getLoop(state).chain?.length} reviewers have passed this tree` };
  return isObjection(state) ? judgeObjection(state) : judgeNextCritic(state);
}

/** The newest review found something that is open still, and nobody has handed over since. */
function isObjection(state: State): boolean {
  const { reviews, tree } = state;
  const last = reviews.at(-1);
  const isNewest = last !== undefined && last.tree === tree?.id && tree.seq < last.seq;
  return isNewest && !last.clean && listOpenFindings(state).length > 0;
}

function judgeObjection(state: State): ChainJudgement {
  const last = state.reviews.at(-1);
  const open = listOpenFindings(state);
  const said = open.length > 0 ? `: ${joinWithAnd(open)}` : "";
  if (last?.route !== undefined && last.route !== "fixable")
    return {
      outcome: getWay(state, last.route),
      why: `${last.agent} says that this is ${last.route}${said}`,
    };
  if (listOpenBlocking(state).length > 0 && state.progress.repeats >= 2)
    return { outcome: "stuck", why: `the same findings stayed open on the same tree twice${said}` };
  return { outcome: "revise", why: `${last?.agent} wants changes${said}` };
}

/** Where the workflow has a way for it, that is taken; elsewhere a human is asked. */
function getWay(state: State, route: NonNullable<Review["route"]>): ChainJudgement["outcome"] {
  if (route === "fixable" || route === "unknown") return "stuck";
  return getCurrentStep(state)?.on[route] ? route : "stuck";
}

function judgeNextCritic(state: State): ChainJudgement {
  const problem = state.tree?.context?.problem;
  if (problem) return { outcome: "stuck", why: `no reviewer can be asked: ${problem}` };
  const { chain = [], chain_names: names = [] } = getLoop(state);
  const at = getChainPosition(state) % (chain.length || 1);
  const isGate = at === chain.length - 1;
  const name = names[at] ?? chain[at];
  return {
    outcome: "review",
    why: `${name} reviews (${at + 1} of ${chain.length}${isGate ? ", the gate" : ""})`,
  };
}
