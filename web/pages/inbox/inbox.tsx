// Home: what waits for the person, oldest first; then who works, who is silent, and what was left lying.
import { useEffect } from "preact/hooks";
import type { InboxPage } from "../../../src/core/views/page/inbox.ts";
import { tellHeader } from "../../app/header.ts";
import { useKeys } from "../../app/keys.ts";
import { usePayload } from "../../live/payload.ts";
import { Command } from "../../parts/command.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { inboxKeys } from "./inbox-keys.ts";
import { Item } from "./item.tsx";
import { Plans, Problems, Silent, Works } from "./rows.tsx";

export function Inbox() {
  const { value, refused } = usePayload<InboxPage>("/api/inbox", (key) => key === "inbox");
  useEffect(() => {
    if (value) tellHeader(value);
  }, [value]);
  return (
    <div class="inbox">
      <h1>Inbox</h1>
      {refused ? <Refusal refused={refused} /> : null}
      {value ? <Loaded inbox={value} /> : refused ? null : <p class="quiet">Loading …</p>}
    </div>
  );
}

function Loaded({ inbox }: { readonly inbox: InboxPage }) {
  useKeys(inboxKeys);
  const { items, works, silent, plans, problems } = inbox;
  return (
    <>
      <p class="unseen" aria-live="polite">
        {items.length > 0 ? `${items.length} ${items.length === 1 ? "item needs" : "items need"} you` : ""}
      </p>
      {items.length > 0 ? (
        <section aria-labelledby="needs">
          <h2 id="needs">
            Needs you <span class="quiet">oldest first</span>
          </h2>
          <ul class="items">
            {items.map((item) => (
              <Item
                key={`${item.repo}/${item.bubble}/${item.id}`}
                item={item}
                draft={inbox.drafts[`${item.repo}/${item.bubble}/${item.id}`]}
              />
            ))}
          </ul>
        </section>
      ) : (
        <Nothing inbox={inbox} />
      )}
      <Problems rows={problems} />
      <Works rows={works} />
      <Silent rows={silent} />
      <Plans rows={plans} />
    </>
  );
}

function Nothing({ inbox }: { readonly inbox: InboxPage }) {
  if (inbox.bubbles > 0) {
    const count = inbox.works.length;
    return (
      <p class="nothing">
        Nothing waits for you.{" "}
        {count === 0 ? "" : `${count} ${count === 1 ? "bubble works" : "bubbles work"}.`}
      </p>
    );
  }
  return (
    <div class="nothing">
      <p>There is no bubble yet. Three commands to begin, in a repository:</p>
      <ol>
        {[
          "pairflow init",
          'pairflow bubble create --id fix-cart --task "…"',
          "pairflow bubble start --id fix-cart",
        ].map((text) => (
          <li key={text}>
            <Command text={text} />
          </li>
        ))}
      </ol>
    </div>
  );
}
