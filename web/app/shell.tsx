// What stands around every page: where one is, whose session it is, whether it is live, and how much waits.

import { useEffect } from "preact/hooks";
import type { HeaderPage } from "../../src/core/views/page/payload.ts";
import { duration, now } from "../live/clock.ts";
import { usePayload } from "../live/payload.ts";
import { staleSince } from "../live/stream.ts";
import { BubblePage } from "../pages/bubble/bubble.tsx";
import { Bubbles } from "../pages/bubbles/bubbles.tsx";
import { Inbox } from "../pages/inbox/inbox.tsx";
import { Keys } from "../pages/keys/keys.tsx";
import { Open } from "../pages/open.tsx";
import { Later } from "../parts/later.tsx";
import { header, tellHeader } from "./header.ts";
import { type Route, route } from "./route.ts";
import { KeySheet } from "./sheet.tsx";

export function Shell() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <Top />
      <main id="main" tabIndex={-1}>
        <Page at={route.value} />
      </main>
      <KeySheet />
    </>
  );
}

function Page({ at }: { readonly at: Route }) {
  switch (at.page) {
    case "inbox":
      return <Inbox />;
    case "bubbles":
      return <Bubbles />;
    case "bubble":
      return <BubblePage key={`${at.repo}/${at.id}`} at={at} />;
    case "keys":
      return <Keys />;
    case "insights":
      return (
        <Later
          key="insights"
          load={() => import("../pages/insights/insights.tsx").then(({ Insights }) => Insights)}
          at={at}
        />
      );
    case "plans":
    case "plan":
      return (
        <Later
          key={at.page}
          load={() => import("../pages/plans/plans.tsx").then(({ PlanPages }) => PlanPages)}
          at={at}
        />
      );
    case "program":
      return (
        <Later
          key="program"
          load={() => import("../pages/workflow/workflow.tsx").then(({ ProgramPage }) => ProgramPage)}
          at={at}
        />
      );
    case "open":
      return <Open />;
    default:
      return (
        <div class="empty">
          <h1>There is no such page</h1>
          <p>
            <a href="/">To the inbox</a>
          </p>
        </div>
      );
  }
}

const places = [
  { page: "inbox", path: "/", name: "Inbox" },
  { page: "bubbles", path: "/bubbles", name: "Bubbles" },
  { page: "plans", path: "/plans", name: "Plans" },
  { page: "program", path: "/workflows/pair", name: "Workflows" },
  { page: "insights", path: "/insights", name: "Insights" },
  { page: "keys", path: "/keys", name: "Keys" },
] as const;

function Top() {
  const { page } = route.value;
  if (page === "open") return null;
  return (
    <header class="top">
      <nav aria-label="Pages">
        {places.map(({ page: one, path, name }) => (
          <a key={path} href={path} aria-current={page === one ? "page" : undefined}>
            {name}
            {one === "inbox" && header.value ? <Waiting count={header.value.waiting} /> : null}
          </a>
        ))}
      </nav>
      {page === "inbox" ? null : <Counted />}
      <p class="about">
        {header.value ? (
          <>
            <span title="The terminal of pairflow ui shows the same two words">{header.value.words}</span>
            <span class="repositories">{header.value.repositories.join(", ") || "no repository"}</span>
          </>
        ) : null}
        <Liveness />
      </p>
    </header>
  );
}

/** The inbox counts itself; everywhere else what waits is counted apart. */
function Counted() {
  const { value } = usePayload<HeaderPage>("/api/header", (key) => key === "inbox");
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  return null;
}

function Waiting({ count }: { readonly count: number | null }) {
  return count ? <span class="count">{count}</span> : null;
}

function Liveness() {
  const since = staleSince.value;
  if (since === undefined) return <span class="live">live</span>;
  return <span class="live stale">stale {duration(now.value - since)}</span>;
}
