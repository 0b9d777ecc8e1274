// pairflow review check: would this review count? The referee's own code, run by hand; it changes nothing.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { locate } from "../../../app/host/locate.ts";
import { type CheckedReview, checkReview } from "../../../app/record/review-check.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { type Dialect, dialects } from "../../../core/model/verdict.ts";
import { plain } from "../../terminal/style.ts";
import { usage, whyUnread } from "../../verb/outcome.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { type Shell, verb } from "../../verb/verb.ts";

export const reviewCheck = verb({
  words: "review check",
  about: "Say whether a written review would be accepted, and why not; nothing is changed",
  access: "read",
  example: "pairflow review check review.json --id fix-cart",
  takes: "<file>",
  flags: {
    ...bubbleFlags,
    dialect: {
      kind: "text",
      value: "<dialect>",
      about: `another dialect than the bubble's: ${dialects.join(", ")}`,
      oneOf: dialects,
    },
    tree: {
      kind: "text",
      value: "<id>",
      about: "the tree it is about, as the bubble was before its first review; else the newest one",
    },
  },
  async run(shell, { flags, words }) {
    const text = textOf(shell, words);
    const { repo, bubble } = locate(flags, shell.cwd, shell.env);
    const checked = await checkReview(recordWorld(repo), bubble, {
      text,
      dialect: flags.dialect as Dialect | undefined,
      tree: flags.tree,
    });
    if (checked.refusal) return { refusal: checked.refusal };
    return { text: render(checked), json: checked };
  },
});

function textOf(shell: Shell, [file, extra]: readonly string[]): string {
  const hint = "pairflow review check review.json --id <bubble>";
  if (file === undefined) throw usage("usage.missing-word", "review check needs a file", hint);
  if (extra !== undefined)
    throw usage("usage.extra-word", `review check takes one file, not also ${JSON.stringify(extra)}`, hint);
  try {
    return readFileSync(resolve(shell.cwd, file), "utf8");
  } catch (error) {
    throw usage("usage.bad-review-file", `${file}: ${whyUnread(error)}`, hint);
  }
}

function render({ decision, tree, dialect, findings, questions, notes }: CheckedReview): string {
  const found = findings.map(({ id, severity, title, file, line, proven }) => {
    const place = file ? `  ${file}${line ? `:${line}` : ""}` : "";
    return `${id} ${severity} ${title}${place}${!proven ? "  (unproven)" : ""}`;
  });
  return [
    `Would be accepted: ${decision}`,
    ...[...found, ...questions].map((line) => `  ${plain(line)}`),
    ...notes.map((note) => `Note: ${note}`),
    `(dialect ${dialect}, tree ${tree.slice(0, 10)})`,
  ].join("\n");
}
