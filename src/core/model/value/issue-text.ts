// What is wrong with a value, as a clause behind its name: `must be text, not 5`. The schema library's own sentences never
// reach a person or an agent; a message that a schema has of its own stays as it is.
import type * as v from "valibot";

type Issue = v.BaseIssue<unknown>;

export function describeIssue(issue: Issue): string {
  if (!issue.message.startsWith("Invalid ")) return issue.message;
  const { type, expected, received } = issue;
  if (type.endsWith("object")) return describeField(issue);
  if (type === "regex") return `must match ${expected}, not ${received}`;
  if (type === "non_empty") return "must not be empty";
  const [, bound, limit = ""] = /^([<>])=(\d+)$/.exec(expected ?? "") ?? [];
  if (bound) return (countTypes.includes(type) ? describeLength : describeBound)(bound, limit, received);
  return expected === null
    ? `must be ${nouns[type] ?? "of another form"}, not ${received}`
    : describeMismatch(expected, received);
}

function describeField({ expected, received }: Issue): string {
  if (expected === "never") return "is not a key that is known here";
  return received === "undefined" ? "is missing" : describeMismatch(expected, received);
}

const describeBound = (bound: string, limit: string, received: string) =>
  `must be ${bound === ">" ? "at least" : "at most"} ${limit}, not ${received}`;

const countTypes: readonly string[] = ["min_length", "max_length", "min_entries", "max_entries"];

function describeLength(bound: string, limit: string, received: string): string {
  if (bound === "<") return `is too long: ${received}, and at most ${limit} are allowed`;
  return limit === "1" ? "must not be empty" : `is too short: ${received}, and at least ${limit} are needed`;
}

const describeMismatch = (expected: string | null, received: string) =>
  `must be ${getKind(expected ?? "something else")}, not ${getKind(received)}`;

const kinds: Readonly<Record<string, string>> = {
  Object: "a table",
  Array: "a list",
  string: "text",
  number: "a number",
  boolean: "true or false",
  undefined: "nothing",
  null: "nothing",
};

/** Checks of the library that name no value they want. */
const nouns: Readonly<Record<string, string>> = {
  integer: "a whole number",
  safe_integer: "a whole number",
  finite: "a number that is finite",
  iso_timestamp: "a time such as 2026-01-31T12:00:00.000Z",
};

/** `("a" | "b")` becomes `"a" or "b"`; the names of types become words. */
function getKind(words: string): string {
  const choices = /^\((.*)\)$/s.exec(words)?.[1]?.split(" | ");
  return choices ? choices.map((one) => kinds[one] ?? one).join(" or ") : (kinds[words] ?? words);
}
