// pairflow workflow validate: whether a workflow is sound; what is wrong has its line and column.
import { count } from "../render/table.ts";
import { verb } from "../verb.ts";
import { programNamed } from "../workflow-word.ts";

export const workflowValidate = verb({
  words: "workflow validate",
  about: "Check a workflow file: every problem with file, line and column",
  access: "read",
  takes: "<name-or-file>",
  example: "pairflow workflow validate workflows/mine.yaml",
  flags: {},
  async run(shell, { words }) {
    const program = programNamed(shell, words, "validate");
    const { id, version, steps } = program;
    return {
      text: `${id} ${version} is sound: ${count(steps.length, "step")}, at most ${count(program.loop.max_rounds, "round")}`,
      json: { ok: true, id, version, steps: steps.length },
    };
  },
});
