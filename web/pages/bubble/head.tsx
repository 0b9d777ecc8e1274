// What every tab of a bubble has: its payload, its head and the other tabs.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { BubbleHeader } from "../../../src/core/views/page/overview.ts";
import { tellHeader } from "../../app/header.ts";
import { bubblePath, type Route } from "../../app/route.ts";
import { type Loaded, usePayload } from "../../live/payload.ts";
import { Actions } from "../../parts/actions.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { TreeName } from "../../parts/tree-name.tsx";

export type BubbleAt = Extract<Route, { page: "bubble" }>;

const tabs = ["overview", "review", "workflow", "plan", "panes", "log", "package", "prompts"] as const;

/** The payload of one tab of a bubble; it is asked for again whenever the bubble has changed. */
export function useTab<T extends BubbleHeader>(
  at: BubbleAt,
  tab: string,
  query = "",
  everyMs?: number,
): Loaded<T> {
  const key = `${at.repo}/${at.id}`;
  const path = `/api${bubblePath(at.repo, at.id, tab)}${query}`;
  const loaded = usePayload<T>(
    path,
    (changed) => changed === `bubble/${key}` || changed === `live/${key}`,
    everyMs,
  );
  const { value } = loaded;
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  return loaded;
}

export function BubbleHead({ at, loaded }: { readonly at: BubbleAt; readonly loaded: Loaded<BubbleHeader> }) {
  const { value, refused } = loaded;
  const tabRow = useRef<HTMLElement>(null);
  // On a phone there are more than fit beside each other.
  useLayoutEffect(() => showCurrent(tabRow.current), [at.tab]);
  return (
    <>
      <header class="bubble-head">
        <div>
          <h1>{value?.title ?? at.id}</h1>
          <p class="quiet">
            {at.id} · {at.repo}
            {value?.host ? ` · on ${value.host}` : ""}
            {value ? (
              <>
                {" · "}
                <b>{stateWords(value.state)}</b>
                {value.round > 0 ? ` · round ${value.round} of ${value.max_rounds}` : ""}
                {value.tree ? (
                  <>
                    {" · tree "}
                    <TreeName tree={value.tree} />
                  </>
                ) : null}
              </>
            ) : null}
          </p>
        </div>
        {value ? <Actions repo={at.repo} bubble={at.id} actions={value.actions} /> : null}
      </header>
      <nav ref={tabRow} class="tabs" aria-label={`Pages of ${at.id}`}>
        {tabs.map((tab) => (
          <a
            key={tab}
            href={bubblePath(at.repo, at.id, tab === "overview" ? undefined : tab)}
            aria-current={tab === at.tab ? "page" : undefined}
          >
            {tab}
          </a>
        ))}
      </nav>
      {refused ? <Refusal refused={refused} /> : null}
    </>
  );
}

function showCurrent(row: HTMLElement | null): void {
  const current = row?.querySelector<HTMLElement>("[aria-current]");
  if (row && current)
    row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
}

const stateWords = (state: string): string => state.toLowerCase().replaceAll("_", " ");
