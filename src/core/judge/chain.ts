// Whose turn a step is. A chain of critics judges one tree, one after the other: each clean pass brings the next. After an
// objection the chain begins again with the first critic, or continues with the next one, as the loop says.
import type { Loop, StepOf } from "../model/program.ts";
import type { ChainProgress } from "../model/run.ts";
import type { Review } from "../model/state/evidence.ts";
import type { State } from "../model/state.ts";
import { getLoop, getTaskProgress } from "../state/workflow-position.ts";
import { listCleanPasses } from "./convergence.ts";

/** `state` stands at the step already. */
export function chooseAgent(state: State, step: StepOf<"turn">): string {
  const { chain, critic } = getLoop(state);
  const next = step.role === critic ? chain?.[getChainPosition(state) % (chain.length || 1)] : undefined;
  return next ?? state.roles[step.role] ?? step.role;
}

/** The place of the critic whose turn it is. */
export function getChainPosition(state: State): number {
  return isContinuingChain(getLoop(state))
    ? (getTaskProgress(state)?.chain?.next ?? 0)
    : listCleanPasses(state).length;
}

/** The last critic of a chain is its gate. */
export function isGateTurn(state: State): boolean {
  const { chain = [] } = getLoop(state);
  return chain.length > 0 && getChainPosition(state) % chain.length === chain.length - 1;
}

export const isContinuingChain = ({ chain_order }: Loop): boolean => chain_order === "go_on";

const unbegun: ChainProgress = { next: 0, restarts: 0, passed: {} };

/**
 * A critic of a chain that continues has spoken. An objection leads to the next critic; one of the gate, or of a critic who
 * was asked again because the gate had passed the tree, makes the chain begin again. When the gate has passed a tree, those
 * who have not are asked once more. Work that is sent elsewhere comes back as another: then all begin again.
 */
export function advanceChainProgress(
  before: ChainProgress = unbegun,
  review: Pick<Review, "clean" | "tree" | "route">,
  length: number,
): ChainProgress {
  const { next: at, restarts } = before;
  const isLast = at === length - 1;
  const { [String(at)]: _old, ...others } = before.passed;
  const passed = review.clean ? { ...others, [String(at)]: review.tree } : others;
  const gate = isLast ? { gate: review.tree } : before.gate === undefined ? {} : { gate: before.gate };
  const isSentOff = review.route !== undefined && review.route !== "fixable";
  const wantsAll = before.isRecheck === true || isLast || isSentOff;
  if (!wantsAll) return { next: at + 1, restarts, passed, ...gate };
  if (!review.clean) return { next: 0, restarts: restarts + 1, passed, ...gate };
  const missing = Array.from({ length }, (_, i) => i).filter((i) => passed[String(i)] !== review.tree);
  return { next: missing[0] ?? length, restarts, passed, isRecheck: true, ...gate };
}

/** Every critic has passed the current tree. */
export function hasChainPassed(state: State): boolean {
  const { chain = [] } = getLoop(state);
  const passed = getTaskProgress(state)?.chain?.passed ?? {};
  const tree = state.tree?.id;
  return chain.length > 0 && tree !== undefined && chain.every((_, i) => passed[String(i)] === tree);
}
