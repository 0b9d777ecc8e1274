// The table in docs/agents.md, made from what the adapters declare, so that it cannot promise anything else.
import type { Abilities, Ability, AgentAdapter } from "../../ports/agent/adapter.ts";
import { escapeProse, renderTableHead, renderTableRow, replaceTable } from "./table.ts";

type Declared = Pick<AgentAdapter, "name" | "about" | "can">;

const columns: readonly (readonly [keyof Abilities, string])[] = [
  ["resume", "resume"],
  ["structuredAnswer", "structured answer"],
  ["readOnly", "read-only"],
  ["usage", "usage"],
  ["ask", "ask"],
  ["interrupt", "interrupt"],
  ["panes", "panes"],
];

const begin = "<!-- made by `npm run docs` from the adapters; change them, not this table -->";
/** The page with its table written again. */
export const replaceAgentsTable = (page: string, adapters: readonly Declared[]): string =>
  replaceTable(page, begin, renderAgentsTable(adapters));

function renderAgentsTable(adapters: readonly Declared[]): string {
  const notes: string[] = [];
  const cell = ({ name, can }: Declared, [key, title]: (typeof columns)[number]) => {
    const { word, reason } = describeAbility(can[key]);
    if (reason === undefined) return word;
    notes.push(`${notes.length + 1}. \`${name}\`, ${title}: ${reason}.`);
    return `${word}<sup>${notes.length}</sup>`;
  };
  const rows = adapters.map((adapter) =>
    renderTableRow([
      `\`${adapter.name}\``,
      ...columns.map((column) => cell(adapter, column)),
      escapeProse(adapter.about),
    ]),
  );
  const titles = ["adapter", ...columns.map(([, title]) => title), "what it runs"];
  return [...renderTableHead(titles), ...rows, "", ...notes].join("\n");
}

function describeAbility(ability: Ability): { readonly word: string; readonly reason?: string } {
  if (ability === "yes") return { word: "yes" };
  return "no" in ability
    ? { word: "no", reason: escapeProse(ability.no) }
    : { word: "partly", reason: escapeProse(ability.partly) };
}
