// What happened in one bubble, for a file: its rounds with why each continued, findings with their whole life, and the timeline.
import type { OverviewPage } from "../page/overview.ts";
import type { FindingLife } from "../page/review/findings.ts";
import type { RoundTurn, RoundView } from "../page/rounds.ts";
import { type Markup, writeElement } from "./html.ts";

export function renderBubble(page: OverviewPage): Markup[] {
  return [renderRounds(page.rounds), ...renderFindings(page.findings), renderTimeline(page)];
}

export function renderHead({ title, id, repo, state, round, max_rounds: most, tree }: OverviewPage): Markup {
  const facts = [
    `${id} · ${repo} · ${state.toLowerCase().replaceAll("_", " ")}`,
    round > 0 ? `round ${round} of ${most}` : "",
    tree ? `tree ${tree}` : "",
  ];
  return writeElement(
    "header",
    { class: "bubble-head" },
    writeElement(
      "div",
      {},
      writeElement("h1", {}, title),
      writeElement("p", { class: "quiet" }, facts.filter(Boolean).join(" · ")),
    ),
  );
}

function renderRounds(rounds: readonly RoundView[]): Markup {
  const agents = [...new Set(rounds.flatMap(({ turns }) => turns.map(({ agent }) => agent)))];
  const row = (name: string, cell: (round: RoundView) => readonly Markup[]) =>
    writeElement(
      "tr",
      {},
      writeElement("th", { scope: "row" }, name),
      ...rounds.map((round) => writeElement("td", {}, cell(round))),
    );
  return writeElement(
    "section",
    {},
    writeElement("h2", {}, "Rounds"),
    rounds.length === 0
      ? writeElement("p", { class: "quiet" }, "Nothing has been handed over.")
      : writeElement(
          "div",
          { class: "scrolls" },
          writeElement(
            "table",
            { class: "rounds" },
            writeElement(
              "thead",
              {},
              writeElement(
                "tr",
                {},
                writeElement("td", {}),
                ...rounds.map(({ round }) => writeElement("th", { scope: "col" }, `round ${round}`)),
              ),
            ),
            writeElement(
              "tbody",
              {},
              ...agents.map((agent) =>
                row(agent, ({ turns }) => turns.filter((turn) => turn.agent === agent).map(renderTurn)),
              ),
              row("gates", ({ gates }) => (gates.at(-1)?.results ?? []).map(renderGate)),
              row("why", ({ why }) => why.map((text) => writeElement("p", {}, text))),
            ),
          ),
        ),
  );
}

function renderTurn({ role, verdict, tree, says, opened, closed }: RoundTurn): Markup {
  const changes = [...opened.map((id) => `+${id}`), ...closed.map((id) => `−${id}`)].join(" ");
  return writeElement(
    "div",
    { class: "turn" },
    writeElement(
      "p",
      {},
      `${role} `,
      verdict ? writeElement("b", {}, verdict) : null,
      writeElement("span", { class: "quiet" }, ` ${tree.slice(0, 8)}`),
    ),
    writeElement("p", { class: "quiet" }, says),
    changes ? writeElement("p", {}, changes) : null,
  );
}

export const renderGate = ({ name, status, ms }: { name: string; status: string; ms: number }): Markup =>
  writeElement("p", { class: `gate ${status}` }, `${name} ${status} · ${(ms / 1000).toFixed(1)} s`);

function renderFindings(findings: readonly FindingLife[]): Markup[] {
  if (findings.length === 0) return [];
  return [writeElement("section", {}, writeElement("h2", {}, "Findings"), ...findings.map(renderFinding))];
}

export function renderFinding(finding: FindingLife): Markup {
  const { id, severity, title, status, proven, file, line, quote, advice, life } = finding;
  const place = file ? `${file}${line ? `:${line}` : ""}` : "";
  return writeElement(
    "article",
    { class: "finding" },
    writeElement(
      "p",
      {},
      writeElement("b", {}, `${id} ${severity}`),
      ` ${title} `,
      writeElement("span", { class: `status ${status}` }, status),
      writeElement(
        "span",
        { class: "quiet" },
        [proven ? "" : " · unproven", place ? ` · ${place}` : ""].join(""),
      ),
    ),
    quote ? writeElement("pre", { class: "quote" }, quote) : null,
    advice ? writeElement("p", { class: "quiet" }, advice) : null,
    writeElement(
      "ol",
      {},
      ...life.map(({ round, who, what, says, tree }) =>
        writeElement(
          "li",
          {},
          `round ${round} · ${what === "delivered" ? `delivered to ${who}` : `${who} ${what}`}${says ? `: ${says}` : ""} · ${tree.slice(0, 8)}`,
        ),
      ),
    ),
  );
}

function renderTimeline({ timeline, coming, spent }: OverviewPage): Markup {
  return writeElement(
    "section",
    {},
    writeElement("h2", {}, "Timeline"),
    writeElement(
      "ol",
      { class: "timeline" },
      ...timeline.map(({ seq, ts, who, what, text }) =>
        writeElement(
          "li",
          {},
          writeElement("time", { datetime: ts }, `${ts.slice(0, 19).replace("T", " ")} `),
          writeElement("b", {}, who),
          ` ${what} ${text}`,
          writeElement("span", { class: "quiet" }, ` line ${seq}`),
        ),
      ),
      ...coming.map((step) => writeElement("li", { class: "coming quiet" }, `next: ${step}`)),
    ),
    spent.tokens > 0
      ? writeElement(
          "p",
          { class: "quiet" },
          `${spent.tokens} tokens${spent.usd === null ? "" : ` · $${spent.usd.toFixed(2)}`}`,
        )
      : null,
  );
}
