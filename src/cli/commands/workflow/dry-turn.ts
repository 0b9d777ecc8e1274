// pairflow workflow dry-turn: what an agent of a dry run does in its turn.
import { takeDryTurn } from "../../../app/rehearsal/turn.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const workflowDryTurn = defineVerb({
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
