// The judge of a chain of critics that continues after an objection: whose turn is next, and when all have passed one tree.
import type { Review, State } from "../model/state.ts";
import { currentStep, loopOf } from "../state/place.ts";
import { openBlocking, openFindings } from "../state/severity.ts";
import { chainPassed, placeInChain } from "./chain.ts";
import { list, redGates } from "./convergence.ts";
import { doubtAbout } from "./doubt.ts";

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
  const red = redGates(state);
  if (red.length > 0) return { outcome: "gates", why: `gates not green on this tree: ${red.join(", ")}` };
  const doubt = doubtAbout(state);
  if (doubt) return doubt;
  if (chainPassed(state))
    return { outcome: "passed", why: `all ${loopOf(state).chain?.length} reviewers have passed this tree` };
  return isObjection(state) ? afterObjection(state) : nextCritic(state);
}

/** The newest review found something that is open still, and nobody has handed over since. */
function isObjection(state: State): boolean {
  const { reviews, tree } = state;
  const last = reviews.at(-1);
  const isNewest = last !== undefined && last.tree === tree?.id && tree.seq < last.seq;
  return isNewest && !last.clean && openFindings(state).length > 0;
}

function afterObjection(state: State): ChainJudgement {
  const last = state.reviews.at(-1);
  const open = openFindings(state);
  const said = open.length > 0 ? `: ${list(open)}` : "";
  if (last?.route !== undefined && last.route !== "fixable")
    return { outcome: wayOf(state, last.route), why: `${last.agent} says that this is ${last.route}${said}` };
  if (openBlocking(state).length > 0 && state.progress.repeats >= 2)
    return { outcome: "stuck", why: `the same findings stayed open on the same tree twice${said}` };
  return { outcome: "revise", why: `${last?.agent} wants changes${said}` };
}

/** Where the workflow has a way for it, that is taken; elsewhere a human is asked. */
function wayOf(state: State, route: NonNullable<Review["route"]>): ChainJudgement["outcome"] {
  if (route === "fixable" || route === "unknown") return "stuck";
  return currentStep(state)?.on[route] ? route : "stuck";
}

function nextCritic(state: State): ChainJudgement {
  const problem = state.tree?.context?.problem;
  if (problem) return { outcome: "stuck", why: `no reviewer can be asked: ${problem}` };
  const { chain = [], chain_names: names = [] } = loopOf(state);
  const at = placeInChain(state) % (chain.length || 1);
  const isGate = at === chain.length - 1;
  const name = names[at] ?? chain[at];
  return {
    outcome: "review",
    why: `${name} reviews (${at + 1} of ${chain.length}${isGate ? ", the gate" : ""})`,
  };
}
