// The log, newest first page of it, each line with the envelope as it stands on the record.
import { useSignal } from "@preact/signals";
import type { LogPage, LogRow } from "../../../src/core/views/page/log.ts";
import { bubblePath } from "../../app/route.ts";
import { fetchPayload } from "../../live/ask.ts";
import { type BubbleAt, BubbleHead, useTab } from "./head.tsx";
import { timeOfDay } from "./timeline.tsx";

export function Log({ at }: { readonly at: BubbleAt }) {
  const type = useSignal("");
  const earlier = useSignal<readonly LogRow[]>([]);
  const from = useSignal<number | null | undefined>(undefined);
  const query = type.value ? `?type=${type.value}` : "";
  const loaded = useTab<LogPage>(at, "log", query);
  const { value } = loaded;
  const before = from.value === undefined ? (value?.before ?? null) : from.value;
  const more = async () => {
    const path = `/api${bubblePath(at.repo, at.id, "log")}?before=${before}${type.value ? `&type=${type.value}` : ""}`;
    const answer = await fetchPayload<LogPage>(path);
    if (!answer?.ok) return;
    earlier.value = [...answer.rows, ...earlier.value];
    from.value = answer.before;
  };
  return (
    <div class="bubble">
      <BubbleHead at={at} loaded={loaded} />
      {value ? (
        <>
          <p class="bar">
            <label>
              Only{" "}
              <select
                value={type.value}
                onChange={(event) => {
                  type.value = event.currentTarget.value;
                  earlier.value = [];
                  from.value = undefined;
                }}
              >
                <option value="">everything</option>
                {value.types.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            {before === null ? null : (
              <button type="button" onClick={() => void more()}>
                Earlier lines
              </button>
            )}
          </p>
          <ol class="log">
            {[...earlier.value, ...value.rows].map((row) => (
              <Line key={row.seq} row={row} />
            ))}
          </ol>
        </>
      ) : null}
    </div>
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
