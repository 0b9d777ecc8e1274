// The table in docs/agents.md, made from what the adapters declare, so that it cannot promise anything else.
import type { Abilities, Ability, AgentAdapter } from "../../ports/agent.ts";

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
const end = "<!-- end of the table -->";

/** The page with its table written again. */
export function withAgentsTable(page: string, adapters: readonly Declared[]): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error("docs/agents.md has no place for the table");
  return `${before}${begin}\n\n${agentsTable(adapters)}\n\n${end}${after}`;
}

function agentsTable(adapters: readonly Declared[]): string {
  const notes: string[] = [];
  const cell = ({ name, can }: Declared, [key, title]: (typeof columns)[number]) => {
    const { word, reason } = spoken(can[key]);
    if (reason === undefined) return word;
    notes.push(`${notes.length + 1}. \`${name}\`, ${title}: ${reason}.`);
    return `${word}<sup>${notes.length}</sup>`;
  };
  const rows = adapters.map((adapter) =>
    row([`\`${adapter.name}\``, ...columns.map((column) => cell(adapter, column)), prose(adapter.about)]),
  );
  const titles = ["adapter", ...columns.map(([, title]) => title), "what it runs"];
  return [row(titles), `|${"---|".repeat(titles.length)}`, ...rows, "", ...notes].join("\n");
}

function spoken(ability: Ability): { readonly word: string; readonly reason?: string } {
  if (ability === "yes") return { word: "yes" };
  return "no" in ability
    ? { word: "no", reason: prose(ability.no) }
    : { word: "partly", reason: prose(ability.partly) };
}

const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const prose = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
