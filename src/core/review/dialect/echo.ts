// Prompt echoes: what a model hands in that it was shown instead of what it thought. A form that is filled in with its
// own placeholders, or with the sentences of an example, is no review.

import { keepStart } from "../../model/value/sizes.ts";
import { exampleTexts } from "./examples.ts";
import type { Leaf } from "./texts.ts";

const placeholders = new Set([
  "...",
  "…",
  "string",
  "text",
  "boolean",
  "path",
  "path/to/file",
  "file",
  "file:line",
  "iso8601",
  "quoted text",
  "quoted evidence",
  "what you found",
  "what you did and why",
  "what you looked at",
  "why it is right",
  "why it is right now",
  "file:line why it is right",
  "the defect in one line",
  "your feedback",
  "your feedback here",
  "your summary",
  "your summary here",
  "your critique",
  "review summary here",
  "summary with specific details",
  "summary with specific, actionable details",
  "todo",
  "tbd",
  "lorem ipsum",
]);

/** Words between which prompts let a model choose. */
const choices = new Set([
  ...["go", "no_go", "approved", "rejected", "needs_changes", "needs_clarification", "true", "false", "null"],
  ...["fixable", "misscoped", "architectural", "too_big", "passed", "violated", "not_applicable"],
  ...["fixed", "open", "withdrawn", "p0", "p1", "p2", "p3", "critical", "high", "medium", "low"],
  ...["plan-reviewer", "code-reviewer", "sonnet", "opus", "codex", "string", "number", "boolean"],
  ...["completed", "needs_input", "error", "in_progress"],
]);

/** `NO_GO | GO`, `approved|needs_changes`: the choice itself instead of one of its words. */
function isChoice(said: string): boolean {
  const words = said.length <= 200 ? said.split("|").map((word) => word.trim()) : [];
  return words.length > 1 && words.every((word) => choices.has(word));
}

/** `<why it is right>`, `{{feedback}}`, `[your text]`: a blank that nobody filled in. */
const blank = /^(?:<[^<>]{1,200}>|\{\{[^{}]{1,200}\}\}|\[[^[\]]{1,200}\])$/u;

/** Where a critic speaks in its own words; elsewhere code may look like a blank. */
const ownWords = new Set(["summary", "feedback", "critique", "why", "reason", "tree"]);

/** Every text that prompts show in this dialect. The sentences are the same in all of them. */

const foldExample = (text: string) => text.trim().toLowerCase().replace(/\s+/gu, " ");
const sentences = exampleTexts.map(foldExample);

/** The texts of an answer that are copied from its prompt, each in a sentence. */
export function findEchoes(leaves: readonly Leaf[]): string[] {
  return leaves
    .filter((leaf) => !leaf.isName && isEcho(leaf))
    .map(
      ({ path, text }) =>
        `${path.join(".")}: ${JSON.stringify(keepStart(text.trim(), 80))} is copied from the prompt`,
    );
}

function isEcho({ path, text }: Leaf): boolean {
  const said = foldExample(text);
  if (placeholders.has(said) || isChoice(said)) return true;
  if (sentences.some((sentence) => said.includes(sentence))) return true;
  return ownWords.has(path.at(-1) ?? "") && blank.test(said);
}
