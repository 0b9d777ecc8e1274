// pairflow review evidence: by which places and quotes the reviews of a bubble decided, and whether these hold still.
import { locate } from "../../../app/host/locate.ts";
import { reviewEvidence } from "../../../app/record/review-evidence.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { renderEvidence } from "../../render/review-evidence.ts";
import { lookOf } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

export const reviewEvidenceVerb = verb({
  words: "review evidence",
  about:
    "Show by which evidence each review decided: place, quote and who for every criterion, SOP and finding, and whether it holds in the tree to be committed",
  access: "read",
  example: "pairflow review evidence --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const { repo, bubble } = locate(flags, shell.cwd, shell.env);
    const world = recordWorld(repo);
    const shown = await reviewEvidence(world, bubble);
    return { text: renderEvidence(shown, lookOf(shell, world.clock.now())), json: shown };
  },
});
