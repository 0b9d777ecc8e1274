// pairflow bubble commit: writes the approved tree as one commit on the bubble's branch; never pushes.
import { commitBubble } from "../../../app/operate/sign.ts";
import { grantFlags, openGrantingCall } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { buildCommandUsage } from "../../verb/result.ts";

export const bubbleCommit = defineVerb({
  words: "bubble commit",
  also: ["commit"],
  about: "Commit exactly the approved tree on the bubble's branch",
  access: "granting",
  suits: ["APPROVED_FOR_COMMIT"],
  example: "pairflow bubble commit --id fix-cart",
  flags: {
    ...grantFlags,
    "override-scope": {
      kind: "switch",
      about: "commit although files are outside the bubble's scope (recorded)",
    },
    reason: { kind: "text", value: '"<text>"', about: "with --override-scope: why" },
  },
  async run(shell, { flags }) {
    if (flags["override-scope"] && !flags.reason)
      throw buildCommandUsage(
        "usage.missing-flag",
        "--override-scope needs --reason",
        "pairflow bubble commit --help",
      );
    const call = await openGrantingCall(shell, flags);
    const done = await commitBubble(
      call,
      flags["override-scope"] ? { reason: flags.reason ?? "" } : undefined,
    );
    if (done.refusal) return { refusal: done.refusal };
    const branch = done.state?.commit?.branch ?? "";
    const said = done.repeats === undefined ? "Committed" : "Already committed";
    return {
      text: `${said} ${done.commit?.slice(0, 10)} on ${branch} (not pushed)\nNext: git merge ${branch}`,
      json: { bubble: call.bubble, commit: done.commit, branch, repeated: done.repeats !== undefined },
    };
  },
});
