// Ambiguity: a statement that binds somebody and uses a word nobody can measure, with no measure beside it.
import { blankNonProse, getProse, type ProseWord, shortenExcerptAt, splitProseWords } from "../inline.ts";
import type { Block } from "../markdown.ts";
import type { DocumentProblem, DocumentReading } from "../problem.ts";
import type { SectionPlace } from "../sections.ts";
import { isMeasurable } from "./measures.ts";
import { harmless, type VagueGroup, vagueGroups } from "./vague-words.ts";

const binding: readonly SectionPlace[] = ["scope", "requirements", "acceptance criteria", "rollout"];

interface Phrase {
  readonly words: readonly string[];
  /** None: the phrase is harmless. */
  readonly group: VagueGroup | undefined;
}

/** Every phrase by its first word, the longest first. */
const phrases = new Map<string, Phrase[]>();
for (const group of [...vagueGroups, undefined]) {
  for (const phrase of group?.words ?? harmless) {
    const words = phrase.split(" ");
    const [first = ""] = words;
    phrases.set(
      first,
      [...(phrases.get(first) ?? []), { words, group }].sort((a, b) => b.words.length - a.words.length),
    );
  }
}

/** The vague words of binding sections that no measure excuses. */
export function checkAmbiguity({ placed }: DocumentReading): DocumentProblem[] {
  return placed.flatMap(({ block, places }, i) => {
    const binds = places.some((place) => binding.includes(place)) && !places.includes("non-goals");
    if (!binds || block.kind === "heading" || block.kind === "code" || block.kind === "quote") return [];
    if (block.kind === "row" && block.header) return [];
    return checkBlock(block, excuseFor(listAnnounced(placed, i), places.includes("acceptance criteria")));
  });
}

/** Whether a statement may keep the vague word at a place. Its measure is looked for once, however many words it has. */
type Excuse = (statement: string) => (group: VagueGroup, at: number) => boolean;

function excuseFor(more: readonly string[], isCriterion: boolean): Excuse {
  return (statement) => {
    const measured = memoize(() => [statement, ...more].some((text) => isMeasurable(text, isCriterion)));
    return (group, at) => {
      if (group.always) return false;
      const listed = group.excusedByList && (more.length > 1 || isEnumeration(statement.slice(at, at + 300)));
      return listed || measured();
    };
  };
}

function memoize(ask: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

/** What a statement with a colon announces: the items inside it or right below it. */
function listAnnounced(placed: DocumentReading["placed"], i: number): string[] {
  const block = placed[i]?.block;
  if (block?.kind !== "item" && block?.kind !== "paragraph") return [];
  if (!/:[\s*_]*$/.test(getProse(block).text.slice(-20))) return [];
  const from = block.kind === "item" ? block.depth + 1 : 0;
  const texts: string[] = [];
  for (let n = i + 1; n < placed.length && texts.length < 50; n++) {
    const next = placed[n]?.block;
    if (next?.kind !== "item" || next.depth < from) break;
    texts.push(getProse(next).text);
  }
  return texts;
}

function checkBlock(block: Block, excuse: Excuse): DocumentProblem[] {
  const { text, lineAt } = getProse(block);
  const prose = blankNonProse(text);
  const statements =
    block.kind === "paragraph" ? listSentences(text, prose) : [{ start: 0, end: text.length }];
  return statements.flatMap(({ start, end }) => {
    const statement = text.slice(start, end);
    const isExcused = excuse(statement);
    return listVagueIn(prose.slice(start, end)).flatMap(({ said, group, at }) =>
      isExcused(group, at)
        ? []
        : [
            {
              line: lineAt(start + at),
              message: `"${said}" cannot be measured: ${shortenExcerptAt(statement, at)}`,
              hint: group.hint,
            },
          ],
    );
  });
}

/** Sentences end with a full stop before a capital, so that "etc. and" or "e.g. this" continues. */
function listSentences(text: string, prose: string): { start: number; end: number }[] {
  const sentences: { start: number; end: number }[] = [];
  let start = 0;
  for (const match of prose.matchAll(/[.!?][)*_]{0,4}\s+(?=[*_([]{0,4}[\p{Lu}\p{N}])/gu)) {
    const end = match.index + 1;
    if (/(?:^|[\s(])(?:e\.g|i\.e|vs|approx|no|incl)\.$/i.test(prose.slice(Math.max(0, end - 8), end)))
      continue;
    sentences.push({ start, end });
    start = end;
  }
  return [...sentences, { start, end: text.length }];
}

interface Vague {
  readonly said: string;
  readonly group: VagueGroup;
  readonly at: number;
}

function listVagueIn(prose: string): Vague[] {
  const words = splitProseWords(prose);
  const found: Vague[] = [];
  for (let i = 0; i < words.length; ) {
    const phrase = findPhraseAt(words, i, prose);
    const first = words[i];
    const last = words[i + (phrase?.words.length ?? 1) - 1];
    if (phrase?.group && first && last)
      found.push({
        said: prose.slice(first.start, last.end).replace(/\s+/g, " "),
        group: phrase.group,
        at: first.start,
      });
    i += phrase?.words.length ?? 1;
  }
  return found;
}

function findPhraseAt(words: readonly ProseWord[], i: number, prose: string): Phrase | undefined {
  const candidates = phrases.get(words[i]?.text.toLowerCase() ?? "");
  return candidates?.find(({ words: wanted }) =>
    wanted.every((word, n) => {
      const here = words[i + n];
      const before = words[i + n - 1];
      if (here?.text.toLowerCase() !== word) return false;
      return n === 0 || /^[\s*_-]*$/.test(prose.slice(before?.end, here.start));
    }),
  );
}

/** "several formats: CSV, JSON", "various roles (buyer, clerk)": the list says what is meant. */
function isEnumeration(behind: string): boolean {
  const open = /[:(]/.exec(behind)?.index;
  if (open === undefined) return false;
  const listed = behind.slice(open + 1);
  return /,|\band\b|\bor\b|\//.test(listed) && !/^\s*(?:e\.g|for example|such as|for instance)/i.test(listed);
}
