// pairflow sop match: which SOPs a change of these files would have to answer for, and by which pattern.

import { buildUsageError } from "../../../app/host/usage.ts";
import { resolvePathInRepo } from "../../../app/knowledge/paths.ts";
import { readKnowledge } from "../../../app/knowledge/pin.ts";
import { listHits } from "../../../core/knowledge/match.ts";
import { findAskedBase, formatBase, knowledgeFlags } from "../../operator/knowledge-flags.ts";
import { renderTable } from "../../render/table.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const sopMatch = defineVerb({
  words: "sop match",
  about: "Say which SOPs apply to these files, and by which pattern",
  access: "operator",
  example: "pairflow sop match src/cart.ts docs/api.md",
  takes: "<file>…",
  flags: knowledgeFlags,
  async run(shell, { flags, words }) {
    if (words.length === 0)
      throw buildUsageError(
        "usage.missing-word",
        "sop match needs at least one file",
        "pairflow sop match src/cart.ts",
      );
    const { world, repo, base } = await findAskedBase(shell, flags);
    const files = [...new Set(words.map((word) => resolvePathInRepo(word, repo, shell.cwd)))];
    const { sops } = await readKnowledge(world, repo, base.commit);
    const matched = sops
      .map(({ id, severity, title, applies_to }) => ({
        id,
        severity,
        title,
        hits: listHits({ applies_to }, files),
      }))
      .filter(({ hits }) => hits.length > 0);
    const rows = matched.flatMap(({ id, severity, hits }) =>
      hits.map(({ file, pattern }, i) => [
        i === 0 ? id : "",
        i === 0 ? severity : "",
        toPlainLine(file),
        pattern === undefined ? "applies to every file" : `matches ${toPlainLine(pattern)}`,
      ]),
    );
    const none = `No SOP of ${formatBase(base)} applies to ${files.map(toPlainLine).join(", ")}`;
    return {
      text: rows.length > 0 ? renderTable(rows).join("\n") : none,
      json: { base: base.name, commit: base.commit, files, sops: matched },
    };
  },
});
