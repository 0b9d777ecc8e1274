// The rounds as a picture: one column a round, one row an agent, the gates between them, and below why it continued.
import type { OverviewPage } from "../../../src/core/views/page/overview.ts";
import type { RoundTurn, RoundView } from "../../../src/core/views/page/rounds.ts";
import { Clipped } from "../../parts/clipped.tsx";

export function Rounds({ page }: { readonly page: OverviewPage }) {
  const { rounds } = page;
  if (rounds.length === 0) return null;
  const agents = [...new Set(rounds.flatMap(({ turns }) => turns.map(({ agent }) => agent)))];
  return (
    <section aria-labelledby="rounds">
      <h2 id="rounds">Rounds</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide picture is scrolled with the keyboard too */}
      <section class="scrolls" tabIndex={0} aria-label="Rounds as a picture">
        <table class="rounds">
          <thead>
            <tr>
              <td />
              {rounds.map(({ round }) => (
                <th key={round} scope="col">
                  round {round}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {agents.map((agent) => (
              <tr key={agent}>
                <th scope="row">{agent}</th>
                {rounds.map((one) => (
                  <td key={one.round}>
                    {one.turns
                      .filter((turn) => turn.agent === agent)
                      .map((turn) => (
                        <Turn key={turn.seq} turn={turn} />
                      ))}
                  </td>
                ))}
              </tr>
            ))}
            <tr>
              <th scope="row">gates</th>
              {rounds.map((one) => (
                <td key={one.round}>
                  <Gates round={one} />
                </td>
              ))}
            </tr>
            <tr class="why">
              <th scope="row">why</th>
              {rounds.map(({ round, why }) => (
                <td key={round}>
                  {why.map((text) => (
                    <p key={text}>{text.replace(/^round \d+:? /, "")}</p>
                  ))}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Turn({ turn }: { readonly turn: RoundTurn }) {
  const isReview = turn.does === "reviewed";
  return (
    <div class={`turn ${turn.does}`}>
      <p>
        <span aria-hidden="true">{isReview ? "◇" : "▣"}</span> {turn.role}
        {turn.verdict ? <b class={turn.verdict}> {turn.verdict}</b> : null}{" "}
        <span class="quiet">{turn.tree.slice(0, 4)}</span>
      </p>
      <p class="quiet">
        <Clipped text={turn.says} />
      </p>
      <p>
        {turn.opened.map((id) => (
          <span key={id} class="opened">
            +{id}{" "}
          </span>
        ))}
        {turn.closed.map((id) => (
          <span key={id} class="closed">
            −{id}{" "}
          </span>
        ))}
      </p>
    </div>
  );
}

function Gates({ round }: { readonly round: RoundView }) {
  const run = round.gates.at(-1);
  if (!run) return null;
  return (
    <>
      {run.results.map(({ name, status, ms }) => (
        <p key={name} class={`gate ${status}`}>
          <span aria-hidden="true">{status === "passed" ? "✓" : status === "skipped" ? "–" : "✗"}</span>{" "}
          {name}{" "}
          <span class="quiet">
            {status === "passed" ? "" : `${status} `}
            {(ms / 1000).toFixed(1)} s
          </span>
        </p>
      ))}
    </>
  );
}
