// What the state of a bubble says about papers: which one the current turn hands in, and what it is checked against.
import type { State } from "../model/state.ts";
import { getCurrentStep } from "../state/workflow-position.ts";
import type { PaperContext, PaperKind } from "./kind.ts";
import { findPaperKind } from "./kinds.ts";

export function buildPaperContext({ papers = {}, program, profile }: State, at: string): PaperContext {
  return {
    at,
    papers: Object.fromEntries(Object.entries(papers).map(([kind, { value }]) => [kind, value])),
    payload: program.payload ?? {},
    gates: profile.gates,
  };
}

/** The kind of paper that the current turn hands in; undefined: it hands in something else. */
export function findAskedPaper(state: Pick<State, "program" | "position">): PaperKind | undefined {
  const step = getCurrentStep(state);
  return step?.kind === "turn" && step.answer === "paper" ? findPaperKind(step.paper) : undefined;
}
