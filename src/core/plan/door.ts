// The three ways to have something done, and which of them a sentence asks for. Data and one rule: README, help and
// `pairflow new` say the same.

export const doorNames = ["bubble", "auto", "pipeline"] as const;
export type DoorName = (typeof doorNames)[number];

export interface Door {
  /** What a person types instead of `pairflow new`. */
  readonly command: string;
  /** When to take it. */
  readonly when: string;
  /** What happens, in the order in which it does. */
  readonly does: string;
  /** What is asked of a person where nothing goes wrong. */
  readonly asks: string;
  /** Turns of agents where nothing goes wrong; each takes minutes. */
  readonly turns: string;
}

export const doors: Readonly<Record<DoorName, Door>> = {
  bubble: {
    command: 'pairflow create "…", pairflow start',
    when: "one change that one reviewer can hold in the head: a bug, a function, a test",
    does: "one agent implements, the other attacks; one commit",
    asks: "one approval",
    turns: "3 to 8",
  },
  auto: {
    command: 'pairflow auto "…"',
    when: "several changes that belong together, and somebody has to plan them",
    does: "a plan that was attacked, tasks, a bubble for each; one commit",
    asks: "one approval",
    turns: "10 to 40",
  },
  pipeline: {
    command: 'pairflow pipeline "…"',
    when: "the wish itself is unclear or must be on paper: requirements, plan, reviews",
    does: "user story, plan and code, each reviewed by others; one commit",
    asks: "the user story, then one approval",
    turns: "10 to 30",
  },
};

export interface DoorChoice {
  readonly door: DoorName;
  /** Why, as half a sentence. */
  readonly because: string;
}

const paperWords = /\b(requirements?|specifications?|user stor(?:y|ies)|prd|compliance|stakeholders?)\b/iu;
const largeWords =
  /\b(migrat\w*|rewrit\w*|redesign\w*|overhaul\w*|re-?architect\w*|modulari[sz]\w*|everywhere|across|throughout|end[- ]to[- ]end|whole|entire)\b/iu;
const listItem = /^\s*(?:[-*•]|\d+[.)])\s+\S/u;
const longText = 60;
const manyItems = 3;

/** A proposal, never a decision: a person sees the reason and may take another door. */
export function proposeDoor(text: string): DoorChoice {
  const paper = paperWords.exec(text)?.[0];
  if (paper) return { door: "pipeline", because: `it speaks of "${paper}"` };
  const items = text.split("\n").filter((line) => listItem.test(line)).length;
  if (items >= manyItems) return { door: "auto", because: `it lists ${items} things` };
  const large = largeWords.exec(text)?.[0];
  if (large) return { door: "auto", because: `"${large}" is seldom one change` };
  const words = text.split(/\s+/u).filter(Boolean).length;
  if (words > longText) return { door: "auto", because: `it takes ${words} words to say` };
  return { door: "bubble", because: "it reads as one change" };
}
