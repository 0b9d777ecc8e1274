// pairflow propose: the old name of explore. It still works, and says what to type now.

import { oneWord } from "../../plan/content.ts";
import { deprecated } from "../../plan/deprecated.ts";
import { verb } from "../../verb/verb.ts";
import { exploreFlags, exploreTopic } from "./explore.ts";

export const propose = verb({
  words: "propose",
  about: "Deprecated: the same as explore",
  access: "operator",
  takes: "[topic]",
  flags: exploreFlags,
  async run(shell, { flags, words }) {
    const topic = oneWord("propose", words, 'pairflow explore "…"');
    deprecated(
      shell,
      "Use /explore or /plan instead",
      `pairflow explore ${topic ? JSON.stringify(topic) : '"…"'}`,
    );
    return exploreTopic(shell, flags, topic);
  },
});
