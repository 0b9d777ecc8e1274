// A finding at its line, with its whole life: who opened it, what was answered, on which tree.
import type { PinnedFinding } from "../../../src/core/views/page/review/payload.ts";

export function Finding({ finding }: { readonly finding: PinnedFinding }) {
  const { id, severity, title, status, proven, life, line, at, quote, advice } = finding;
  const moved = at === null ? "its line was changed since" : at !== line ? `line ${line} → ${at}` : "";
  return (
    <article class="finding" id={`finding-${id}`} tabIndex={-1} aria-label={`${id} ${severity}`}>
      <p>
        <b>
          {id} {severity}
        </b>{" "}
        {title} <span class={`status ${status}`}>{status}</span>
        <span class="quiet">
          {proven ? "" : " · unproven"}
          {moved ? ` · ${moved}` : ""}
        </span>
      </p>
      {quote ? <pre class="quote">{quote}</pre> : null}
      {advice ? <p class="quiet">{advice}</p> : null}
      <ol>
        {life.map(({ seq, round, who, what, says, tree }) => (
          <li key={`${seq}${what}`}>
            <span class="quiet">r{round}</span> {what === "delivered" ? "delivered to " : ""}
            <b>{who}</b> {what === "delivered" ? "" : what}
            {says && !["opened", "delivered"].includes(what) ? `: ${says}` : ""}{" "}
            <span class="quiet">{tree.slice(0, 4)}</span>
          </li>
        ))}
      </ol>
    </article>
  );
}
