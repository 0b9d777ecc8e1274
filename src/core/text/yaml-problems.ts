// What is wrong with a YAML text, in the words of these pages instead of those of the library that read it.
import { tooDeep } from "./json.ts";

/** By the codes of the library. */
const words: Readonly<Record<string, string>> = {
  ALIAS_PROPS: "an alias (*name) takes neither an anchor nor a tag",
  BAD_ALIAS: "the name of an anchor or alias is not valid",
  BAD_COLLECTION_TYPE: "the tag says another kind of value than the one that follows",
  BAD_DIRECTIVE: "a line that begins with % is a directive of YAML, and this is none",
  BAD_DQ_ESCAPE: 'a backslash inside "…" is not followed by something it may stand before',
  BAD_INDENT: "the indentation does not fit the lines around it",
  BAD_PROP_ORDER: "an anchor or a tag is at a place where none may be",
  BAD_SCALAR_START: "a plain text cannot begin with this character: put it in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a second `key:` on one line: put the value in quotes, or on lines of its own",
  BLOCK_IN_FLOW: "inside [ ] and { } no indented list or table can begin",
  DUPLICATE_KEY: "this key is there twice",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters",
  MULTILINE_IMPLICIT_KEY: "a key must be on one line and be followed by `: `",
  MULTIPLE_ANCHORS: "a value has more than one anchor",
  MULTIPLE_DOCS: "the file holds more than one document (---)",
  MULTIPLE_TAGS: "a value has more than one tag",
  NON_STRING_KEY: "a key must be a plain word",
  TAB_AS_INDENT: "a tab stands where spaces must: indent with spaces",
  TAG_RESOLVE_FAILED: "a tag (!name) that is not known here",
  UNEXPECTED_TOKEN: "this is not expected here: a quote, comma or bracket is missing or too much",
};

/** Sentences that depend on what the library names, tried in order. */
const named: readonly (readonly [pattern: RegExp, words: (name: string) => string])[] = [
  // What is nested without end breaks the parser itself.
  [/call stack/, () => tooDeep],
  [
    /anchor must be set before the alias\): (.*)$/,
    (name) => `*${name} refers to an anchor &${name} that is not set before it`,
  ],
  [/Excessive alias count/, () => "its aliases multiply beyond all measure"],
  [/^Merge sources must be/, () => "<<: takes in another table by its alias, as in `<<: *name`"],
  [/^Missing closing (["'])/, (quote) => `a closing ${quote} is missing`],
  [
    /end with an? ([\]}])$/,
    (bracket) => `a ${bracket} is missing, or the lines before it are not indented enough`,
  ],
];

/** One sentence for what the library found. */
export function describeYamlProblem({
  message,
  code = "",
}: {
  readonly message: string;
  readonly code?: string | undefined;
}): string {
  for (const [pattern, say] of named) {
    const found = pattern.exec(message);
    if (found) return say(found[1] ?? "");
  }
  return words[code] ?? "it is not valid YAML here";
}
