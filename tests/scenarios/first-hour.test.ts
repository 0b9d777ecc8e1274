// The scenes of docs/first-hour.md that need no terminal and no network, played as they are typed: the number of commands is what
// the page promises. Signing uses an operator key where a person would look and type four characters.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
let key: string;

const codex = {
  turns: [
    {
      role: "implementer",
      steps: [
        { replace: { path: "index.js", find: "a - b", with: "a + b" } },
        {
          pass: {
            ...{ summary: "Adds", what: "add adds", why: "it subtracted", risks: "none known" },
            ...{ test_plan: "npm test", commit_message: "fix: add adds" },
          },
        },
      ],
    },
    { role: "reviewer", steps: [{ converge: { summary: "Clean", checked: ["index.js:1 adds"] } }] },
  ],
};
const claude = {
  turns: [
    {
      role: "reviewer",
      steps: [{ pass: { summary: "Clean", no_findings: true, checked: ["index.js:1 adds"] } }],
    },
  ],
};

beforeAll(() => {
  shop = openShop();
  key = join(shop.folder, "keys", "operator.key");
  const script = (name: string, turns: unknown) => {
    const path = join(shop.folder, `${name}.json`);
    writeFileSync(path, JSON.stringify(turns));
    return `  ${name}: {adapter: scripted, script: ${path}}\n`;
  };
  writeFileSync(
    join(shop.repo, "package.json"),
    '{"type":"module","scripts":{"test":"node --check index.js"}}',
  );
  writeFileSync(join(shop.repo, "index.js"), "export const add = (a, b) => a - b;\n");
  mkdirSync(join(shop.repo, ".pairflow"));
  const agents = `agents:\n${script("codex", codex)}${script("claude", claude)}`;
  writeFileSync(join(shop.repo, ".pairflow", "config.yaml"), agents);
  shop.git("config", "user.name", "Ada");
  shop.git("config", "user.email", "ada@localhost");
  shop.git("add", "-A");
  shop.git("commit", "-qm", "Start");
});
afterAll(() => shop.close());

/** Every line must succeed; what the last one printed. */
function play(...lines: readonly (readonly string[])[]): string {
  let shown = "";
  for (const line of lines) {
    const { code, stdout, stderr } = shop.run(...line);
    expect(code, `${line.join(" ")}\n${stderr}`).toBe(0);
    shown = stdout;
  }
  return shown;
}

/** The number of commands that the page promises for a scene. */
function getPromised(scene: number): number {
  const page = readFileSync(new URL("../../docs/first-hour.md", import.meta.url), "utf8");
  const row = page.split("\n").find((line) => line.startsWith(`| ${scene} |`)) ?? "";
  return Number(row.split("|").at(-3));
}

it("2 to 4: a folder says what to do, is looked at, and is prepared", () => {
  expect(play([])).toContain("next");
  expect(play(["init", "--dry-run"])).toContain("test  required  npm run test");
  expect(play(["init", "--yes", "--operator-key", key])).toContain("committed .gitignore");
});

it("6 and 9: from installed to a commit of one's own, and on to colleagues", () => {
  const lines = [
    ["create", "Fix add"],
    ["start", "--headless"],
    ["approve", "--yes", "--operator-key", key],
    ["commit", "--operator-key", key],
  ];
  expect(play(...lines)).toContain("Next: git merge bubble/fix-add");
  // `init` came before.
  expect(lines.length + 1).toBe(getPromised(6));
  const request = play(["commit", "fix-add", "--pr", "--operator-key", key]);
  expect(request).toContain("gh pr create --base main --head bubble/fix-add --title 'fix: add adds'");
  const [, file = ""] = /--body-file (\S+)/.exec(request) ?? [];
  expect(readFileSync(file, "utf8")).toContain("## Why\n\nit subtracted");
});

it("7 and 8: an issue becomes a task, and several are driven one after the other", () => {
  writeFileSync(join(shop.folder, "issue.md"), "title:\tAdd is wrong\nstate:\tOPEN\n--\nIt subtracts\n");
  play(["create", "--issue", join(shop.folder, "issue.md"), "--json"], ["create", "Second fix"]);
  const shown = play(["start", "--all", "--parallel", "2"]);
  expect(shown).toContain("add-is-wrong   READY_FOR_APPROVAL   pairflow bubble approve --id add-is-wrong");
  expect(shown).toContain("second-fix     READY_FOR_APPROVAL");
});

it("10: the disk is freed, and what has not ended stays", () => {
  const lines = [["clean"], ["clean", "--yes"]];
  expect(play(...lines)).toMatch(/fix-add +DONE .* deleted\nDeleted 1 bubble/);
  expect(lines).toHaveLength(getPromised(10));
  expect(play(["list"])).toContain("second-fix");
});
