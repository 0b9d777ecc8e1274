// The workflow's own words for a turn, with its references filled in: what the record knows, and the texts that only
// artifacts hold (the diff). SOPs and conventions are named there and told by the referee, once and within the budget.
import { buildFacts } from "../../../core/judge/facts.ts";
import { type AssembledKnowledge, describeKnowledgeReferences } from "../../../core/knowledge/assemble.ts";
import type { Turn } from "../../../core/model/state/turn.ts";
import type { State } from "../../../core/model/state.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import { findStep, getTaskProgress } from "../../../core/state/workflow-position.ts";
import { fillText } from "../../../core/workflow/template.ts";
import type { World } from "../../world/world.ts";

/** Characters of a diff inside a prompt; the whole is a file. */
const diffRoom = 100_000;

/** Without knowledge (a blind producer) references to it are empty. */
export async function renderStepPrompt(
  world: World,
  state: State,
  turn: Turn,
  knowledge: AssembledKnowledge | undefined,
): Promise<string> {
  const step = findStep(state, turn.step);
  if (step?.kind !== "turn" || !step.prompt) return "";
  const diff = await findDiffText(world, state);
  const facts = buildFacts(state, {
    ...(diff === undefined ? {} : { diff }),
    ...(knowledge ? describeKnowledgeReferences(knowledge) : {}),
    ...readProse(state),
  });
  const { text, missing } = fillText(step.prompt, facts);
  return missing.length > 0 ? `${text}\n\n(Without a value here: ${missing.join(", ")}.)` : text;
}

async function findDiffText(world: World, { bubbleId, tree }: State): Promise<string | undefined> {
  if (!tree?.diff) return undefined;
  const bytes = await world.records.get(bubbleId, tree.diff);
  if (!bytes) return undefined;
  const text = new TextDecoder().decode(bytes);
  if (text.length <= diffRoom) return fenceDiff(text);
  return `${fenceDiff(keepStart(text, diffRoom))}\n\nThe whole diff: ${await world.records.here(bubbleId, tree.diff)}\n`;
}

/** In a code block that no line of the diff can end: its text is never a part of the prompt. */
function fenceDiff(diff: string): string {
  const longest = Math.max(2, ...[...diff.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}diff\n${diff.trimEnd()}\n${fence}`;
}

/** What the author says about its own work, only where the bubble says so. */
function readProse(state: State): { summary?: string } {
  const summary = getTaskProgress(state)?.history.at(-1)?.summary ?? state.package?.what;
  return state.config.reviewer_sees_summary && summary ? { summary } : {};
}
