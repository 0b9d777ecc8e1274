// pairflow review evidence: by which places and quotes the reviews of a bubble decided, and whether these hold still.
import { locateBubble } from "../../../app/host/locate.ts";
import { buildReviewEvidence } from "../../../app/record/review/evidence.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { renderEvidence } from "../../render/review/evidence.ts";
import { buildLook } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const reviewEvidenceVerb = defineVerb({
  words: "review evidence",
  about:
    "Show by which evidence each review decided: place, quote and who for every criterion, SOP and finding, and whether it holds in the tree to be committed",
  access: "read",
  example: "pairflow review evidence --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const shown = await buildReviewEvidence(world, bubble);
    return { text: renderEvidence(shown, buildLook(shell, world.clock.now())), json: shown };
  },
});
