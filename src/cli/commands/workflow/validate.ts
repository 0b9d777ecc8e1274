// pairflow workflow validate: whether a workflow is sound; what is wrong has its line and column.
import { formatCount } from "../../render/table.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { findNamedWorkflow } from "../../verb/workflow-argument.ts";

export const workflowValidate = defineVerb({
  words: "workflow validate",
  about: "Check a workflow file: every problem and every warning with file, line and column",
  access: "read",
  takes: "<name-or-file>",
  takesName: "workflow",
  example: "pairflow workflow validate workflows/mine.yaml",
  flags: {},
  async run(shell, { words }) {
    const { program, warnings = [] } = findNamedWorkflow(shell, words, "validate");
    const { id, version, steps, tasks = [] } = program;
    if (!shell.json) for (const line of warnings) shell.say(line);
    const made = tasks.filter(({ joins }) => !joins).length;
    const parts = [...(made > 0 ? [formatCount(made, "task")] : []), formatCount(steps.length, "step")];
    return {
      text: `${id} ${version} is sound: ${parts.join(", ")}, at most ${formatCount(program.loop.max_rounds, "round")}${made > 1 ? " in the first task" : ""}`,
      json: { ok: true, workflow: id, version, steps: steps.length, tasks: made, warnings },
    };
  },
});
