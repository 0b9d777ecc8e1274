// What stands behind the change: what to know before signing, evidence by criterion, gates, the commit message.
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { GateMarks } from "../../parts/gates.tsx";

export function About({ page }: { readonly page: ReviewPage }) {
  const { know, criteria, evidence, gates, gates_clean: isClean, sign } = page;
  return (
    <section class="about-change" aria-label="About this change">
      <dl class="parts">
        <div>
          <dt>Know</dt>
          <dd>
            {know.length === 0 ? <span class="quiet">nothing beyond this page</span> : null}
            {know.map(({ code, text }) => (
              <p key={code + text}>{text}</p>
            ))}
          </dd>
        </div>
        <div>
          <dt>Gates</dt>
          <dd>
            <GateMarks gates={gates} />{" "}
            <span class="quiet">
              {gates.length === 0
                ? ""
                : isClean
                  ? "on a clean checkout of exactly this tree"
                  : "on this tree, in the worktree"}
            </span>
            {gates.map(({ name, hint }) => (hint ? <p key={name}>{`${name}: ${hint}`}</p> : null))}
          </dd>
        </div>
        <div>
          <dt>Evidence</dt>
          <dd>
            {criteria.map((criterion) => (
              <p key={criterion.id}>
                <b>{criterion.id}</b> {criterion.text}
              </p>
            ))}
            {evidence.length === 0 ? <span class="quiet">no review has counted yet</span> : null}
            <ul>
              {evidence.map((item) => (
                <li key={`${item.iteration}${item.place}${item.for}${item.why}`}>
                  <b>{item.agent}</b> {item.kind === "file" ? "" : `${item.for} · `}
                  <code>{item.place}</code> {item.why ?? item.says}{" "}
                  {item.holds ? null : (
                    <span class="note">
                      does not stand in this tree{item.problem ? `: ${item.problem}` : ""}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </dd>
        </div>
        {sign ? (
          <div>
            <dt>Message</dt>
            <dd class="prose">{sign.message}</dd>
          </div>
        ) : null}
      </dl>
    </section>
  );
}
