// Trees and evidence made up by chance: honest sentences and lists about what a tree holds, and the same with one lie in
// them. Whoever asks says whether the referee took it.
import type { ReviewClaim } from "../../src/core/model/command.ts";
import type { Evidence } from "../../src/core/model/review/evidence.ts";
import { collectReviewFacts, type Sources } from "../../src/core/review/facts.ts";
import type { Dice } from "./fuzz-dice.ts";
import { clean, errorSop, judging, opinion, passed } from "./integrity-scene.ts";

const names = [
  "src/cart.ts",
  "docs/my notes.md",
  "src/größe.ts",
  "app/[id]/page.tsx",
  "lib/a.b.js",
  "Makefile",
  "deep/er/in/mod_1.py",
];
const verbs = ["return", "const", "await", "throw new", "yield"];
const parts = ["total", "net.cents", "item.count", "rate", "Math.round", "this.sum", "größe", "src/x.ts"];

interface Line {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  /** How many lines the file has. */
  readonly last: number;
}

/** Files that had another name in the base. */
const earlier: Readonly<Record<string, string>> = { "lib/a.b.js": "lib/before.js" };
const inBase = (file: string) => earlier[file] ?? file;

export interface Grown {
  readonly now: Readonly<Record<string, string | null>>;
  readonly before: Readonly<Record<string, string>>;
  readonly lines: readonly Line[];
  readonly removed: readonly Line[];
}

/** A line of code that stands nowhere else. */
const codeLine = (dice: Dice, mark: string) =>
  `  ${dice.pick(verbs)} ${dice.pick(parts)}(${dice.pick(parts)}, "${mark}");`;

/**
 * A tree, and the base it comes from: kept, moved, removed, blank lines; CRLF and byte order marks; empty, binary and
 * renamed files.
 */
export function grown(dice: Dice): Grown {
  const now: Record<string, string | null> = { "empty.txt": "", "logo.png": null };
  const before: Record<string, string> = {};
  const lines: Line[] = [];
  const removed: Line[] = [];
  for (const file of names) {
    const end = dice.below(3) === 0 ? "\r\n" : "\n";
    const all = Array.from({ length: 12 + dice.below(20) }, (_, i) =>
      dice.below(5) === 0 ? "" : codeLine(dice, `${names.indexOf(file)}x${i}`),
    );
    const gone = codeLine(dice, `${names.indexOf(file)} gone`);
    const place = dice.below(all.length);
    now[file] = `${dice.below(4) === 0 ? "\uFEFF" : ""}${all.join(end)}${end}`;
    before[inBase(file)] = [...all.slice(0, place), gone, ...all.slice(place)].join("\n");
    const last = all.length;
    const called = dice.below(2) === 0 ? file : inBase(file);
    removed.push({ file: called, line: place + 1, text: gone.trim(), last });
    for (const [i, text] of all.entries())
      if (text !== "") lines.push({ file, line: i + 1, text: text.trim(), last });
  }
  return { now, before, lines, removed };
}

const forms: readonly ((line: Line) => string)[] = [
  ({ file, line, text }) => `${file}:${line} keeps it: \`${text}\``,
  ({ file, line, text }) => `\`${text}\` stands in ${file}:${line}`,
  ({ file, line }) => `${file}:${line} keeps the amounts whole`,
  ({ file, line, text }) => `${file}#L${line} has \`${text}\``,
  ({ file, line, text }) => `${file}:L${line} has \`${text}\``,
  ({ file, line, text }) => `${file} lines ${line}-${line} hold \`${text}\``,
  ({ file, line, text }) => `${file}:${line} ${text}`,
  ({ file, text }) => `${file} has \`${text}\` somewhere`,
  ({ file, line, text }) => `see \`${file}:${line}\`: \`${text}\``,
  (line) => `${line.file}:${rangeAround(line)} keep the amounts whole`,
  (line) => `${line.file} lines ${rangeAround(line)} have \`${line.text}\``,
];

/** Some lines before and behind it, as far as there are any. */
function rangeAround({ line, last }: Line): string {
  return `${Math.max(1, line - 3)}-${Math.min(last, line + 4)}`;
}

/** A quote says it, not only a line: what is removed can only be shown so. */
const quoting = [forms[0], forms[1], forms[3], forms[8]] as typeof forms;

/** True evidence about one to three lines of the tree, as a text or as a list. */
export function honestEvidence(dice: Dice, tree: Grown): string | Evidence[] {
  const chosen = Array.from({ length: 1 + dice.below(3) }, () => dice.pick(tree.lines));
  if (dice.below(4) === 0)
    return chosen.map(({ file, line, text }) => ({
      file,
      line,
      quote: text,
      why: "keeps the amounts whole",
    }));
  const said = chosen.map((line) => dice.pick(forms)(line));
  if (dice.below(3) === 0) said.push(dice.pick(quoting)(dice.pick(tree.removed)));
  return said.join("; ");
}

const lies: readonly ((line: Line, dice: Dice) => string)[] = [
  ({ file, line, text }) => `${file}:${line} keeps it: \`${text.replace('"', '"no ')}\``,
  ({ file, line }) => `${file}:${line} keeps it: \`this.never.written\``,
  ({ file, line }) => `${file}:${line} keeps it: \`assert.equal(never, written)\``,
  ({ file, line }) => `${file}:${line} return neverWritten(net);`,
  ({ file, text }) => `${file}:9000 keeps it: \`${text}\``,
  ({ file }) => `${file}:9000 keeps the amounts whole`,
  ({ file, line }) => `${file}:${line}-9000 keeps the amounts whole`,
  // The base has one line more, and the last one was kept.
  ({ file, last }) => `${file}:${last + 1} keeps the amounts whole`,
  ({ file, line, last }) => `${file}:${line}-${last + 2} keep the amounts whole`,
  ({ file, line }) => `${file}:${line + 1}-${line} keep the amounts whole`,
  ({ file, line, text }) => `${file}:${line > 6 ? 1 : line + 6} keeps it: \`${text}\``,
  ({ text }) => `src/never.ts:3 keeps it: \`${text}\``,
  ({ line, text }) => `empty.txt:${line} keeps it: \`${text}\``,
  ({ line, text }) => `logo.png:${line} keeps it: \`${text}\``,
  ({ file, text }) => `\`${text} never\` stands in ${file}`,
];

/** Honest evidence with one lie beside it, or a lie alone. */
export function lyingEvidence(dice: Dice, tree: Grown): string | Evidence[] {
  const line = dice.pick(tree.lines);
  if (dice.below(4) === 0) {
    const { file, text } = line;
    return [{ file, line: line.line > 6 ? 1 : line.line + 6, quote: text, why: "keeps the amounts whole" }];
  }
  const lie = dice.pick(lies)(line, dice);
  const truth = dice.pick(quoting)(dice.pick(tree.lines));
  return dice.below(2) === 0 ? lie : dice.below(2) === 0 ? `${truth}\n${lie}` : `${lie}\n${truth}`;
}

const scene = judging({ sops: [errorSop] });

/** The code with which the referee refuses an approval by this evidence; undefined: it takes it. */
export function refusedWith(tree: Grown, evidence: string | Evidence[]): string | undefined {
  const entry = { ...passed("money"), evidence };
  const said = { ...clean(), opinion: opinion({ sop_review: [entry] }) };
  const isFile = (word: string) => tree.now[word] !== undefined || tree.before[word] !== undefined;
  const sources: Sources = {
    tree: scene.turn.tree ?? "",
    now: (file) => tree.now[file],
    before: (file) => tree.before[inBase(file)],
    opened: () => undefined,
    isRule: () => false,
    ruleText: () => undefined,
    names: (word) => (isFile(word) ? word : undefined),
    isSop: () => true,
    matched: () => [],
  };
  const facts = collectReviewFacts(said as ReviewClaim, [], sources);
  return scene.tries(scene.pass({ ...said, facts })).decision.refusal?.code;
}
