// pairflow workflow dry-turn: what an agent of a dry run does in its turn.
import { takeDryTurn } from "../../../app/rehearsal/turn.ts";
import { verb } from "../../verb/verb.ts";

export const workflowDryTurn = verb({
  words: "workflow dry-turn",
  about: "Take a turn of a dry run; started by its scripted agents",
  access: "agent",
  hidden: true,
  flags: { reject: { kind: "number", value: "N", about: "how often reviewers reject each task first" } },
  async run(shell, { flags }) {
    const refusal = await takeDryTurn(shell.cwd, shell.env, flags.reject ?? 0);
    return refusal ? { refusal } : {};
  },
});
