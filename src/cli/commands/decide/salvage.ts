// pairflow bubble salvage: continues from the good part of a damaged record, in a new bubble.
import { checkId } from "../../../app/host/locate.ts";
import { type SalvagedBubble, salvageBubble } from "../../../app/making/salvage.ts";
import { isRefusal } from "../../../core/model/refusal.ts";
import { formatHead } from "../../../ports/record/log.ts";
import { openAnyCall, operatorFlags } from "../../operator/operator-call.ts";
import { formatCount } from "../../render/table.ts";
import { toPlainLine } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleSalvage = defineVerb({
  words: "bubble salvage",
  also: ["salvage"],
  about: "Continue from the good part of a damaged record, in a new bubble; the damaged one stays as it is",
  access: "operator",
  suits: "named",
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
    const call = await openAnyCall(shell, flags);
    const newId = flags["new-id"];
    const made = await salvageBubble(
      call.world,
      call.bubble,
      newId === undefined ? undefined : checkId(newId),
    );
    if (isRefusal(made)) return { refusal: made };
    const next = `pairflow bubble start --id ${made.bubble}`;
    return {
      text: [...describeSalvaged(call.bubble, made), `Next: ${next}`].join("\n"),
      json: { bubble: made.bubble, salvaged_from: made.origin, left: made.left, next },
    };
  },
});

function describeSalvaged(damaged: string, { bubble, origin, state, left }: SalvagedBubble): string[] {
  const { hash, work, findings, sha256 } = origin;
  const ids = findings.map(({ id }) => id).join(", ");
  const went = [
    "the task",
    formatCount(state.task.criteria.length, "criterion", "criteria"),
    "the settings",
    findings.length > 0 ? `${formatCount(findings.length, "open finding")} (${ids})` : "",
    work ? `the work of round ${work.round} (${work.commit.slice(0, 12)})` : "no work yet",
  ];
  return [
    `Made ${bubble} from the good part of ${damaged}, up to message ${formatHead(origin, hash)}`,
    `  with        ${went.filter(Boolean).join(", ")}`,
    `  without     ${toPlainLine(left.join(", ") || "nothing that was judged")}: judged anew`,
    `  kept        .pairflow/bubbles/${damaged}, transcript sha256 ${sha256.slice(0, 12)}…`,
  ];
}
