// The rounds behind a question that only makes sense to who knows them.
import type { HistoryItem } from "../../../src/core/views/bubble/inbox.ts";

export function History({ rounds }: { readonly rounds: readonly HistoryItem[] }) {
  return (
    <details class="history">
      <summary>
        {rounds.length} {rounds.length === 1 ? "round" : "rounds"} before
      </summary>
      <ol>
        {rounds.map(({ iteration, by, summary, critic, critique, decision }) => (
          <li key={iteration}>
            <b>{by}</b> {summary}
            {critic ? (
              <>
                <br />
                <b>{critic}</b> {decision ?? ""} {critique}
              </>
            ) : null}
          </li>
        ))}
      </ol>
    </details>
  );
}
