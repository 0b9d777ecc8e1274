// What one agent is told of the project's knowledge about the files in question. SOPs first and whole or not at all, then
// what a human decided about this task, then conventions; what has no room is left out whole, and named.
import type { TreeContext } from "../model/record/payloads/parts.ts";
import { clip } from "../model/value/sizes.ts";
import { isStandards, mergeConstitution } from "./constitution.ts";
import type { Convention } from "./conventions.ts";
import type { Knowledge } from "./knowledge.ts";
import { couldApply, selectApplicable } from "./match.ts";
import { tellArticle, tellConvention, tellDecision, tellSop } from "./render.ts";
import type { Side } from "./side.ts";
import type { Sop } from "./sop.ts";

export interface KnowledgeQuery {
  /** The changed files, as git lists them; of a rename both names. */
  readonly files: readonly string[];
  /**
   * Instead of changed files, what a paper names: its judge is told what holds there, and answers for none of it,
   * because nothing is done yet that could keep or break a rule.
   */
  readonly named?: readonly string[];
  readonly side: Side;
  /** The producer is told neither SOPs nor what reviewers judge by. */
  readonly blind: boolean;
  /** The task's text: it may have sections of a constitution. */
  readonly task: string;
  /** What a human said about this task, oldest first. */
  readonly priorDecisions: readonly string[];
  /** Characters of SOPs, prior decisions and conventions. */
  readonly budget: number;
  readonly hash: (text: string) => string;
}

export interface ToldSection {
  /** What it holds, where a workflow's own words may refer to it. */
  readonly holds?: "sops" | "conventions";
  readonly title: string;
  readonly body: string;
}

export interface AssembledKnowledge {
  /** For the prompt, in this order; empty when there is nothing to tell. */
  readonly sections: readonly ToldSection[];
  /** What the tree's critic must answer for, whatever is told now. */
  readonly context: TreeContext;
  /** Characters of the budget that are used. */
  readonly size: number;
  /** What was left out, by name. */
  readonly notes: readonly string[];
  /** Why no reviewer can be asked about this tree. */
  readonly problem?: string;
  readonly too_big?: true;
}

/** Puts together what an agent on one side is told; the same values always give the same text. */
export function assembleKnowledge(knowledge: Knowledge, asked: KnowledgeQuery): AssembledKnowledge {
  const found = buildFindings(knowledge, asked);
  const context = buildContext(asked.named ? { ...found, sops: [] } : found, asked);
  const isCritic = asked.side === "critic";
  const constitution = listSection("Constitution", found.articles.join("\n\n"));
  if (!isCritic && asked.blind) return { sections: constitution, context, size: 0, notes: [] };
  if (asked.named) return assembleForPaper(found, asked, { constitution, context });
  if (context.problem) {
    const notes = [`left out: all ${found.sops.length} SOPs, which are told whole or not at all`];
    const told = { sections: constitution, context, size: 0, notes };
    if (!isCritic) return told;
    return { ...told, problem: context.problem, too_big: true };
  }
  const { decisions, conventions, size, notes } = fitBudget(found, asked);
  return {
    sections: [
      ...constitution,
      ...listSection(
        isCritic ? "SOPs you must answer for" : "SOPs that reviewers check",
        tellSops(found.sops),
        "sops",
      ),
      ...listSection("Decided by a human before", decisions.join("\n")),
      ...listSection(
        isCritic ? "Conventions of this project" : "Conventions that reviewers know",
        conventions.join("\n"),
        "conventions",
      ),
    ],
    context,
    size,
    notes,
  };
}

/** What a paper's critic is told. Rules without room are left out and named: nobody has to answer for them here. */
function assembleForPaper(
  found: Found,
  asked: KnowledgeQuery,
  known: { readonly constitution: readonly ToldSection[]; readonly context: TreeContext },
): AssembledKnowledge {
  const hasRoom = tellSops(found.sops).length <= asked.budget;
  const sops = hasRoom ? found.sops : [];
  const { decisions, conventions, size, notes } = fitBudget({ ...found, sops }, asked);
  const rules = sops.length > 0 ? `${forJudging}\n\n${tellSops(sops)}` : "";
  const left = `left out for lack of room: all ${found.sops.length} SOPs for the files that the paper names`;
  return {
    sections: [
      ...known.constitution,
      ...listSection("SOPs for the files that the paper names", rules, "sops"),
      ...listSection("Decided by a human before", decisions.join("\n")),
      ...listSection("Conventions for the files that the paper names", conventions.join("\n"), "conventions"),
    ],
    context: known.context,
    size,
    notes: [...(hasRoom ? [] : [left]), ...notes],
  };
}

const forJudging =
  "Work by this paper will be reviewed by these rules. Object to what cannot be done without breaking one; no rule needs an entry of its own here, because nothing is done yet.";

/**
 * What a reference to SOPs or conventions in a workflow's own prompt stands for: where they are told. Their words are told once,
 * in the sections above, whatever a prompt refers to and however often, so that the budget holds.
 */
export function describeKnowledgeReferences({ sections, context }: AssembledKnowledge): {
  readonly sops: string;
  readonly conventions: string;
} {
  const titleOf = (holds: ToldSection["holds"]) => sections.find((one) => one.holds === holds)?.title;
  const below = (title: string | undefined) => (title ? `told under "${title}" below` : "none");
  const ids = context.sops.map(({ id }) => id).join(", ");
  const sops = below(titleOf("sops"));
  return {
    sops: ids && titleOf("sops") ? `${ids}: ${sops}` : sops,
    conventions: below(titleOf("conventions")),
  };
}

/** The sections as one Markdown text. */
export function renderAssembled({ sections }: Pick<AssembledKnowledge, "sections">): string {
  return sections.map(({ title, body }) => `## ${title}\n\n${body}`).join("\n\n");
}

interface Found {
  /** The constitution as the asking side may know it, and as critics know it. */
  readonly articles: readonly string[];
  readonly forCritics: readonly string[];
  readonly sops: readonly Sop[];
  readonly conventions: readonly Convention[];
}

function buildFindings(knowledge: Knowledge, { files, named, side, blind, task }: KnowledgeQuery): Found {
  const articles = mergeConstitution(knowledge.constitution, { files: named ?? files, task });
  const aimed = <T extends { readonly applies_to: readonly string[] }>(entries: readonly T[]): T[] =>
    named ? couldApply(entries, named) : selectApplicable(entries, files);
  const open = articles.filter(({ name }) => side === "critic" || !blind || !isStandards(name));
  return {
    articles: open.map(tellArticle),
    forCritics: articles.map(tellArticle),
    sops: aimed(knowledge.sops),
    conventions: aimed(knowledge.conventions),
  };
}

const tellSops = (sops: readonly Sop[]): string => sops.map(tellSop).join("\n\n");

/** Prior decisions come and go while a tree is reviewed, so they are no part of the digest. */
function buildContext(
  { forCritics, sops, conventions }: Found,
  { budget, hash }: KnowledgeQuery,
): TreeContext {
  const size = tellSops(sops).length;
  const everything = [...forCritics, tellSops(sops), ...conventions.map(tellConvention)].join("\n\n");
  const problem = size > budget ? { problem: describeTooBig(sops, size, budget) } : {};
  return { sops: sops.map(({ id, severity }) => ({ id, severity })), digest: hash(everything), ...problem };
}

function describeTooBig(sops: readonly Sop[], size: number, budget: number): string {
  const longest = [...sops].sort((a, b) => b.body.length - a.body.length).slice(0, 3);
  const names = longest.map(({ id, body }) => `${id} (${body.length})`).join(", ");
  const bound = `review.context_chars is ${budget}`;
  return clip(
    `the ${sops.length} SOPs that apply have ${size} characters and ${bound}; the longest: ${names}`,
    1000,
  );
}

/** Conventions go first, the oldest consent first; then decisions, the oldest first. */
function fitBudget({ sops, conventions }: Found, { priorDecisions, budget }: KnowledgeQuery) {
  const byAge = [...conventions].sort((a, b) =>
    a.accepted_at < b.accepted_at ? -1 : a.accepted_at > b.accepted_at ? 1 : 0,
  );
  const room = budget - tellSops(sops).length;
  const decisions = keepNewestFitting(
    priorDecisions.map((words) => ({ name: shortenWords(words), text: tellDecision(words) })),
    room,
  );
  const kept = keepNewestFitting(
    byAge.map((one) => ({ name: one.name, text: tellConvention(one) })),
    room - decisions.size,
  );
  return {
    decisions: decisions.kept,
    conventions: kept.kept,
    size: tellSops(sops).length + decisions.size + kept.size,
    notes: [
      ...decisions.left.map((name) => `left out for lack of room: the decision ${JSON.stringify(name)}`),
      ...kept.left.map((name) => `left out for lack of room: the convention ${JSON.stringify(name)}`),
    ],
  };
}

const shortenWords = (words: string): string => {
  const line = words.replace(/\s+/g, " ").trim();
  return clip(line, 80);
};

const listSection = (title: string, body: string, holds?: ToldSection["holds"]): ToldSection[] =>
  body === "" ? [] : [{ title, body, ...(holds ? { holds } : {}) }];

// Keeping what there is room for: whole entries, and the oldest go first.
interface Entry {
  readonly name: string;
  readonly text: string;
}

interface FittingEntries {
  readonly kept: readonly string[];
  /** Names of what was left out. */
  readonly left: readonly string[];
  readonly size: number;
}

/** The newest entries that fit together, still oldest first. Entries are given oldest first. */
function keepNewestFitting(entries: readonly Entry[], room: number): FittingEntries {
  let from = entries.length;
  let size = 0;
  for (const { text } of [...entries].reverse()) {
    if (size + text.length + 1 > room) break;
    size += text.length + 1;
    from--;
  }
  return {
    kept: entries.slice(from).map(({ text }) => text),
    left: entries.slice(0, from).map(({ name }) => name),
    size,
  };
}
