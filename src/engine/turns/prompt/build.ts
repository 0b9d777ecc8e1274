// What an agent will be told, put together from the record: for the turn that starts, and for people who want to know.
import { buildPrompt, type Voice } from "../../../core/briefing/prompt.ts";
import { type BriefedSide, findBriefedSide, isMakerSide } from "../../../core/briefing/side.ts";
import { buildFacts } from "../../../core/judge/facts.ts";
import {
  type AssembledKnowledge,
  assembleKnowledge,
  describeKnowledgeReferences,
  renderAssembled,
} from "../../../core/knowledge/assemble.ts";
import { removeStandards } from "../../../core/knowledge/constitution.ts";
import type { Knowledge } from "../../../core/knowledge/knowledge.ts";
import { listNamedArtifacts } from "../../../core/model/record/named-artifacts.ts";
import type { Turn } from "../../../core/model/state/turn.ts";
import type { State } from "../../../core/model/state.ts";
import { keepStart } from "../../../core/model/value/sizes.ts";
import { findStep, getTaskProgress } from "../../../core/state/workflow-position.ts";
import { fillText } from "../../../core/workflow/template.ts";
import { Failure } from "../../../ports/failure.ts";
import { readPinnedDocument } from "../../facts/document.ts";
import { findTreeSubject, readPinnedKnowledge, readTaskText } from "../../facts/knowledge.ts";
import { getWorkspacePlace, type World } from "../../world/world.ts";

export interface PromptOptions {
  /** The session continues: it knows what it was told before. */
  readonly resumed: boolean;
  readonly voice: Voice;
  /** What changed since the last review of the session that continues. */
  readonly changes?: string;
}

/** The text of a turn's prompt. */
export async function buildTurnPrompt(
  world: World,
  state: State,
  turn: Turn,
  { resumed, voice, changes }: PromptOptions,
): Promise<string> {
  const task = await showWhereFilesAre(world, await readTaskText(world, state));
  const side = findBriefedSide(state, turn);
  const isBlind = isMakerSide(side) && state.config.review.blind;
  const knowledge = await buildKnowledge(world, state);
  const assembled = assembleFor(world, state, { knowledge, side, task });
  const asked = await renderStepPrompt(world, state, turn, isBlind ? undefined : assembled);
  const document = await readPinnedDocument(world, state);
  const named = new Set<string>();
  const text = buildPrompt(state, turn, {
    roleText: getRoleText(world, state, turn.role, side),
    task: isBlind ? removeStandards(task) : task,
    worktree: getWorkspacePlace(world, state).path,
    out: world.paths.out(getWorkspacePlace(world, state).path, turn.id),
    artifact: (name) => {
      named.add(name);
      return world.records.path(state.bubbleId, name);
    },
    voice,
    resumed,
    knowledge: describeKnowledge(assembled),
    ...(document === undefined
      ? {}
      : { document: { text: document, room: state.config.review.context_chars - assembled.size } }),
    ...(asked ? { asked } : {}),
    ...(changes ? { changes } : {}),
    ...getOwnWords(state),
  });
  // The agent reads them on this machine, whichever machine stored them.
  for (const name of named) await world.records.here(state.bubbleId, name);
  return text;
}

/** A task may name files of the bubble that it comes from; the agent reads them on this machine. */
async function showWhereFilesAre({ records }: World, task: string): Promise<string> {
  let shown = task;
  for (const { named, bubble, name } of listNamedArtifacts(task)) {
    if (await records.hash(bubble, name).catch(() => undefined))
      shown = shown.replaceAll(named, await records.here(bubble, name));
  }
  return shown;
}

/** What the producer says about its work: of this handoff, and of all of it. */
function getOwnWords({ tree, package: parts }: State): { readonly summary?: string } {
  const words = [...new Set([tree?.summary, parts?.what])].filter(Boolean);
  return words.length > 0 ? { summary: words.join("\n\n") } : {};
}

/** Roles a workflow made up are told what every role of their side is told. */
const usualRole: Readonly<Record<BriefedSide, string>> = {
  producer: "implementer",
  author: "planner",
  critic: "reviewer",
  judge: "judge",
};

/** Texts for authors of papers: a role of the same name that makes files is told what its side is told. */
const authors = new Set(["requirements-gatherer", "planner", "architect"]);

/** A document's author and reviewer have texts of their own. */
function getRoleText(world: World, state: State, role: string, side: BriefedSide): string {
  if (side !== "author" && authors.has(role)) return world.roleText(usualRole[side]);
  const own = state.config.kind === "document" ? world.roleText(`document-${role}`) : "";
  return own || world.roleText(role) || world.roleText(usualRole[side]);
}

/** No turn starts without the knowledge it should have been told. */
async function buildKnowledge(world: World, state: State): Promise<Knowledge> {
  const read = await readPinnedKnowledge(world, state);
  if (read.ok) return read.knowledge;
  const { code, message, hint } = read.refusal;
  throw new Failure(code, message, hint ? { hint } : {});
}

interface Told {
  readonly knowledge: Knowledge;
  readonly side: BriefedSide;
  readonly task: string;
}

function assembleFor(world: World, state: State, { knowledge, side, task }: Told): AssembledKnowledge {
  return assembleKnowledge(knowledge, {
    ...findTreeSubject(state),
    side: isMakerSide(side) ? "producer" : "critic",
    blind: state.config.review.blind,
    task,
    priorDecisions: listPriorDecisions(state),
    budget: state.config.review.context_chars,
    hash: world.hash.sha256,
  });
}

const describeKnowledge = (assembled: AssembledKnowledge): string =>
  [renderAssembled(assembled), renderLeftOut(assembled.notes)].filter(Boolean).join("\n\n");

/** What had no room is named, so that nobody takes what is told for all there is. */
const renderLeftOut = (notes: readonly string[]) =>
  notes.length > 0 ? `## Not told here\n\n${notes.map((note) => `- ${note}`).join("\n")}` : "";

/** What people decided about this task so far: waived findings and gates, disputes settled. */
function listPriorDecisions(state: State): string[] {
  const findings = state.findings.flatMap(({ id, title, status, closedBecause, dispute }) => {
    if (status === "waived") return [`${id} ${title}: waived (${closedBecause ?? "no reason kept"})`];
    return dispute?.settled ? [`${id} ${title}: upheld; it cannot be disputed again`] : [];
  });
  const gates = Object.entries(state.gateWaivers ?? {}).map(
    ([name, reason]) => `gate ${name} waived: ${reason}`,
  );
  return [...findings, ...gates];
}

/** Characters of a diff inside a prompt; the whole is a file. */
const diffRoom = 100_000;

/** The workflow's own words for the turn, its references filled in. Without knowledge (a blind producer) those to it are empty. */
async function renderStepPrompt(
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
