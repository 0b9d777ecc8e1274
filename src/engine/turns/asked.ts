// The workflow's own words for a turn, with its references filled in: what the record knows, and the texts that only
// artifacts hold (the diff). SOPs and conventions are named there and told by the referee, once and within the budget.

import { factsOf } from "../../core/judge/facts.ts";
import { type Assembled, referredKnowledge } from "../../core/knowledge/assemble.ts";
import { keepStart } from "../../core/model/sizes.ts";
import type { State, Turn } from "../../core/model/state.ts";
import { progressOf, stepNamed } from "../../core/state/place.ts";
import { fillText } from "../../core/workflow/template.ts";
import type { World } from "../world/world.ts";

/** Characters of a diff inside a prompt; the whole is a file. */
const diffRoom = 100_000;

/** Without knowledge (a blind producer) references to it are empty. */
export async function askedText(
  world: World,
  state: State,
  turn: Turn,
  knowledge: Assembled | undefined,
): Promise<string> {
  const step = stepNamed(state, turn.step);
  if (step?.kind !== "turn" || !step.prompt) return "";
  const diff = await diffText(world, state);
  const facts = factsOf(state, {
    ...(diff === undefined ? {} : { diff }),
    ...(knowledge ? referredKnowledge(knowledge) : {}),
    ...prose(state),
  });
  const { text, missing } = fillText(step.prompt, facts);
  return missing.length > 0 ? `${text}\n\n(Without a value here: ${missing.join(", ")}.)` : text;
}

async function diffText(world: World, { bubbleId, tree }: State): Promise<string | undefined> {
  if (!tree?.diff) return undefined;
  const bytes = await world.records.get(bubbleId, tree.diff);
  if (!bytes) return undefined;
  const text = new TextDecoder().decode(bytes);
  if (text.length <= diffRoom) return fenced(text);
  return `${fenced(keepStart(text, diffRoom))}\n\nThe whole diff: ${world.records.path(bubbleId, tree.diff)}\n`;
}

/** In a code block that no line of the diff can end: its text is never a part of the prompt. */
function fenced(diff: string): string {
  const longest = Math.max(2, ...[...diff.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`;
}

/** What the author says about its own work, only where the bubble says so. */
function prose(state: State): { summary?: string } {
  const summary = progressOf(state)?.history.at(-1)?.summary ?? state.package?.what;
  return state.config.reviewer_sees_summary && summary ? { summary } : {};
}
