// Which bubble is meant when none is named: the only one that suits the command, or the only one there is. For a look
// also the only one that waits; what changes something is never guessed from that.

import type { Lifecycle } from "../../model/state.ts";

/** What is known of a bubble before it is chosen; its state is null when its record cannot be read. */
export interface Candidate {
  readonly id: string;
  readonly state: string | null;
  readonly inbox: number;
  readonly title: string;
  /** It works on a part of another one's run. */
  readonly isChild: boolean;
}

export interface ChoiceQuery {
  /** The states in which the command makes sense; any if left out. */
  readonly suits?: readonly Lifecycle[];
  /** The command only looks. */
  readonly looks: boolean;
}

/** The bubble and why it is the one; or those among which a person must choose. */
export type Choice =
  | { readonly id: string; readonly because: string }
  | { readonly id?: undefined; readonly among: readonly Candidate[]; readonly problem: string };

/** The problem where several suit. */
export const whichBubble = "which bubble?";

const ended = new Set(["DONE", "FAILED", "CANCELLED"]);

export function chooseBubble(bubbles: readonly Candidate[], { suits, looks }: ChoiceQuery): Choice {
  const open = bubbles.filter(({ state }) => !ended.has(state ?? ""));
  const own = open.filter(({ isChild }) => !isChild);
  if (suits) {
    const fitting = bubbles.filter(({ state }) => suits.some((one) => one === state));
    const [first] = fitting;
    if (first) return takeOnly(fitting, `the only bubble that is ${first.state}`);
  }
  // What the command cannot be used on now is chosen only to be told why.
  if (own[0] && own.length === 1) return { id: own[0].id, because: "the only bubble that has not ended" };
  if (suits && open.length > 0) return { among: open, problem: `no bubble is ${suits.join(" or ")}` };
  if (open.length === 0) return takeOnly(bubbles, "the only bubble");
  const waiting = open.filter(({ inbox }) => inbox > 0);
  if (looks && waiting.length === 1) return takeOnly(waiting, "the only bubble that waits for you");
  return { among: [...waiting, ...open.filter(({ inbox }) => inbox === 0)], problem: whichBubble };
}

function takeOnly(bubbles: readonly Candidate[], because: string): Choice {
  const [first] = bubbles;
  return first && bubbles.length === 1 ? { id: first.id, because } : { among: bubbles, problem: whichBubble };
}
