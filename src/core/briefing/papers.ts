// Papers in a prompt: those that count already, whole, and the one that is judged or revised, with numbered lines.
import type { State } from "../model/state.ts";
import type { PaperValue } from "../paper/kind.ts";
import { getPaperPath, numberPaperLines, serializePaper } from "../paper/text.ts";
import { renderSection } from "./parts.ts";

/** The papers that were accepted, but for one kind; with `before` only those that came before that one. */
export function buildPaperSections(
  { papers = {} }: State,
  but: { readonly kind?: string; readonly before?: boolean } = {},
): string[] {
  const newest = but.before && but.kind ? papers[but.kind]?.seq : undefined;
  return Object.entries(papers)
    .filter(([kind, { seq }]) => kind !== but.kind && (newest === undefined || seq < newest))
    .map(([kind, { value }]) =>
      renderSection(`Paper: ${kind}`, `\`\`\`json\n${serializePaper(value)}\`\`\``),
    );
}

/** A paper with the number of each line, for an agent that has to name its places. */
export function renderNumberedPaper(kind: string, value: PaperValue): string {
  return [
    `\`${getPaperPath(kind)}\` (it is not in the worktree; the numbers and bars are not part of it):`,
    `\`\`\`\n${numberPaperLines(value)}\n\`\`\``,
  ].join("\n\n");
}

/** The paper of the tree that is judged; empty where the tree holds none. */
export function renderJudgedPaper({ tree, papers }: State): string {
  const kind = tree?.paper?.kind;
  const paper = kind === undefined ? undefined : papers?.[kind];
  if (kind === undefined || !paper) return "";
  const place = `${getPaperPath(kind)}:LINE`;
  return [
    renderNumberedPaper(kind, paper.value),
    `Name its places as \`${place}\` and quote the words that stand in that line. What it says about code is checked against the code in the worktree, whose files are named as always.`,
  ].join("\n\n");
}
