// The package as it would be signed, with what to know first.
import type { PackagePage } from "../../../src/core/views/page/papers.ts";
import { GateMarks } from "../../parts/gates.tsx";
import { type BubbleAt, BubbleHead, useTab } from "./head.tsx";

export function Package({ at }: { readonly at: BubbleAt }) {
  const loaded = useTab<PackagePage>(at, "package");
  return (
    <div class="bubble">
      <BubbleHead at={at} loaded={loaded} />
      {loaded.value ? <Parts view={loaded.value.package} /> : null}
    </div>
  );
}

function Parts({ view }: { readonly view: PackagePage["package"] }) {
  const parts: [string, string][] = [
    ["What", view.what],
    ["Why", view.why],
    ["Risks", view.risks],
    ["Test plan", view.test_plan],
    ["Commit message", view.commit_message],
  ];
  return (
    <dl class="parts">
      {parts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class="prose">{text || <span class="quiet">not written</span>}</dd>
        </div>
      ))}
      <div>
        <dt>Know</dt>
        <dd>
          {view.know.length === 0 ? <span class="quiet">nothing beyond this page</span> : null}
          {view.know.map(({ code, text }) => (
            <p key={code + text}>{text}</p>
          ))}
        </dd>
      </div>
      <div>
        <dt>Criteria</dt>
        <dd>
          {view.criteria.length === 0 ? <span class="quiet">none named</span> : null}
          {view.criteria.map((criterion) => (
            <p key={criterion.id}>
              <b>{criterion.id}</b> {criterion.text}{" "}
              <span class="quiet">
                {criterion.evidence?.join(", ") ||
                  (criterion.evidence ? "no evidence" : "judged in its own task")}
              </span>
            </p>
          ))}
        </dd>
      </div>
      <div>
        <dt>Gates</dt>
        <dd>
          <GateMarks gates={view.gates} />
        </dd>
      </div>
      <div>
        <dt>Files</dt>
        <dd>
          {view.files.map(({ path, added, removed }) => (
            <p key={path}>
              <code>{path}</code> <ins>+{added ?? "binary"}</ins> <del>−{removed ?? "binary"}</del>
            </p>
          ))}
        </dd>
      </div>
    </dl>
  );
}
