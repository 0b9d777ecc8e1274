// What happened last, line by line, and behind it in grey what comes if nothing goes wrong.
import type { TimelineRow } from "../../../src/core/views/history/timeline.ts";

export const timeOfDay = (iso: string): string =>
  new Date(iso).toLocaleTimeString(undefined, { hour12: false });

export function Timeline({
  rows,
  coming,
}: {
  readonly rows: readonly TimelineRow[];
  readonly coming: readonly string[];
}) {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline">Timeline</h2>
      <ol class="timeline">
        {rows.map((row) => (
          <li key={row.seq}>
            <time dateTime={row.ts}>{timeOfDay(row.ts)}</time>
            <b>{row.who}</b>
            <span>
              <span class="what">{row.what}</span> {row.text}
            </span>
          </li>
        ))}
        {coming.length > 0 ? (
          <li class="coming">
            <span>next</span>
            <span />
            <span>{coming.join(" → ")}</span>
          </li>
        ) : null}
      </ol>
    </section>
  );
}
