// The words of a command line as flags and plain words, by the rules of Node's own `parseArgs` (not strict, no short names), which
// two modules of Node and a dozen of their functions would be compiled for at each start. A test holds both against one another.

export interface FlagToken {
  readonly kind: "option";
  readonly name: string;
  readonly rawName: string;
  readonly value?: string;
  /** Whether the value stands in the same word: --task=… */
  readonly inlineValue?: boolean;
}

export type Token =
  | FlagToken
  | { readonly kind: "positional"; readonly value: string }
  | { readonly kind: "option-terminator" };

/** `takesValue`: whether the flag of that name has a value, which may stand in the next word. */
export function readTokens(argv: readonly string[], takesValue: (name: string) => boolean): Token[] {
  const tokens: Token[] = [];
  const rest = [...argv];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") {
      const words = rest.splice(0).map((value) => ({ kind: "positional" as const, value }));
      tokens.push({ kind: "option-terminator" }, ...words);
    } else if (!word.startsWith("-") || word === "-") tokens.push({ kind: "positional", value: word });
    else if (isGroup(word) && !takesValue(word.charAt(1))) rest.unshift(...expandGroup(word, takesValue));
    else tokens.push(takeFlag(word, rest, takesValue));
  }
  return tokens;
}

const isGroup = (word: string): boolean => !word.startsWith("--") && word.length > 2;

/** `-ab` is `-a -b`; what stands behind a letter that has a value is that value. */
function expandGroup(word: string, takesValue: (name: string) => boolean): string[] {
  const letters = [...word.slice(1).split("").entries()];
  const [at] = letters.find(([, letter]) => takesValue(letter)) ?? [letters.length];
  const before = letters.slice(0, at).map(([, letter]) => `-${letter}`);
  return at === letters.length ? before : [...before, `-${word.slice(at + 1)}`];
}

function takeFlag(word: string, rest: string[], takesValue: (name: string) => boolean): FlagToken {
  if (isGroup(word)) {
    const name = word.charAt(1);
    return { kind: "option", name, rawName: `-${name}`, value: word.slice(2), inlineValue: true };
  }
  const equals = word.startsWith("--") ? word.indexOf("=", 3) : -1;
  const rawName = equals === -1 ? word : word.slice(0, equals);
  const name = rawName.slice(word.startsWith("--") ? 2 : 1);
  if (equals !== -1)
    return { kind: "option", name, rawName, value: word.slice(equals + 1), inlineValue: true };
  const next = takesValue(name) ? rest.shift() : undefined;
  if (next === undefined) return { kind: "option", name, rawName };
  return { kind: "option", name, rawName, value: next, inlineValue: false };
}
