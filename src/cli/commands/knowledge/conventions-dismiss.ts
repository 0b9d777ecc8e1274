// pairflow conventions dismiss: a person says no; it is counted on and never asked again.
import { dismiss } from "../../../core/knowledge/learning/consent.ts";
import { conventionFlags, decideNamed, projectWorld } from "../../operator/conventions.ts";
import { plain } from "../../terminal/style.ts";
import { verb } from "../../verb/verb.ts";

export const conventionsDismiss = verb({
  words: "conventions dismiss",
  about: "Say no to a convention that reviewers noticed: nobody is told, and you are not asked again",
  access: "operator",
  example: 'pairflow conventions dismiss "Context timeout in handlers" --reason "only in this package"',
  takes: "<name>",
  flags: {
    ...conventionFlags,
    reason: { kind: "text", value: '"<text>"', about: "why, for whoever looks at the list" },
  },
  async run(shell, { flags, words }) {
    const world = projectWorld(shell, flags);
    const done = await decideNamed(world, "dismiss", words, {
      via: "cli",
      reason: flags.reason,
      deciding: dismiss,
    });
    if ("refusal" in done) return { refusal: done.refusal };
    const { name } = done.known;
    return {
      text: plain(`Dismissed ${JSON.stringify(name)}: it is not asked again`),
      json: { dismissed: name },
    };
  },
});
