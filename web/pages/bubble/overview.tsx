// Where a bubble stands: what it asks, its rounds as a picture, what happened and what comes, who works below, what it used.
import type { OverviewPage } from "../../../src/core/views/page/overview.ts";
import { bubblePath } from "../../app/route.ts";
import { Age } from "../../parts/age.tsx";
import { Command } from "../../parts/command.tsx";
import { Editor } from "../../parts/editor.tsx";
import { dollars, tokens } from "../../parts/money.ts";
import { Item } from "../inbox/item.tsx";
import { Children } from "./children.tsx";
import { type BubbleAt, BubbleHead, useTab } from "./head.tsx";
import { Rounds } from "./rounds.tsx";
import { Timeline } from "./timeline.tsx";

export function Overview({ at }: { readonly at: BubbleAt }) {
  const loaded = useTab<OverviewPage>(at, "overview");
  const { value } = loaded;
  return (
    <div class="bubble">
      <BubbleHead at={at} loaded={loaded} />
      {value ? <Standing page={value} /> : null}
    </div>
  );
}

function Standing({ page }: { readonly page: OverviewPage }) {
  return (
    <>
      {page.items.length > 0 ? (
        <section aria-labelledby="asks">
          <h2 id="asks">Needs you</h2>
          <ul class="items">
            {page.items.map((item) => (
              <Item key={item.id} item={item} draft={page.drafts[item.id]} />
            ))}
          </ul>
        </section>
      ) : (
        <Now now={page.now} />
      )}
      <Rounds page={page} />
      <Findings page={page} />
      <Timeline rows={page.timeline} coming={page.coming} />
      <Children nodes={page.children} repo={page.repo} />
      <Spent spent={page.spent} />
      <Worktree page={page} />
    </>
  );
}

/** Where the work lies, and a way there. */
function Worktree({ page }: { readonly page: OverviewPage }) {
  if (page.worktree === null) return null;
  return (
    <section aria-labelledby="worktree">
      <h2 id="worktree">Worktree</h2>
      <p>
        <code>{page.worktree}</code> <span class="quiet">on {page.branch}</span>
      </p>
      <Editor repo={page.repo} bubble={page.id} />
    </section>
  );
}

function Now({ now }: { readonly now: OverviewPage["now"] }) {
  return (
    <section aria-labelledby="now">
      <h2 id="now">Now</h2>
      <p>
        {now.doing ? (
          <>
            <b>{now.doing}</b>
            {now.since ? (
              <>
                {" for "}
                <Age at={now.since} />
              </>
            ) : null}
            {" · "}
          </>
        ) : null}
        {now.says}
        {now.sign_at ? (
          <span class="quiet">
            {" · last sign "}
            <Age at={now.sign_at} /> ago
          </span>
        ) : null}
      </p>
      {now.gates.map((gate) => (
        <p key={gate.name} class="quiet">
          gate {gate.name} for <Age at={gate.since} /> {gate.last ? `“${gate.last}”` : ""}
        </p>
      ))}
      {now.command ? <Command text={now.command} /> : null}
    </section>
  );
}

function Findings({ page }: { readonly page: OverviewPage }) {
  if (page.findings.length === 0) return null;
  return (
    <section aria-labelledby="findings">
      <h2 id="findings">Findings</h2>
      <ul class="rows">
        {page.findings.map(({ id, severity, title, status, file, line, proven }) => (
          <li key={id}>
            <span class="name">
              <b>{id}</b> {severity} <span class={`status ${status}`}>{status}</span>
            </span>
            <span>{title}</span>
            <span class="quiet">
              {file ? (
                <a href={bubblePath(page.repo, page.id, "review")}>{`${file}${line ? `:${line}` : ""}`}</a>
              ) : null}
              {proven ? "" : " · unproven"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Spent({ spent }: { readonly spent: OverviewPage["spent"] }) {
  if (spent.tokens === 0 && spent.budgets.length === 0) return null;
  return (
    <section aria-labelledby="spent">
      <h2 id="spent">Spent</h2>
      <p>
        {spent.tokens === 0
          ? "No agent has said what it used."
          : [`${tokens(spent.tokens)} tokens`, spent.usd === null ? "" : dollars(spent.usd)]
              .filter(Boolean)
              .join(" · ")}
      </p>
      <ul class="shares">
        {spent.by_agent.map(({ agent, tokens: used }) => (
          <li key={agent}>
            <span>{agent}</span>
            <progress max={Math.max(1, spent.tokens)} value={used} aria-label={`Tokens of ${agent}`} />
            <span class="quiet">{tokens(used)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
