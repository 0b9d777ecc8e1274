// pairflow bubble delete: removes the workspace of an ended bubble and archives its record.
import { remove } from "../../../app/operate/end.ts";
import { openAnyDesk, operatorFlags } from "../../operator/operator-call.ts";
import { nearPath } from "../../terminal/style.ts";
import { verb } from "../../verb/verb.ts";

export const bubbleDelete = verb({
  words: "bubble delete",
  about: "Remove an ended bubble's worktree and archive its record; refuses while work would be lost",
  access: "operator",
  flags: {
    ...operatorFlags,
    "drop-branch": { kind: "switch", about: "delete the bubble's branch too" },
    discard: { kind: "switch", about: "throw away work that exists nowhere else" },
  },
  async run(shell, { flags }) {
    const call = await openAnyDesk(shell, flags);
    const done = await remove(call, { dropBranch: flags["drop-branch"], discard: flags.discard });
    if (done.refusal) return { refusal: done.refusal };
    const kept = done.branch
      ? `\nBranch ${done.branch} is kept; to delete it: git branch -D ${done.branch}`
      : "";
    return {
      text: `Deleted ${call.bubble}; its record is kept in ${nearPath(done.archived ?? "", shell.cwd)}${kept}`,
      json: { bubble: call.bubble, archived: done.archived, branch: done.branch ?? null },
    };
  },
});
