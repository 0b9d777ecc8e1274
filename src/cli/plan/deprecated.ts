// Commands that have been replaced: they still do what they did, and say on stderr what to type now.
import { requireRepo } from "../../app/host/locate.ts";
import { bubbleFlags } from "../verb/agent-flags.ts";
import { defineVerb, type Shell, type Verb } from "../verb/declaration.ts";
import { requireSlug } from "./content.ts";
import { editPlan } from "./edit.ts";

export function sayDeprecated(shell: Shell, sentence: string, command: string): void {
  shell.say(`Deprecated: ${sentence}`);
  shell.say(`Now: ${command}`);
}

/** A command that wrote one part of what is now the plan. */
export function buildDeprecatedVerb(words: string, part: "execution" | "mission", sentence: string): Verb {
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
