// pairflow review check: would this review count? The referee's own code, run by hand; it changes nothing.
import { resolve } from "node:path";
import { locateBubble } from "../../../app/host/locate.ts";
import { buildUsageError, readNamedText } from "../../../app/host/usage.ts";
import { type CheckedReview, checkReview } from "../../../app/record/review/check.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { type Dialect, dialects } from "../../../core/model/review/verdict.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb, type Shell } from "../../verb/declaration.ts";
import { explainUnread } from "../../verb/result.ts";

export const reviewCheck = defineVerb({
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
    const text = readText(shell, words);
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const checked = await checkReview(createRecordWorld(repo), bubble, {
      text,
      dialect: flags.dialect as Dialect | undefined,
      tree: flags.tree,
    });
    if (checked.refusal) return { refusal: checked.refusal };
    return { text: render(checked), json: checked };
  },
});

function readText(shell: Shell, [file, extra]: readonly string[]): string {
  const hint = "pairflow review check review.json --id <bubble>";
  if (file === undefined) throw buildUsageError("usage.missing-word", "review check needs a file", hint);
  if (extra !== undefined)
    throw buildUsageError(
      "usage.extra-word",
      `review check takes one file, not also ${JSON.stringify(extra)}`,
      hint,
    );
  return readNamedText(resolve(shell.cwd, file), (error) =>
    buildUsageError("usage.bad-review-file", `${file}: ${explainUnread(error)}`, hint),
  );
}

function render({ decision, tree, dialect, findings, questions, notes }: CheckedReview): string {
  const found = findings.map(({ id, severity, title, file, line, proven }) => {
    const place = file ? `  ${file}${line ? `:${line}` : ""}` : "";
    return `${id} ${severity} ${title}${place}${!proven ? "  (unproven)" : ""}`;
  });
  return [
    `Would be accepted: ${decision}`,
    ...[...found, ...questions].map((line) => `  ${toPlainLine(line)}`),
    ...notes.map((note) => `Note: ${note}`),
    `(dialect ${dialect}, tree ${tree.slice(0, 10)})`,
  ].join("\n");
}
