// What `pairflow pass` loads and what of it runs: every turn pays for both. The bundle is made as the build makes it, with the
// name of each module told when it is first used.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
// @ts-expect-error: a script without types
import { makeModulesLazy, staticImports } from "../../scripts/build/lazy-modules.mjs";
import { openShop, type Shop } from "../helpers/shop.ts";
import { begin } from "../mcp/scene.ts";

const root = resolve(import.meta.dirname, "../..");
const entry = "src/cli/entry/agent.ts";
let folder: string;
let shop: Shop;
let bundled: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pairflow-pass-"));
  shop = openShop();
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: "node",
    format: "cjs",
    target: "node20",
    plugins: [staticImports(["agent"])],
    define: {
      __PAIRFLOW_VERSION__: '"0"',
      __PAIRFLOW_VERBS__: "[]",
      "import.meta.dirname": JSON.stringify(join(root, "dist")),
      "import.meta.filename": JSON.stringify(join(root, "dist", "agent.cjs")),
    },
  });
  bundled = outputFiles[0]?.text ?? "";
});
afterAll(() => {
  shop.close();
  rmSync(folder, { recursive: true });
});

/** The same bundle, in which each module of ours says its path when it is initialised, and each entry of a table its name. */
function told(): string {
  const said = bundled.replace(/^\/\/ (src\/[\w./-]+\.ts)$/gm, (line, path: string) =>
    path === entry ? line : `${line}\nrequire("node:fs").writeSync(2, "used ${path}\\n");`,
  );
  const lazy = makeModulesLazy(said, entry) as string;
  const opening = "function __keep(table, key, value) {";
  expect(lazy).toContain(opening);
  return lazy.replace(opening, `${opening}\nrequire("node:fs").writeSync(2, \`built \${key}\\n\`);`);
}

/** A whole pass: what of the bundle it used, which entries of tables it built, and what of Node it loaded. */
async function tellPass() {
  const scene = await begin(shop, "light");
  const file = join(folder, "agent.cjs");
  writeFileSync(file, told());
  const run = `process.on("exit", () => require("node:fs").writeSync(2, process.moduleLoadList.join("\\n")));
require(${JSON.stringify(file)}).run(["pass", "--summary", "Done"], { name: "pairflow" })`;
  const { stderr, stdout } = spawnSync(process.execPath, ["-e", run], {
    cwd: scene.worktree,
    env: { ...shop.env, ...(await scene.turn()) },
    encoding: "utf8",
  });
  expect(stdout, stderr).toMatch(/^Passed \(line \d+\)/);
  const list = (pattern: RegExp) => [...stderr.matchAll(pattern)].map(([, name = ""]) => name);
  return {
    used: list(/^used (\S+)$/gm),
    built: list(/^built (\S+)$/gm),
    ofNode: list(/^NativeModule (\S+)$/gm),
  };
}

it("holds nothing that makes JSON Schemas", () => {
  expect(bundled).toContain("src/core/schema/claim.ts");
  expect(bundled).not.toContain("to-json-schema");
});

it("runs no engine for patterns, reads no Markdown and makes no paper; of the rules, those of claims alone", async () => {
  const { used, built, ofNode } = await tellPass();
  expect(used).toContain("src/core/bubble/decide/claims/pass.ts");
  expect(used.filter((path) => idle.test(path))).toEqual([]);
  // One rule is obeyed, and a line of one type is written.
  expect(built).toContain("pass");
  expect(built.filter((name) => /^[a-z-]+$/.test(name))).toEqual(["pass"]);
  expect(built.filter((name) => name !== "pass")).toEqual(["PASS"]);
  expect(ofNode.filter((name) => largeOfNode.test(name))).toEqual([]);
});

const idle =
  /^src\/core\/(?:gates\/pattern|text\/(?:nfa|glob|markdown)|document\/|paper\/(?!context|kinds)|review\/dialect|bubble\/decide\/(?!claims\/))/;

const largeOfNode =
  /^(?:crypto|child_process|net|stream|internal\/util\/parse_args\/.*|internal\/crypto\/.*)$/;
