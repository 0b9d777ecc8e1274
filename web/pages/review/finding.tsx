// A finding at its line, with its whole life: who opened it, what was answered, on which tree.
import type { PinnedFinding } from "../../../src/core/views/page/review/payload.ts";

interface FindingProps {
  readonly finding: PinnedFinding;
  /** It does not stand at its line, so it says which one that is. */
  readonly isApart?: boolean;
}

export function Finding({ finding, isApart = false }: FindingProps) {
  const { id, severity, title, status, proven, life, quote, advice } = finding;
  const place = describePlace(finding, isApart);
  return (
    <article class="finding" id={`finding-${id}`} tabIndex={-1} aria-label={`${id} ${severity}`}>
      <p>
        <b>
          {id} {severity}
        </b>{" "}
        {title} <span class={`status ${status}`}>{status}</span>
        <span class="quiet">
          {proven ? "" : " · unproven"}
          {place ? ` · ${place}` : ""}
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

function describePlace({ file, line, at }: PinnedFinding, isApart: boolean): string {
  if (file === null) return "about no file";
  if (line === null) return "about the file";
  if (at === null) return "its line was changed since";
  return at === line ? (isApart ? `line ${line}` : "") : `line ${line} → ${at}`;
}
