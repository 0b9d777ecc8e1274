// pairflow conventions retire: an accepted convention has had its day; reviewers of later bubbles are not told it any more.
import { retire } from "../../../core/knowledge/learning/consent.ts";
import {
  conventionFlags,
  conventionsToCommit,
  decideNamed,
  projectWorld,
} from "../../operator/conventions.ts";
import { plain } from "../../terminal/style.ts";
import { verb } from "../../verb/verb.ts";

export const conventionsRetire = verb({
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
    const world = projectWorld(shell, flags);
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
    return { text: text.map(plain).join("\n"), json: { retired: name } };
  },
});
