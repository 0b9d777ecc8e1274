// The tables of what agents can say: arguments of the tools in docs/mcp.md, fields of the dialects in docs/reviews.md. Both
// are made from the JSON Schemas that models are given, which are made from the declarations.
import { dialects } from "../../core/model/review/verdict.ts";
import { buildReviewProperties } from "../../core/review/dialect/schema.ts";
import type { Properties, Schema } from "../../core/schema/json-schema.ts";
import { buildInputSchema } from "../../mcp/schemas.ts";
import { tools } from "../../mcp/tools.ts";
import { escapeProse, renderTableHead, renderTableRow, replaceTable } from "./table.ts";

const begin = (name: string) => `<!-- ${name}: made by \`npm run docs\` from its declaration -->`;

/** docs/mcp.md with the arguments of each tool. */
export const replaceToolTables = (page: string): string =>
  tools.reduce((text, { name, schema, like }) => {
    const { properties, required } = buildInputSchema(schema, like);
    const rows = Object.entries(properties as Properties).map(([argument, field]) =>
      renderTableRow([
        ...renderCells(argument, field),
        (required as readonly string[]).includes(argument) ? "required" : "",
        renderDescription(field),
      ]),
    );
    return replaceTable(
      text,
      begin(name),
      [...renderTableHead(["argument", "form", "", "meaning"]), ...rows].join("\n"),
    );
  }, page);

/** docs/reviews.md with the fields of the dialects: first what all have in common, then what each has of its own. */
export function replaceDialectTables(page: string): string {
  const [first, ...others] = dialects.map(buildReviewProperties);
  const shared = Object.keys(first ?? {}).filter((name) => others.every((one) => name in one));
  const isUsual = (name: string, field: Schema) =>
    shared.includes(name) && JSON.stringify(first?.[name]) === JSON.stringify(field);
  const own = dialects.flatMap((dialect) =>
    Object.entries(buildReviewProperties(dialect))
      .filter(([name, field]) => !isUsual(name, field))
      .map(([name, field]) => renderDialectRow(`\`${dialect}\``, name, field)),
  );
  const all = shared.map((name) => renderDialectRow("every", name, first?.[name] ?? {}));
  return replaceTable(
    page,
    begin("fields"),
    [...renderTableHead(["dialect", "field", "form", "", "meaning"]), ...all, ...own].join("\n"),
  );
}

const renderDialectRow = (dialect: string, name: string, field: Schema) =>
  renderTableRow([
    dialect,
    ...renderCells(name, field),
    listTypes(field).includes("null") ? "may be null" : "",
    renderDescription(field),
  ]);

const renderCells = (name: string, field: Schema) => [`\`${name}\``, describeForm(field)];
const renderDescription = ({ description }: Schema) => escapeProse(String(description ?? ""));
const listTypes = ({ type }: Schema): readonly unknown[] => [type].flat();

const words: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  boolean: "true or false",
};

/** `[{id, reason?}]`, the words it may be, or the name of its type. */
function describeForm(field: Schema): string {
  const choice = (field.enum as readonly unknown[] | undefined)?.filter((word) => word !== null);
  if (choice) return choice.map((word) => `\`${String(word)}\``).join(", ");
  const parts = describeParts(field);
  if (parts) return `\`${parts}\``;
  const [type = "object"] = listTypes(field).filter((one) => one !== "null");
  if (type === "array")
    return listTypes((field.items ?? {}) as Schema).includes("object") ? "objects" : "texts";
  return words[String(type)] ?? String(type);
}

function describeParts({ properties, required, items }: Schema): string | undefined {
  const inner = items && describeParts(items as Schema);
  if (inner) return `[${inner}]`;
  if (!properties) return undefined;
  const isOptional = ([name, field]: readonly [string, Schema]) =>
    !(required as readonly string[]).includes(name) || listTypes(field).includes("null");
  const names = Object.entries(properties as Properties).map(
    (entry) => `${entry[0]}${isOptional(entry) ? "?" : ""}`,
  );
  return `{${names.join(", ")}}`;
}
