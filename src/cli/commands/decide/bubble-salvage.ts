// pairflow bubble salvage: continues from the good part of a damaged record, in a new bubble.
import { checkId } from "../../../app/host/locate.ts";
import { type SalvagedBubble, salvage } from "../../../app/making/salvage.ts";
import { isRefusal } from "../../../core/model/refusal.ts";
import { shownHead } from "../../../ports/log.ts";
import { openAnyDesk, operatorFlags } from "../../operator/operator-call.ts";
import { count } from "../../render/table.ts";
import { plain } from "../../terminal/style.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleSalvage = verb({
  words: "bubble salvage",
  about: "Continue from the good part of a damaged record, in a new bubble; the damaged one stays as it is",
  access: "operator",
  example: "pairflow bubble salvage --id fix-cart",
  flags: {
    ...operatorFlags,
    "new-id": {
      kind: "text",
      value: "<id>",
      about: "the new bubble's id; the old one with a number if left out",
    },
  },
  async run(shell, { flags }) {
    const call = await openAnyDesk(shell, flags);
    const newId = flags["new-id"];
    const made = await salvage(call.world, call.bubble, newId === undefined ? undefined : checkId(newId));
    if (isRefusal(made)) return { refusal: made };
    const next = `pairflow bubble start --id ${made.bubble}`;
    return {
      text: [...told(call.bubble, made), `Next: ${next}`].join("\n"),
      json: { bubble: made.bubble, salvaged_from: made.origin, left: made.left, next },
    };
  },
});

function told(damaged: string, { bubble, origin, state, left }: SalvagedBubble): string[] {
  const { hash, work, findings, sha256 } = origin;
  const ids = findings.map(({ id }) => id).join(", ");
  const went = [
    "the task",
    count(state.task.criteria.length, "criterion", "criteria"),
    "the settings",
    findings.length > 0 ? `${count(findings.length, "open finding")} (${ids})` : "",
    work ? `the work of round ${work.round} (${work.commit.slice(0, 12)})` : "no work yet",
  ];
  return [
    `Made ${bubble} from the good part of ${damaged}, up to message ${shownHead(origin, hash)}`,
    `  with        ${went.filter(Boolean).join(", ")}`,
    `  without     ${plain(left.join(", ") || "nothing that was judged")}: judged anew`,
    `  kept        .pairflow/bubbles/${damaged}, transcript sha256 ${sha256.slice(0, 12)}…`,
  ];
}
