// The workflow's own words for a turn, with its references filled in: what the record knows, and the texts that only
// artifacts hold (the diff, SOPs, conventions).

import type { Knowledge } from "../../core/knowledge/knowledge.ts";
import { applicable } from "../../core/knowledge/match.ts";
import { tellConvention, tellSop } from "../../core/knowledge/told.ts";
import type { State, Turn } from "../../core/model/state.ts";
import { progressOf, stepNamed } from "../../core/policy/place.ts";
import { factsOf } from "../../core/workflow/facts.ts";
import { fillText } from "../../core/workflow/template.ts";
import { subjectOf } from "../knowledge.ts";
import type { World } from "../world.ts";

/** Characters of a diff inside a prompt; the whole is a file. */
const diffRoom = 100_000;

/** Without knowledge (a blind producer) references to it are empty. */
export async function askedText(
  world: World,
  state: State,
  turn: Turn,
  knowledge: Knowledge | undefined,
): Promise<string> {
  const step = stepNamed(state, turn.step);
  if (step?.kind !== "turn" || !step.prompt) return "";
  const diff = await diffText(world, state);
  const facts = factsOf(state, {
    ...(diff === undefined ? {} : { diff }),
    ...(knowledge ? knowledgeTexts(state, knowledge) : {}),
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
  if (text.length <= diffRoom) return text;
  return `${text.slice(0, diffRoom)}\n… the whole diff: ${world.records.path(bubbleId, tree.diff)}\n`;
}

function knowledgeTexts(state: State, knowledge: Knowledge): { sops: string; conventions: string } {
  const { files } = subjectOf(state);
  return {
    sops: applicable(knowledge.sops, files).map(tellSop).join("\n\n"),
    conventions: applicable(knowledge.conventions, files).map(tellConvention).join("\n"),
  };
}

/** What the author says about its own work, only where the bubble says so. */
function prose(state: State): { summary?: string } {
  const summary = progressOf(state)?.history.at(-1)?.summary ?? state.package?.what;
  return state.config.reviewer_sees_summary && summary ? { summary } : {};
}
