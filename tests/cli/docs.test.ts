// docs/cli.md is what the program says about itself.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { replaceDialectTables, replaceToolTables } from "../../src/cli/docs/claims.ts";
import { renderCliReference } from "../../src/cli/docs/cli.ts";
import { defineVerb } from "../../src/cli/verb/declaration.ts";

it("docs/cli.md is as `npm run docs` writes it", () => {
  const written = readFileSync(resolve(import.meta.dirname, "../../docs/cli.md"), "utf8");
  expect(written === renderCliReference(verbs), "docs/cli.md is old; write it again with: npm run docs").toBe(
    true,
  );
});

it.each([
  ["mcp.md", replaceToolTables],
  ["reviews.md", replaceDialectTables],
])("the tables of docs/%s are as `npm run docs` writes them", (name, write) => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs", name), "utf8");
  expect(page === write(page), `docs/${name} is old; write it again with: npm run docs`).toBe(true);
  expect(() => write("# A page")).toThrow("no place for the table");
});

it("every command that help shows has a line about it without a full stop, and an access", () => {
  for (const { words, about } of verbs) {
    expect(about, words).toMatch(/^\S.*[^.]$/);
  }
  expect(new Set(verbs.map(({ words }) => words)).size).toBe(verbs.length);
});

it("shows required flags in the usage, and everything that Markdown would swallow", () => {
  const example = defineVerb({
    words: "sing",
    about: "Sing a <song>",
    access: "operator",
    takes: "[title]",
    example: "pairflow sing --key c",
    flags: {
      key: { kind: "text", about: "the key", required: true, oneOf: ["c", "d"] },
      part: { kind: "list", value: "A|B", about: "a part" },
      loud: { kind: "switch", about: "not <softly>" },
    },
    run: async () => undefined,
  });
  const [, section] = renderCliReference([example]).split("## sing");
  expect(section).toMatchInlineSnapshot(`
    "

    Sing a &lt;song>. For people; refused inside an agent's process tree.

    \`\`\`
    pairflow sing [title] --key c|d [flags]
    \`\`\`

    | flag | meaning |
    |---|---|
    | \`--key …\` | the key (required; one of \`c\`, \`d\`) |
    | \`--part A\\|B\` | a part (repeatable) |
    | \`--loud\` | not &lt;softly> |

    \`\`\`sh
    pairflow sing --key c
    \`\`\`
    "
  `);
});
