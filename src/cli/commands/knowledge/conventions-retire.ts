// pairflow conventions retire: reviewers of later bubbles are no longer told an accepted convention.
import { retire } from "../../../core/knowledge/learning/consent.ts";
import {
  conventionFlags,
  conventionsToCommit,
  createProjectWorld,
  decideNamed,
} from "../../operator/conventions.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const conventionsRetire = defineVerb({
  words: "conventions retire",
  about: "Take an accepted convention back: later reviewers are not told it, and it is not asked again",
  access: "operator",
  example: 'pairflow conventions retire "Context timeout in handlers" --reason "the router sets it now"',
  takes: "<name>",
  flags: {
    ...conventionFlags,
    reason: { kind: "text", value: '"<text>"', about: "why it holds no more", required: true },
  },
  async run(shell, { flags, words }) {
    const world = createProjectWorld(shell, flags);
    const done = await decideNamed(world, "retire", words, {
      via: "cli",
      reason: flags.reason,
      deciding: retire,
    });
    if ("refusal" in done) return { refusal: done.refusal };
    const { name } = done.known;
    const text = [
      `Retired ${JSON.stringify(name)}`,
      `Bubbles read it from their base commit: ${conventionsToCommit}`,
    ];
    return { text: text.map(toPlainLine).join("\n"), json: { retired: name } };
  },
});
