// pairflow workflow list: the workflows that can be chosen by name.
import { listWorkflows } from "../../../app/workflows/find.ts";
import { formatCount, renderTable } from "../../render/table.ts";
import { buildLook, toPlainLine, wrap } from "../../terminal/style.ts";
import { defineVerb } from "../../verb/declaration.ts";

/** Longer lines are hard to read. */
const widest = 100;

export const workflowList = defineVerb({
  words: "workflow list",
  about: "Show the workflows of this project and the built-in ones",
  access: "read",
  example: "pairflow workflow list",
  flags: {},
  async run(shell) {
    const listed = listWorkflows(shell.cwd);
    const rows = renderTable(
      listed.map(({ name, path, builtIn, program, problem }) => [
        name,
        program?.version ?? "",
        program?.name ?? `cannot be loaded: ${problem}`,
        program ? formatCount(program.steps.length, "step") : "",
        builtIn ? "built in" : "project",
        // Where the package has its own files is nothing that anybody types.
        builtIn ? "" : path,
      ]),
    );
    const width = Math.min(buildLook(shell, "").width, widest);
    const lines = listed.flatMap(({ description }, i) => [
      rows[i] ?? "",
      ...(description ? [wrap(`  ${toPlainLine(description)}`, width, 2)] : []),
    ]);
    const workflows = listed.map(({ name: workflow, path, builtIn, program, description, problem }) => ({
      workflow,
      path,
      built_in: builtIn,
      ...(program ? { version: program.version, name: program.name, steps: program.steps.length } : {}),
      ...(description === undefined ? {} : { description }),
      ...(problem === undefined ? {} : { problem }),
    }));
    return { text: lines.join("\n"), json: { workflows } };
  },
});
