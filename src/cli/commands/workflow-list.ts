// pairflow workflow list: the workflows that can be chosen by name.
import { listedWorkflows } from "../../app/workflows.ts";
import { count, table } from "../render/table.ts";
import { verb } from "../verb.ts";

export const workflowList = verb({
  words: "workflow list",
  about: "Show the workflows of this project and the built-in ones",
  access: "read",
  example: "pairflow workflow list",
  flags: {},
  async run(shell) {
    const listed = listedWorkflows(shell.cwd);
    const rows = listed.map(({ name, path, builtIn, program, problem }) => [
      name,
      program?.version ?? "",
      program?.name ?? `cannot be loaded: ${problem}`,
      program ? count(program.steps.length, "step") : "",
      builtIn ? "built in" : "project",
      path,
    ]);
    const json = listed.map(({ name: id, path, builtIn, program, problem }) => ({
      id,
      path,
      built_in: builtIn,
      ...(program ? { version: program.version, name: program.name, steps: program.steps.length } : {}),
      ...(problem === undefined ? {} : { problem }),
    }));
    return { text: table(rows).join("\n"), json };
  },
});
