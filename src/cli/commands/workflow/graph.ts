// pairflow workflow graph: a workflow as a drawing.
import { renderMermaid, renderStepTree } from "../../../core/views/workflow.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { findNamedWorkflow } from "../../verb/workflow-argument.ts";

export const workflowGraph = defineVerb({
  words: "workflow graph",
  about: "Draw a workflow as a tree, or with --mermaid as a flowchart for pages",
  access: "read",
  takes: "<name-or-file>",
  takesName: "workflow",
  example: "pairflow workflow graph pair --mermaid",
  flags: { mermaid: { kind: "switch", about: "as a Mermaid flowchart" } },
  async run(shell, { flags, words }) {
    const { program } = findNamedWorkflow(shell, words, "graph");
    const text = flags.mermaid ? renderMermaid(program) : renderStepTree(program).join("\n");
    return {
      text,
      json: { workflow: program.id, mermaid: renderMermaid(program), tree: renderStepTree(program) },
    };
  },
});
