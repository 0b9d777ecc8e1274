// The log: its newest lines, or those around any other, each with the envelope as it stands on the record.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LogPage, LogRow } from "../../../src/core/views/page/log.ts";
import { type BubbleAt, BubbleHead, useTab } from "./head.tsx";
import { timeOfDay } from "./timeline.tsx";

export function Log({ at }: { readonly at: BubbleAt }) {
  const type = useSignal("");
  /** Undefined: the newest lines, and those that come. */
  const before = useSignal<number | undefined>(undefined);
  const wanted = useSignal<number | undefined>(undefined);
  const query = new URLSearchParams({
    ...(type.value ? { type: type.value } : {}),
    ...(before.value === undefined ? {} : { before: String(before.value) }),
  });
  const loaded = useTab<LogPage>(at, "log", query.size > 0 ? `?${query}` : "");
  const { value } = loaded;
  useEffect(() => {
    const line = wanted.value === undefined ? null : document.getElementById(`line-${wanted.value}`);
    line?.scrollIntoView({ block: "center" });
    line?.querySelector("summary")?.focus();
    if (line) wanted.value = undefined;
  }, [value, wanted.value]);
  const goTo = (line: number) => {
    wanted.value = line;
    before.value = line + linesBehind;
  };
  return (
    <div class="bubble">
      <BubbleHead at={at} loaded={loaded} />
      {value ? (
        <>
          <div class="bar">
            <label>
              Only{" "}
              <select
                value={type.value}
                onChange={(event) => {
                  type.value = event.currentTarget.value;
                  before.value = undefined;
                }}
              >
                <option value="">everything</option>
                {value.types.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <LineField most={value.head} goTo={goTo} />
            <Turning page={value} turn={(to) => (before.value = to)} />
          </div>
          <ol class="log">
            {value.rows.map((row) => (
              <Line key={row.seq} row={row} />
            ))}
          </ol>
        </>
      ) : null}
    </div>
  );
}

/** So many lines are shown behind the one that was asked for. */
const linesBehind = 50;

/** Any line by its number. */
function LineField({ most, goTo }: { readonly most: number; goTo(line: number): void }) {
  const text = useSignal("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const line = Number(text.value);
        if (Number.isInteger(line) && line > 0) goTo(Math.min(line, most));
      }}
    >
      <label>
        Line
        <input
          inputMode="numeric"
          size={8}
          placeholder={`1–${most}`}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
    </form>
  );
}

function Turning({ page, turn }: { readonly page: LogPage; turn(before: number | undefined): void }) {
  const { before, later } = page;
  return (
    <span class="turning">
      {before === null ? null : (
        <button type="button" onClick={() => turn(before)}>
          Earlier lines
        </button>
      )}
      {later === null ? null : (
        <>
          <button type="button" onClick={() => turn(later)}>
            Later lines
          </button>
          <button type="button" onClick={() => turn(undefined)}>
            Newest
          </button>
        </>
      )}
    </span>
  );
}

function Line({ row }: { readonly row: LogRow }) {
  const isOpen = useSignal(false);
  return (
    <li id={`line-${row.seq}`}>
      <details
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>
          <span class="quiet">{row.seq}</span> <time dateTime={row.ts}>{timeOfDay(row.ts)}</time>{" "}
          <b>{row.who}</b> <span class="what">{row.what}</span> {row.text}
        </summary>
        {isOpen.value ? <pre>{JSON.stringify(row.raw, null, 2)}</pre> : null}
      </details>
    </li>
  );
}
