// What stands behind the change: evidence by what it is for, what gates printed, and the message it would be committed with.
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { duration } from "../../live/clock.ts";
import { goToLine } from "./side.tsx";

export function About({ page }: { readonly page: ReviewPage }) {
  return (
    <section class="about-change" aria-label="Behind this change">
      <Evidence page={page} />
      <Gates page={page} />
      {page.sign ? (
        <section id="message" tabIndex={-1} aria-label="Commit message">
          <h2>Commit message</h2>
          <pre class="message">{page.sign.message}</pre>
        </section>
      ) : null}
    </section>
  );
}

function Evidence({ page }: { readonly page: ReviewPage }) {
  return (
    <section id="evidence" tabIndex={-1} aria-label="Evidence">
      <h2>Evidence</h2>
      {page.evidence.length === 0 ? <p class="quiet">No review has counted yet.</p> : null}
      {page.evidence.map(({ id, text, places, none }) => (
        <div key={id + text} class="subject">
          <h3>
            {id} <span>{text}</span>
          </h3>
          {places.length === 0 ? <p class="quiet">{none ?? "no evidence on this tree"}</p> : null}
          <ul>
            {places.map((place) => (
              <li key={place.agent + place.place}>
                <b>{place.agent}</b>
                <Place page={page} place={place} />
                <span>
                  {place.says}{" "}
                  {place.holds ? null : (
                    <span class="note">
                      does not stand in this tree{place.problem ? `: ${place.problem}` : ""}
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

type PlaceOf = ReviewPage["evidence"][number]["places"][number];

/** Leads to the line, where its file is part of the change. */
function Place({ page, place }: { readonly page: ReviewPage; readonly place: PlaceOf }) {
  if (!page.files.some(({ path }) => path === place.file)) return <code>{place.place}</code>;
  return (
    <a href={`#${place.place}`} onClick={goToLine(place.file, place.line)}>
      <code>{place.place}</code>
    </a>
  );
}

function Gates({ page }: { readonly page: ReviewPage }) {
  if (page.gates.length === 0) return null;
  return (
    <section id="gates" tabIndex={-1} aria-label="Gates">
      <h2>Gates</h2>
      {page.gates.map(({ name, status, ms, hint, output }) => (
        <details key={name} open={status === "failed"}>
          <summary>
            <b>{name}</b> <span class={`gate ${status}`}>{status}</span>{" "}
            <span class="quiet">{ms < 1000 ? `${ms} ms` : duration(ms)}</span> {hint}
          </summary>
          <pre class="output">{output || "It printed nothing."}</pre>
        </details>
      ))}
    </section>
  );
}
