// pairflow constitution show: what a role is told of the constitution about some files, merged as the referee does it.

import { buildUsageError } from "../../../app/host/usage.ts";
import { resolvePathInRepo } from "../../../app/knowledge/paths.ts";
import { readKnowledge } from "../../../app/knowledge/pin.ts";
import { isStandards, mergeConstitution } from "../../../core/knowledge/constitution.ts";
import { tellArticle } from "../../../core/knowledge/render.ts";
import { getSideOfRole, roleNames } from "../../../core/knowledge/side.ts";
import { suggestWord } from "../../../core/text/nearest.ts";
import { findAskedBase, formatBase, knowledgeFlags } from "../../operator/knowledge-flags.ts";
import { showControlCharacters } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const constitutionShow = defineVerb({
  words: "constitution show",
  about: "Show the constitution as a role is told it: root, then folders, merged by section",
  access: "operator",
  example: "pairflow constitution show --role reviewer --path src/cart.ts",
  flags: {
    ...knowledgeFlags,
    role: { kind: "text", value: "<role>", about: "whose view: reviewer, implementer, …", required: true },
    path: { kind: "list", value: "<file>", about: "a changed file; without any, every folder's is shown" },
  },
  async run(shell, { flags }) {
    const side = getSideOfRole(flags.role);
    if (!side)
      throw buildUsageError(
        "knowledge.unknown-role",
        `there is no role ${flags.role}${suggestWord(flags.role, roleNames)}`,
      );
    const { world, repo, base } = await findAskedBase(shell, flags);
    const files = flags.path.map((word) => resolvePathInRepo(word, repo, shell.cwd));
    const { constitution } = await readKnowledge(world, repo, base.commit);
    const all = mergeConstitution(constitution, { files, task: "" });
    const articles = all.filter(({ name }) => side === "critic" || !isStandards(name));
    const kept = all.length - articles.length;
    if (kept > 0) shell.say(`Kept from the ${flags.role}: Standards (shown where review.blind = false)`);
    const none = `Nothing of a constitution in ${formatBase(base)} is for the ${flags.role}`;
    return {
      text: showControlCharacters(articles.map(tellArticle).join("\n\n")) || none,
      json: { base: base.name, commit: base.commit, role: flags.role, files, sections: articles },
    };
  },
});
