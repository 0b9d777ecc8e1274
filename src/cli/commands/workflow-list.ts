// pairflow workflow list: the workflows that come with Pairflow.
import { builtInWorkflows } from "../../app/workflows.ts";
import { count, table } from "../render/table.ts";
import { verb } from "../verb.ts";

export const workflowList = verb({
  words: "workflow list",
  about: "Show the built-in workflows",
  access: "read",
  example: "pairflow workflow list",
  flags: {},
  async run() {
    const programs = builtInWorkflows();
    const rows = programs.map(({ id, version, name, steps }) => [
      id,
      version,
      name,
      count(steps.length, "step"),
    ]);
    return {
      text: table(rows).join("\n"),
      json: programs.map(({ id, version, name, steps }) => ({ id, version, name, steps: steps.length })),
    };
  },
});
