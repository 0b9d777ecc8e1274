// docs/cli.md is what the program says about itself.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { cliReference } from "../../src/cli/docs/cli.ts";
import { verb } from "../../src/cli/verb/verb.ts";

it("docs/cli.md is as `npm run docs` writes it", () => {
  const written = readFileSync(resolve(import.meta.dirname, "../../docs/cli.md"), "utf8");
  expect(written === cliReference(verbs), "docs/cli.md is old; write it again with: npm run docs").toBe(true);
});

it("every command that help shows has a line about it without a full stop, and an access", () => {
  for (const { words, about } of verbs) {
    expect(about, words).toMatch(/^\S.*[^.]$/);
  }
  expect(new Set(verbs.map(({ words }) => words)).size).toBe(verbs.length);
});

it("shows required flags in the usage, and everything that Markdown would swallow", () => {
  const example = verb({
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
  const [, section] = cliReference([example]).split("## sing");
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
