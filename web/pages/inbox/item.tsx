// One thing that waits for a person: who asks what since when, what each answer does, and the answer itself.
import type { PageItem } from "../../../src/core/views/page/inbox.ts";
import { bubblePath } from "../../app/route.ts";
import { Age } from "../../parts/age.tsx";
import { Clipped } from "../../parts/clipped.tsx";
import { Command } from "../../parts/command.tsx";
import { dollars } from "../../parts/money.ts";
import { Answer } from "./answer.tsx";
import { Change } from "./change.tsx";
import { History } from "./history.tsx";

export function Item({ item, draft = "" }: { readonly item: PageItem; readonly draft?: string | undefined }) {
  const name = `${item.bubble ?? item.repo}: ${kindWords(item.kind)}`;
  return (
    <li class="item" aria-label={name} tabIndex={-1}>
      <Heading item={item} />
      <p class="asked">
        <Clipped text={item.text} />
      </p>
      {item.change ? <Change change={item.change} /> : null}
      {item.history ? <History rounds={item.history} /> : null}
      {item.paused ? <p class="quiet">{item.paused}; the answer is kept until it is resumed</p> : null}
      <Way item={item} draft={draft} />
    </li>
  );
}

function Heading({ item }: { readonly item: PageItem }) {
  const { bubble, repo, kind, from, round, max_rounds: last, task, at, usd } = item;
  const where = task
    ? `${task.key} · round ${task.iteration}`
    : round > 0
      ? `round ${round}${last ? ` of ${last}` : ""}`
      : "";
  return (
    <header>
      <span class="mark" aria-hidden="true">
        ◆
      </span>
      <h3>{bubble ? <a href={bubblePath(repo, bubble)}>{bubble}</a> : "project"}</h3>
      <span class="repo">{repo}</span>
      <span class="kind">{kindWords(kind)}</span>
      <span class="meta">
        {[from === "orchestrator" ? "" : from, where, usd === null ? "" : dollars(usd)]
          .filter(Boolean)
          .join(" · ")}
      </span>
      {at ? (
        <span class="age">
          <Age at={at} />
        </span>
      ) : null}
    </header>
  );
}

const kindWords = (kind: string): string => kind.replaceAll("-", " ");

function Way({ item, draft }: { readonly item: PageItem; readonly draft: string }) {
  if (item.answer === "reply") return <Answer item={item} kept={draft} />;
  const canRead = item.answer === "review" && item.bubble !== null;
  return (
    <p class="way">
      {canRead && item.bubble ? (
        <a class="button first" href={bubblePath(item.repo, item.bubble, "review")}>
          {item.kind === "commit" ? "Read and commit" : "Read and sign"}
        </a>
      ) : null}
      <Command text={item.command} />
    </p>
  );
}
