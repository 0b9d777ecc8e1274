// The schema library's own sentences, in ours. Settings of bubble.toml have better ones (config/keys.ts); this is for
// files whose shape is large and whose writers are few: workflows and presets.
import { type Path, spell } from "./problems.ts";

const sentences: readonly (readonly [RegExp, (expected: string, received: string) => string])[] = [
  [/^Invalid key: Expected never but received/, () => "is not a key that is known here"],
  [/^Invalid key: Expected (".*") but received undefined$/s, () => "is missing"],
  [
    /^Invalid (?:type|format|length|value): Expected (.*) but received (.*)$/s,
    (expected, received) => `must be ${kindOf(expected)}, not ${kindOf(received)}`,
  ],
  [/^Invalid (\w+): Received (.*)$/s, (kind, received) => `must be an ${kind}, not ${received}`],
];

const kinds: Readonly<Record<string, string>> = {
  Object: "a table",
  Array: "a list",
  string: "text",
  number: "a number",
  boolean: "true or false",
  undefined: "nothing",
  null: "nothing",
};

/** `("a" | "b")` becomes `"a" or "b"`; the names of types become words. */
function kindOf(words: string): string {
  const choices = /^\((.*)\)$/s.exec(words)?.[1]?.split(" | ");
  return choices ? choices.join(" or ") : (kinds[words] ?? words);
}

/** What is wrong at a path, as a sentence about it; a message that is already plain stays as it is. */
export function plainly(path: Path, message: string): string {
  const [pattern, words] = sentences.find(([candidate]) => candidate.test(message)) ?? [];
  const [, expected = "", received = ""] = pattern?.exec(message) ?? [];
  if (words) return `${spell(path) || "the file"} ${words(expected, received)}`;
  return message.startsWith("must ") ? `${spell(path)} ${message}` : message;
}
