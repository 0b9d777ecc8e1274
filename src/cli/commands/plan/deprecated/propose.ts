// pairflow propose: the old name of explore. It still works, and says what to type now.

import { requireOneWord } from "../../../plan/content.ts";
import { sayDeprecated } from "../../../plan/deprecated.ts";
import { defineVerb } from "../../../verb/declaration.ts";
import { exploreFlags, exploreTopic } from "../explore.ts";

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
