// pairflow verify: is the record what was written? Prints the head, so that people can compare what they saw.
import { checkId, locateBubble, requireRepo } from "../../../app/host/locate.ts";
import { listStartedBelow } from "../../../app/record/damage-below.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import { type VerifyResult, verifyBubble } from "../../../app/verify/record.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { salvageHint } from "../../../ports/record/log.ts";
import { renderVerified, verifyDetails } from "../../render/bubble/verify.ts";
import { getScreenWidth, wrapSentences } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

/** What fixes the first record that can be fixed, or continues from the first that cannot. */
function findHintFor(broken: readonly VerifyResult[]): string | undefined {
  const damaged = broken.find(({ verdict, head }) => verdict === "damaged" && head.seq > 0);
  return damaged
    ? salvageHint(damaged.bubble)
    : broken.flatMap((one) => one.errors).find((error) => error.fix)?.fix;
}

export const verify = defineVerb({
  words: "verify",
  also: ["bubble verify"],
  about:
    "Check the record from its first byte, and those of its children: chain, artifacts, signatures, cache; all bubbles if --id is left out",
  access: "read",
  suits: "named",
  example: "pairflow verify --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const asked = flags.id && locateBubble({ ...flags, id: checkId(flags.id) }, shell.cwd, shell.env).bubble;
    const ids = asked
      ? [asked, ...(await listStartedBelow(world, asked))]
      : (await world.records.summaries()).map((one) => one.id);
    const bubbles: VerifyResult[] = [];
    for (const id of ids) bubbles.push(await verifyBubble(world, repo, id));
    const broken = bubbles.filter((one) => !one.ok);
    const text = wrapSentences(renderVerified(bubbles, shell.colour), getScreenWidth());
    if (broken.length === 0) return { text, json: { ok: true, bubbles } };
    const refusal = refuse(
      "verify.broken",
      `${broken.length === 1 ? `the record of ${broken[0]?.bubble} is` : `${broken.length} records are`} not as written`,
      findHintFor(broken),
      verifyDetails(broken),
    );
    return { text, json: { ok: false, bubbles }, refusal };
  },
});
