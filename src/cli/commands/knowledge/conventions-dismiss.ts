// pairflow conventions dismiss: a person says no; it is counted on and never asked again.
import { dismiss } from "../../../core/knowledge/learning/consent.ts";
import { conventionFlags, createProjectWorld, decideNamed } from "../../operator/conventions.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const conventionsDismiss = defineVerb({
  words: "conventions dismiss",
  about: "Say no to a convention that reviewers noticed: nobody is told, and you are not asked again",
  access: "operator",
  example: 'pairflow conventions dismiss "Context timeout in handlers" --reason "only in this package"',
  takes: "<name>",
  flags: {
    ...conventionFlags,
    reason: { kind: "text", value: '"<text>"', about: "why, for people who look at the list" },
  },
  async run(shell, { flags, words }) {
    const world = createProjectWorld(shell, flags);
    const done = await decideNamed(world, "dismiss", words, {
      via: "cli",
      reason: flags.reason,
      deciding: dismiss,
    });
    if ("refusal" in done) return { refusal: done.refusal };
    const { name } = done.known;
    return {
      text: toPlainLine(`Dismissed ${JSON.stringify(name)}: it is not asked again`),
      json: { dismissed: name },
    };
  },
});
