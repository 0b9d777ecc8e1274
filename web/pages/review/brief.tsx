// What somebody who was not there reads first: what was done and why, what may go wrong, who judged it by what, and what to know
// before signing.
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { Clipped } from "../../parts/clipped.tsx";
import { GateMarks } from "../../parts/gates.tsx";

export function Brief({ page }: { readonly page: ReviewPage }) {
  const { brief, know } = page;
  return (
    <section class="brief" aria-label="In short">
      <div class="said-of-it">
        <p class="what-changed">
          <Clipped text={brief.what} />
        </p>
        <dl>
          <Part name="Why" text={brief.why} />
          <Part name="Risks" text={brief.risks} />
          <Part name="Try" text={brief.test_plan} />
        </dl>
      </div>
      <dl class="proof">
        <div>
          <dt>Gates</dt>
          <dd>
            <GateMarks gates={page.gates} />
            {page.gates.length > 0 ? (
              <span class="quiet">
                {" "}
                {page.gates_clean
                  ? "on a clean checkout of exactly this tree"
                  : "on this tree, in the worktree"}
              </span>
            ) : null}
          </dd>
        </div>
        <div>
          <dt>Reviews</dt>
          <dd>
            <Reviews page={page} />
          </dd>
        </div>
        {page.findings.length > 0 ? (
          <div>
            <dt>Findings</dt>
            <dd>
              <Fates page={page} />
            </dd>
          </div>
        ) : null}
        {brief.edits.length > 0 ? (
          <div>
            <dt>Edits</dt>
            <dd>
              {brief.edits.map((edit) => (
                <p key={edit}>
                  <Clipped text={edit} />
                </p>
              ))}
            </dd>
          </div>
        ) : null}
        <div>
          <dt>Know</dt>
          <dd>
            {know.length === 0 ? <span class="quiet">nothing beyond this page</span> : null}
            <ul class="know">
              {know.map(({ code, text }) => (
                <li key={code + text}>
                  <Clipped text={text} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Part({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === "") return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd class="prose">
        <Clipped text={text} />
      </dd>
    </div>
  );
}

function Reviews({ page }: { readonly page: ReviewPage }) {
  const { reviews } = page.brief;
  if (reviews.length === 0) return <span class="quiet">none of this tree</span>;
  return (
    <span class="facts">
      {reviews.map(({ agent, round, clean }) => (
        <span key={`${agent}${round}`}>
          {agent}{" "}
          <span class={clean ? "clean" : "findings"}>{clean ? "✓ found nothing" : "✗ has findings"}</span>{" "}
          <span class="quiet">round {round}</span>
        </span>
      ))}
    </span>
  );
}

/** How many became what, the open ones first. */
function Fates({ page }: { readonly page: ReviewPage }) {
  const fates = [...new Set(page.findings.map(({ status }) => status))].sort(
    (a, b) => Number(b === "open") - Number(a === "open"),
  );
  return (
    <span class="facts">
      {fates.map((fate) => (
        <span key={fate} class={`status ${fate}`}>
          {page.findings.filter(({ status }) => status === fate).length} {fate}
        </span>
      ))}
    </span>
  );
}
