// pairflow bubble delete: removes the workspace of an ended bubble and archives its record.
import { deleteBubble } from "../../../app/operate/end.ts";
import { openAnyCall, operatorFlags } from "../../operator/operator-call.ts";
import { shortenPath } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleDelete = defineVerb({
  words: "bubble delete",
  also: ["delete", "rm", "bubble rm"],
  about: "Remove an ended bubble's worktree and archive its record; refuses while work would be lost",
  access: "operator",
  suits: ["DONE", "FAILED", "CANCELLED"],
  flags: {
    ...operatorFlags,
    "drop-branch": { kind: "switch", about: "delete the bubble's branch too" },
    discard: { kind: "switch", about: "throw away work that exists nowhere else" },
  },
  async run(shell, { flags }) {
    const call = await openAnyCall(shell, flags);
    const done = await deleteBubble(call, { dropBranch: flags["drop-branch"], discard: flags.discard });
    if (done.refusal) return { refusal: done.refusal };
    const kept = done.branch
      ? `\nBranch ${done.branch} is kept; to delete it: git branch -D ${done.branch}`
      : "";
    return {
      text: `Deleted ${call.bubble}; its record is kept in ${shortenPath(done.archived ?? "", shell.cwd)}${kept}`,
      json: { bubble: call.bubble, archived: done.archived, branch: done.branch ?? null },
    };
  },
});
