// pairflow constitution show: what a role is told of the constitution about some files, merged as the referee does it.
import { pathInRepo } from "../../../app/knowledge/paths.ts";
import { readKnowledge } from "../../../app/knowledge/pinned.ts";
import { isStandards, mergeConstitution } from "../../../core/knowledge/constitution.ts";
import { roleNames, sideOf } from "../../../core/knowledge/side.ts";
import { tellArticle } from "../../../core/knowledge/told.ts";
import { nearest } from "../../../core/text/nearest.ts";
import { askedBase, baseText, knowledgeFlags } from "../../operator/knowledge-flags.ts";
import { visible } from "../../terminal/style.ts";
import { usage } from "../../verb/outcome.ts";
import { verb } from "../../verb/verb.ts";

export const constitutionShow = verb({
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
    const side = sideOf(flags.role);
    if (!side)
      throw usage(
        "knowledge.unknown-role",
        `there is no role ${flags.role}${nearest(flags.role, roleNames)}`,
      );
    const { world, repo, base } = await askedBase(shell, flags);
    const files = flags.path.map((word) => pathInRepo(word, repo, shell.cwd));
    const { constitution } = await readKnowledge(world, repo, base.commit);
    const all = mergeConstitution(constitution, { files, task: "" });
    const articles = all.filter(({ name }) => side === "critic" || !isStandards(name));
    const kept = all.length - articles.length;
    if (kept > 0) shell.say(`Kept from the ${flags.role}: Standards (shown where review.blind = false)`);
    const none = `Nothing of a constitution in ${baseText(base)} is for the ${flags.role}`;
    return {
      text: visible(articles.map(tellArticle).join("\n\n")) || none,
      json: { base: base.name, commit: base.commit, role: flags.role, files, sections: articles },
    };
  },
});
