// What can stand next on a command line: words of commands, flags, values of flags, and names of things that exist. The
// declarations of the commands say all of it.
import type { Lifecycle } from "../../core/model/state.ts";
import { type Flag, type NamedThing, takesId, type Verb } from "./declaration.ts";
import { common, findVerb } from "./parse.ts";

/** Of bubbles those in one of the states, where there are such. */
export type ListNames = (thing: NamedThing, states?: readonly Lifecycle[]) => Promise<readonly string[]>;

/** `words`: what was typed behind `pairflow`; the last one is not finished and may be empty. */
export async function completeLine(
  verbs: readonly Verb[],
  words: readonly string[],
  listNames: ListNames,
): Promise<string[]> {
  const done = words.slice(0, -1);
  const begun = words.at(-1) ?? "";
  const keep = (all: readonly string[]) => [...new Set(all)].filter((word) => word.startsWith(begun)).sort();
  if (done[0] === "help") return keep([...listNextWords(verbs, done.slice(1)), "--all"]);
  const found = findVerb(verbs, done);
  const all = [
    ...listNextWords(verbs, done),
    ...(done.length === 0 ? ["help"] : []),
    ...(found ? await listArguments(found.verb, found.rest, begun, listNames) : []),
  ];
  return keep(all);
}

/** The next words of all commands that begin so. */
function listNextWords(verbs: readonly Verb[], done: readonly string[]): string[] {
  const spelled = verbs
    .filter(({ hidden }) => !hidden)
    .flatMap(({ words, also = [] }) => [words, ...also].map((one) => one.split(" ")));
  const begun = spelled.filter(
    (words) => words.length > done.length && done.every((word, i) => word === words[i]),
  );
  return begun.map((words) => words[done.length] ?? "");
}

async function listArguments(
  verb: Verb,
  rest: readonly string[],
  begun: string,
  listNames: ListNames,
): Promise<readonly string[]> {
  const flags: Readonly<Record<string, Flag>> = { ...verb.flags, ...common };
  const last = rest.at(-1) ?? "";
  const open = last.startsWith("--") ? flags[last.slice(2)] : undefined;
  const states = verb.suits === "named" ? undefined : verb.suits;
  const list = (thing: NamedThing) => listNames(thing, states);
  if (open && open.kind !== "switch") return listValues(open, begun, list);
  const [, name = "", value] = /^--([^=]+)=(.*)$/.exec(begun) ?? [];
  const written = flags[name];
  if (written && value !== undefined)
    return (await listValues(written, value, list)).map((one) => `--${name}=${one}`);
  if (begun.startsWith("-")) return listOpenFlags(flags, rest);
  const hasWord = rest.some((word, i) => !word.startsWith("-") && !isValue(flags, rest[i - 1]));
  const thing = verb.takesName ?? (takesId(verb) && flags.id?.names);
  if (hasWord) return [];
  return verb.takesOneOf ?? (thing ? list(thing) : []);
}

/** What the value of a flag can be, of which so much is typed. */
async function listValues(
  { oneOf, names, namesBehind }: Flag,
  begun: string,
  list: (thing: NamedThing) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (oneOf) return oneOf;
  if (names) return list(names);
  const before = /^[^=]+=/.exec(begun)?.[0];
  return namesBehind && before ? (await list(namesBehind)).map((name) => `${before}${name}`) : [];
}

const isValue = (flags: Readonly<Record<string, Flag>>, before: string | undefined): boolean => {
  const flag = before?.startsWith("--") ? flags[before.slice(2)] : undefined;
  return flag !== undefined && flag.kind !== "switch";
};

/** Those that are not there yet, and those that may be there more than once. */
function listOpenFlags(flags: Readonly<Record<string, Flag>>, rest: readonly string[]): string[] {
  return Object.entries(flags)
    .filter(([name, { kind }]) => kind === "list" || !rest.includes(`--${name}`))
    .map(([name]) => `--${name}`);
}
