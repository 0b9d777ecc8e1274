// docs/json.md: the JSON Schema of what commands print, in a notation that people read.

/** The whole page. */
export function renderJsonPage({ version, commands, error, $defs }) {
  return [
    "# JSON",
    "",
    "This page and [json.schema.json](json.schema.json) are made from the types of the program: `npm run docs` writes them, and a test",
    "fails while they are old.",
    "",
    `Every command takes \`--json\`. This is version ${version} of what they print; \`pairflow --version --json\` names it as`,
    "`json_version`. Within a version keys may be added, never renamed or taken away. Read what you know and ignore the rest.",
    "",
    "- The result is one JSON value on standard output. Narration goes to standard error.",
    "- The exit codes are in [cli.md](cli.md#exit-codes). With code 1, 2, 3 or 70 the value has a key `error`, see [below](#errors), alone or",
    "  beside what was found until then; with any other code it has none.",
    "- A bubble is `bubble` everywhere, a workflow `workflow`, a plan `slug`. Lines of the record keep the `bubble_id` of their format.",
    "- Times are ISO 8601 in UTC. A length of time says its unit: `_ms`, `_s`, `seconds`, `minutes`. An amount on disk says `bytes` or `kilobytes`.",
    "- What is a file as well keeps its keys: gates as in `bubble.toml`, a workflow as in its language, `plan.json` and `tasks.json`.",
    "- `pairflow log --json` prints lines of the record, one JSON object a line, as [record.md](record.md) describes them.",
    "- `pairflow schema <name>` prints a JSON Schema, and with `--example` a value that fits it.",
    "",
    "The schema is JSON Schema 2020-12, one for each command under `commands`: a validator takes `json.schema.json#/commands/bubble%20list`.",
    "",
    "A key with `?` may be absent. Names that begin with a capital letter are [shared forms](#shared-forms).",
    "",
    "## Errors",
    "",
    ...renderBlock(error),
    "",
    "What each `code` means is in [errors.md](errors.md).",
    "",
    "## Commands",
    ...listSorted(commands).flatMap(([words, schema]) => ["", `### ${words}`, "", ...renderBlock(schema)]),
    "",
    "## Shared forms",
    ...listSorted($defs).flatMap(([name, schema]) => ["", `### ${name}`, "", ...renderBlock(schema)]),
    "",
  ].join("\n");
}

const listSorted = (record) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
const renderBlock = (schema) => ["```ts", render(schema, ""), "```"];

function render(schema, indent) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(" | ");
  if (schema.anyOf) return schema.anyOf.map((one) => render(one, indent)).join(" | ");
  if (schema.type === "array") return renderArray(schema.items, indent);
  if (schema.type === "object") return renderObject(schema, indent);
  return schema.type ?? "any";
}

function renderArray(items, indent) {
  const one = render(items, indent);
  return items.anyOf || items.enum?.length > 1 ? `(${one})[]` : `${one}[]`;
}

function renderObject({ properties, required, additionalProperties }, indent) {
  const inner = `${indent}  `;
  const names = Object.keys(properties).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const lines = names.flatMap((name) => {
    const { description, ...schema } = properties[name];
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
    const about = description ? [`${inner}// ${description}`] : [];
    return [...about, `${inner}${key}${required.includes(name) ? "" : "?"}: ${render(schema, inner)}`];
  });
  if (additionalProperties) lines.push(`${inner}[name: string]: ${render(additionalProperties, inner)}`);
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`;
}

/** What the object is about stands first. */
const rank = (name) => ["ok", "bubble", "workflow", "slug", "id"].indexOf(name) + 1 || 9;
