// Commands that have been replaced: they still do what they did, and say on stderr what to type now.
import { requireRepo } from "../../../app/host/locate.ts";
import { requireOneWord, requireSlug } from "../../plan/content.ts";
import { editPlan } from "../../plan/edit.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb, type Shell, type Verb } from "../../verb/declaration.ts";
import { exploreFlags, exploreTopic } from "./explore.ts";

function sayDeprecated(shell: Shell, sentence: string, command: string): void {
  shell.say(`Deprecated: ${sentence}`);
  shell.say(`Now: ${command}`);
}

/** A command that wrote one part of what is now the plan. */
function buildDeprecatedVerb(words: string, part: "execution" | "mission", sentence: string): Verb {
  const name = part === "execution" ? "Execution" : "Mission";
  return defineVerb({
    words,
    about: `Deprecated: writes the ${name} of a plan; use plan edit`,
    access: "operator",
    takes: "<slug>",
    flags: {
      repo: bubbleFlags.repo,
      text: { kind: "text", value: '"…"', about: `the new ${name}; without it your editor is opened` },
    },
    async run(shell, { flags, words: given }) {
      const slug = requireSlug(words, given);
      sayDeprecated(shell, sentence, `pairflow plan edit ${slug} --set ${part}="…"`);
      const repo = requireRepo(flags.repo, shell.cwd, shell.env);
      const { text } = flags;
      return editPlan(
        shell,
        repo,
        slug,
        text === undefined ? undefined : (document) => ({ ...document, [part]: text }),
      );
    },
  });
}

export const design = buildDeprecatedVerb("design", "execution", "Design is now part of /plan");
export const spec = buildDeprecatedVerb("spec", "mission", "Specs are now part of /plan");

export const propose = defineVerb({
  words: "propose",
  about: "Deprecated: the same as explore",
  access: "operator",
  takes: "[topic]",
  flags: exploreFlags,
  async run(shell, { flags, words }) {
    const topic = requireOneWord("propose", words, 'pairflow explore "…"');
    sayDeprecated(
      shell,
      "Use /explore or /plan instead",
      `pairflow explore ${topic ? JSON.stringify(topic) : '"…"'}`,
    );
    return exploreTopic(shell, flags, topic);
  },
});
