// Tables of pages that people write otherwise: each stands between two comments, and is written again from the program.

const end = "<!-- end of the table -->";

/** The page with the table behind this comment written again. */
export function replaceTable(page: string, begin: string, table: string): string {
  const [before, rest] = page.split(`${begin}\n`);
  const after = rest?.split(end).slice(1).join(end);
  if (before === undefined || !rest?.includes(end))
    throw new Error(`the page has no place for the table ${begin}`);
  return `${before}${begin}\n\n${table}\n\n${end}${after}`;
}

export const renderTableRow = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
export const renderTableHead = (titles: readonly string[]) => [
  renderTableRow(titles),
  `|${"---|".repeat(titles.length)}`,
];

/** Text outside of code, as Markdown shows it whole. */
export const escapeProse = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
