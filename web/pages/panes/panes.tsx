// What agents and gates print now: a mirror of their panes that follows the end, unless somebody reads further up.
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { PanesPage } from "../../../src/core/views/page/bubble/panes.ts";
import { Age } from "../../parts/age.tsx";
import { Command } from "../../parts/command.tsx";
import { type BubbleAt, BubbleHead, useTab } from "../bubble/head.tsx";
import { piecesOf } from "./ansi.ts";

const everyMs = 1000;

export function Panes({ at }: { readonly at: BubbleAt }) {
  const loaded = useTab<PanesPage>(at, "panes", "", everyMs);
  return (
    <div class="bubble">
      <BubbleHead at={at} loaded={loaded} />
      {loaded.value ? <Screens page={loaded.value} /> : null}
    </div>
  );
}

function Screens({ page }: { readonly page: PanesPage }) {
  const { panes, gates, attach } = page;
  return (
    <>
      {panes.length + gates.length === 0 ? <p class="nothing">Nobody has printed anything yet.</p> : null}
      <div class="screens">
        {gates.map(({ name, since, text }) => (
          <section key={name} aria-label={`gate ${name}`}>
            <h2>
              gate {name}{" "}
              <span class="quiet">
                runs for <Age at={since} />
              </span>
            </h2>
            <Screen name={`What gate ${name} prints`} text={text} />
          </section>
        ))}
        {panes.map(({ agent, role, works, from, text }) => (
          <section key={agent} aria-label={agent}>
            <h2>
              {agent}{" "}
              <span class="quiet">
                {[role, works ? "works now" : "", from === "pane" ? "its pane" : "what it printed last"]
                  .filter(Boolean)
                  .join(" · ")}
              </span>
            </h2>
            <Screen name={`What ${agent} shows`} text={text} />
          </section>
        ))}
      </div>
      {attach ? (
        <p class="way quiet">
          A mirror: to type into a pane, sit down there. <Command text={attach} />
        </p>
      ) : null}
    </>
  );
}

function Screen({ name, text }: { readonly name: string; readonly text: string }) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  const pieces = useMemo(() => piecesOf(text), [text]);
  useLayoutEffect(() => {
    const { current } = place;
    if (current && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [pieces]);
  return (
    <pre
      ref={place}
      class="screen"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long screen is scrolled with the keyboard too
      tabIndex={0}
      aria-label={name}
      role="log"
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 24;
      }}
    >
      {pieces.map(({ text: part, kind, style }, index) => (
        <span key={index} class={kind} style={style}>
          {part}
        </span>
      ))}
    </pre>
  );
}
