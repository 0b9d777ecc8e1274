// pairflow sop match: which SOPs a change of these files would have to answer for, and by which pattern.
import { pathInRepo } from "../../../app/knowledge/paths.ts";
import { readKnowledge } from "../../../app/knowledge/pinned.ts";
import { hitsOf } from "../../../core/knowledge/match.ts";
import { askedBase, baseText, knowledgeFlags } from "../../operator/knowledge-flags.ts";
import { table } from "../../render/table.ts";
import { plain } from "../../terminal/style.ts";
import { usage } from "../../verb/outcome.ts";
import { verb } from "../../verb/verb.ts";

export const sopMatch = verb({
  words: "sop match",
  about: "Say which SOPs apply to these files, and by which pattern",
  access: "operator",
  example: "pairflow sop match src/cart.ts docs/api.md",
  takes: "<file>…",
  flags: knowledgeFlags,
  async run(shell, { flags, words }) {
    if (words.length === 0)
      throw usage(
        "usage.missing-word",
        "sop match needs at least one file",
        "pairflow sop match src/cart.ts",
      );
    const { world, repo, base } = await askedBase(shell, flags);
    const files = [...new Set(words.map((word) => pathInRepo(word, repo, shell.cwd)))];
    const { sops } = await readKnowledge(world, repo, base.commit);
    const matched = sops
      .map(({ id, severity, title, applies_to }) => ({
        id,
        severity,
        title,
        hits: hitsOf({ applies_to }, files),
      }))
      .filter(({ hits }) => hits.length > 0);
    const rows = matched.flatMap(({ id, severity, hits }) =>
      hits.map(({ file, pattern }, i) => [
        i === 0 ? id : "",
        i === 0 ? severity : "",
        plain(file),
        pattern === undefined ? "applies to every file" : `matches ${plain(pattern)}`,
      ]),
    );
    const none = `No SOP of ${baseText(base)} applies to ${files.map(plain).join(", ")}`;
    return {
      text: rows.length > 0 ? table(rows).join("\n") : none,
      json: { base: base.name, commit: base.commit, files, sops: matched },
    };
  },
});
