// Other bubbles of the same repository, as far as one bubble starts and supervises them: children that work at the same time, and
// workflows that it starts and leaves to themselves.

import type { Child } from "../core/model/program.ts";
import type { PayloadOf } from "../core/model/record/envelope.ts";
import type { State } from "../core/model/state.ts";

/** A bubble, or why there can be none. */
export type MadeBubble = { readonly bubble: string } | { readonly problem: string };

/**
 * C1 whatever is done twice is done once: a child, a started workflow, a report
 * C2 nothing here waits for an agent
 */
export interface Siblings {
  /** Makes the child's bubble from this commit, or finds the one that was made and not started yet. */
  child(parent: State, child: Child, from: string): Promise<MadeBubble>;
  /**
   * Lets a bubble continue as far as it can without a human: it is started if it was not, and gets a driver if it has none. A
   * child that has ended reports to its parent.
   */
  keepGoing(bubble: string): Promise<"going" | "started" | "waiting" | "ended" | "gone">;
  /** Pauses a bubble with the one above it, and those that work for it. */
  pause(
    bubble: string,
    how: { readonly parent: string; readonly message: string; readonly now: boolean },
  ): Promise<void>;
  /** Ends the pause that came with the one above it, and lets it continue; any other pause stays. */
  resume(bubble: string, parent: string): Promise<void>;
  /** Can nothing happen with it without a human? */
  rests(bubble: string): Promise<boolean>;
  /** Ends a bubble for good; a child reports that to its parent. */
  stop(bubble: string, reason: string): Promise<void>;
  /** Tells the parent the result of its child, and makes sure that a driver acts on it. */
  report(child: State, report: PayloadOf<"CHILD_REPORTED">): Promise<void>;
  /**
   * Makes and starts a bubble of another workflow that nobody waits for. `reason` tells one wish of a bubble from its
   * others: the same one again is the same bubble.
   */
  start(
    parent: State,
    wish: {
      readonly workflow: string;
      readonly payload: Readonly<Record<string, unknown>>;
      readonly reason: string;
    },
  ): Promise<MadeBubble>;
}
