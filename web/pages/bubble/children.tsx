// The bubbles and phases below this one, as a tree.
import type { TreeNode } from "../../../src/core/views/tree/run.ts";
import { bubblePath } from "../../app/route.ts";

interface ChildrenProps {
  readonly nodes: readonly TreeNode[];
  readonly repo: string;
  readonly name?: string;
}

export function Children({ nodes, repo, name = "Below it" }: ChildrenProps) {
  if (nodes.length === 0) return null;
  return (
    <section aria-labelledby="below">
      <h2 id="below">{name}</h2>
      <Nodes nodes={nodes} repo={repo} />
    </section>
  );
}

function Nodes({ nodes, repo }: { readonly nodes: readonly TreeNode[]; readonly repo: string }) {
  return (
    <ul class="tree">
      {nodes.map((node) => (
        <li key={`${node.kind}/${node.key}`}>
          {node.bubble ? <a href={bubblePath(repo, node.bubble)}>{node.key}</a> : node.key}{" "}
          <b>{node.state}</b> <span class="quiet">{[node.title, node.says].filter(Boolean).join(" · ")}</span>
          {node.children.length > 0 ? <Nodes nodes={node.children} repo={repo} /> : null}
        </li>
      ))}
    </ul>
  );
}
