// What each agent was told, word by word.
import { useSignal } from "@preact/signals";
import type { PromptsPage } from "../../../src/core/views/page/papers.ts";
import { type BubbleAt, BubbleHead, useTab } from "./head.tsx";
import { timeOfDay } from "./timeline.tsx";

export function Prompts({ at }: { readonly at: BubbleAt }) {
  const wanted = useSignal("");
  const loaded = useTab<PromptsPage>(
    at,
    "prompts",
    wanted.value ? `?artifact=${encodeURIComponent(wanted.value)}` : "",
  );
  const { value } = loaded;
  return (
    <div class="bubble">
      <BubbleHead at={at} loaded={loaded} />
      {value?.prompts.length === 0 ? <p class="nothing">Nobody was told anything yet.</p> : null}
      <ul class="rows">
        {value?.prompts.map((row) => (
          <li key={row.seq}>
            <span class="name">
              <button
                type="button"
                class="plain"
                aria-expanded={wanted.value === row.artifact}
                onClick={() => {
                  wanted.value = wanted.value === row.artifact ? "" : row.artifact;
                }}
              >
                {row.agent} · {row.role}
              </button>
            </span>
            <span>
              round {row.round} · turn {row.turn}
            </span>
            <time class="quiet" dateTime={row.at}>
              {timeOfDay(row.at)}
            </time>
            {value.shown?.artifact === row.artifact && wanted.value === row.artifact ? (
              <pre class="paper">{value.shown.text}</pre>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
