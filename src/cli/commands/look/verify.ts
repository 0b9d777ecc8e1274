// pairflow verify: is the record what was written? Prints the head, so that people can compare what they saw.
import { checkId, locate, repoOf } from "../../../app/host/locate.ts";
import { startedBelow } from "../../../app/record/trouble-below.ts";
import { recordWorld } from "../../../app/record/world.ts";
import { type Verified, verifyBubble } from "../../../app/verify/verify.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { salvageHint } from "../../../ports/log.ts";
import { renderVerified, verifyDetails } from "../../render/verify.ts";
import { bubbleFlags } from "../../verb/spoken-flags.ts";
import { verb } from "../../verb/verb.ts";

/** What fixes the first record that can be fixed, or continues from the first that cannot. */
function hintFor(broken: readonly Verified[]): string | undefined {
  const damaged = broken.find(({ verdict, head }) => verdict === "damaged" && head.seq > 0);
  return damaged
    ? salvageHint(damaged.bubble)
    : broken.flatMap((one) => one.errors).find((error) => error.fix)?.fix;
}

export const verify = verb({
  words: "verify",
  about:
    "Check the record from its first byte, and those of its children: chain, artifacts, signatures, cache; all bubbles if --id is left out",
  access: "read",
  example: "pairflow verify --id fix-cart",
  flags: bubbleFlags,
  async run(shell, { flags }) {
    const repo = repoOf(flags.repo, shell.cwd, shell.env);
    const world = recordWorld(repo);
    const asked = flags.id && locate({ ...flags, id: checkId(flags.id) }, shell.cwd, shell.env).bubble;
    const ids = asked
      ? [asked, ...(await startedBelow(world, asked))]
      : (await world.records.summaries()).map((one) => one.id);
    const bubbles: Verified[] = [];
    for (const id of ids) bubbles.push(await verifyBubble(world, repo, id));
    const broken = bubbles.filter((one) => !one.ok);
    const text = renderVerified(bubbles, shell.colour);
    if (broken.length === 0) return { text, json: { ok: true, bubbles } };
    const refusal = refuse(
      "verify.broken",
      `${broken.length === 1 ? `the record of ${broken[0]?.bubble} is` : `${broken.length} records are`} not as written`,
      hintFor(broken),
      verifyDetails(broken),
    );
    if (shell.json)
      return { json: { ok: false, bubbles, error: { kind: "refusal", ...refusal } }, exitCode: 1 };
    shell.print(text);
    return { refusal };
  },
});
