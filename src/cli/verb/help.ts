// Help texts, made from the declarations of the verbs: one verb, the verbs of one word, or all of them by topic.
import { wrap } from "../terminal/style.ts";
import { type Flag, getTaken, type Verb } from "./declaration.ts";
import { common } from "./parse.ts";

export function renderHelp(verb: Verb, width: number): string {
  const flags = Object.entries({ ...verb.flags, ...common });
  const left = ([name, flag]: (typeof flags)[number]) =>
    `--${name}${flag.kind === "switch" ? "" : ` ${flag.value ?? "…"}`}`;
  const rows = flags.map((entry) => [left(entry), describeFlag(entry[1])] as const);
  const example = verb.example ? `\nExample: ${verb.example}\n` : "";
  const usage = `Usage: ${["pairflow", verb.words, getTaken(verb), "[flags]"].filter(Boolean).join(" ")}`;
  const also = verb.also ? `\nAlso: ${verb.also.map((words) => `pairflow ${words}`).join(", ")}` : "";
  const notes = verb.notes ? `\n${verb.notes.map((line) => wrap(line, width, noteIndent)).join("\n")}\n` : "";
  return `${wrap(verb.about, width)}\n\n${usage}${also}\n\n${renderTwoColumns(rows, width)}\n${example}${notes}`;
}

/** Notes are labelled lines: what is long continues below the text, not below its label. */
const noteIndent = 13;

function describeFlag({ about, required, kind, oneOf }: Flag): string {
  const marks = [
    required ? "required" : "",
    kind === "list" ? "repeatable" : "",
    oneOf ? oneOf.join(" | ") : "",
  ].filter(Boolean);
  return marks.length > 0 ? `${about} (${marks.join("; ")})` : about;
}

type Row = readonly [left: string, right: string];
const widestLeft = 34;
const getEdge = (rows: readonly Row[]) =>
  Math.min(widestLeft, Math.max(...rows.map(([left]) => left.length)));

/** What to type on the left, what it does on the right; what is long continues below itself. */
function renderTwoColumns(rows: readonly Row[], width: number, edge = getEdge(rows)): string {
  const indent = edge + 4;
  return rows
    .map(([left, right]) => {
      const isLong = left.length > edge;
      const line = isLong ? `${" ".repeat(indent)}${right}` : `  ${left.padEnd(edge)}  ${right}`;
      return `${isLong ? `  ${left}\n` : ""}${wrap(line, width, indent)}`;
    })
    .join("\n");
}

const isListed = (verb: Verb): boolean => !verb.hidden && !verb.about.startsWith("Deprecated");
const renderRows = (verbs: readonly Verb[]) => verbs.map((verb) => [verb.words, verb.about] as const);

/** `pairflow bubble --help`: every command that begins with this word. Undefined when there is none. */
export function renderGroupHelp(verbs: readonly Verb[], word: string, width: number): string | undefined {
  const group = verbs.filter((verb) => isListed(verb) && verb.words.startsWith(`${word} `));
  if (group.length === 0) return undefined;
  return `${renderTwoColumns(renderRows(group), width)}\n\npairflow help <command> shows its flags\n`;
}

interface Topic {
  readonly title: string;
  /** First words of its commands. */
  readonly words: readonly string[];
}

const topics: readonly Topic[] = [
  { title: "First steps", words: ["demo", "init", "new", "doctor"] },
  { title: "Bubbles", words: ["bubble"] },
  { title: "What is going on, and why", words: ["home", "inbox", "log", "explain", "verify"] },
  { title: "Plans", words: ["explore", "plan", "promote", "tasks", "execute", "auto"] },
  { title: "The pipeline", words: ["pipeline"] },
  { title: "Workflows", words: ["workflow"] },
  {
    title: "Reviews and what a project knows",
    words: ["review", "sop", "constitution", "conventions", "brief", "document", "schema", "bench"],
  },
];

/** What people do with it, each with what they type. */
const ways: readonly Row[] = [
  ["See it work", "pairflow demo"],
  ["Set up a repository", "pairflow init"],
  ["Hand out work", 'pairflow new "what you want done"'],
  ["Step by step", 'pairflow create "what is to be done", start'],
  ["Watch", "pairflow status, attach, ui"],
  ["Answer", 'pairflow inbox, reply --message "…"'],
  ["Judge a change", 'pairflow diff, approve, rework --message "…"'],
  ["Finish", "pairflow commit"],
  ["Larger work", "pairflow auto (plan, then do), pipeline (with papers)"],
  ["Look back", "pairflow log, explain, verify"],
  ["Something is wrong", "pairflow doctor"],
];

export function renderShortHelp(version: string, width: number): string {
  const head = `pairflow ${version} — coding agents that work against each other`;
  const foot = "Every command: pairflow help --all. Its flags: pairflow help <command>.";
  return `${[head, renderTwoColumns(ways, width), foot].join("\n\n")}\n`;
}

/** All commands by topic; what belongs to none is with the agents' verbs or at the end. */
export function renderOverview(verbs: readonly Verb[], version: string, width: number): string {
  const first = (verb: Verb) => verb.words.split(" ")[0] ?? "";
  const shown = verbs.filter(isListed);
  const agents = shown.filter((verb) => verb.access === "agent");
  const groups: (readonly [title: string, verbs: readonly Verb[]])[] = topics.map(({ title, words }) => [
    title,
    words.flatMap((word) => shown.filter((verb) => verb.access !== "agent" && first(verb) === word)),
  ]);
  const placed = new Set([...groups.flatMap(([, group]) => group), ...agents]);
  const left = shown.filter((verb) => !placed.has(verb));
  const all = [...groups, ["For agents, inside a turn", agents] as const, ["More", left] as const];
  const parts = all
    .filter(([, group]) => group.length > 0)
    .map(
      ([title, group]) =>
        `${title}\n${renderTwoColumns(renderRows(group), width, getEdge(renderRows(shown)))}`,
    );
  const head = `pairflow ${version} — coding agents that work against each other, so that the result can be trusted`;
  const foot = "pairflow help <command> shows its flags; pairflow alone shows what needs you";
  return `${[wrap(head, width), ...parts, foot].join("\n\n")}\n`;
}
