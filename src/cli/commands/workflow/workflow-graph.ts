// pairflow workflow graph: a workflow as a drawing.
import { mermaid, treeLines } from "../../../core/views/workflow.ts";
import { verb } from "../../verb/verb.ts";
import { workflowNamed } from "../../verb/workflow-word.ts";

export const workflowGraph = verb({
  words: "workflow graph",
  about: "Draw a workflow as a tree, or with --mermaid as a flowchart for pages",
  access: "read",
  takes: "<name-or-file>",
  example: "pairflow workflow graph pair --mermaid",
  flags: { mermaid: { kind: "switch", about: "as a Mermaid flowchart" } },
  async run(shell, { flags, words }) {
    const { program } = workflowNamed(shell, words, "graph");
    const text = flags.mermaid ? mermaid(program) : treeLines(program).join("\n");
    return { text, json: { id: program.id, mermaid: mermaid(program), tree: treeLines(program) } };
  },
});
