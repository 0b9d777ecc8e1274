// The command loads one of several bundles by its first words: what it answers must not depend on which one.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { verbs } from "../../src/cli/commands/verbs.ts";
import { isTerminal } from "../../src/cli/terminal/terminal.ts";
import { renderOverview, renderShortHelp } from "../../src/cli/verb/help.ts";
import { version } from "../../src/cli/verb/run.ts";

const root = join(import.meta.dirname, "..", "..");
const bundles = readdirSync(join(root, "src", "cli", "entry")).map((file) => file.replace(".ts", ""));
const say = (...argv: string[]) =>
  spawnSync(process.execPath, [join(root, "bin", "pairflow"), ...argv], { encoding: "utf8" });

describe("bundles", () => {
  test("help, answered by a small bundle, tells of every verb", () => {
    expect(say("help").stdout).toBe(renderShortHelp(version, Number.POSITIVE_INFINITY));
    const { stdout, status } = say("help", "--all");
    expect(stdout.trimEnd()).toBe(renderOverview(verbs, version, Number.POSITIVE_INFINITY).trimEnd());
    expect(status).toBe(0);
  });

  test("help of a verb that is in another bundle shows its flags", () => {
    const { stdout, status } = say("help", "bubble", "create");
    expect(stdout).toContain("--implementer");
    expect(status).toBe(0);
  });

  test("each bundle has its compiled form beside it, and nothing in it that is not ASCII", () => {
    const names = readdirSync(join(root, "dist"));
    for (const bundle of bundles) {
      expect(names.filter((name) => name.startsWith(`${bundle}.cjs.${process.version}-`))).toHaveLength(1);
      const bytes = readFileSync(join(root, "dist", `${bundle}.cjs`));
      expect(bytes.findIndex((byte) => byte > 0x7f)).toBe(-1);
    }
  });
});

test("the first command in a repository reads less than half of what all commands are, and nothing that drives", () => {
  const sizeOf = (name: string) => statSync(join(root, "dist", `${name}.cjs`)).size;
  expect(sizeOf("init")).toBeLessThan(sizeOf("main") / 2);
  // The code of a claim over the driver's socket, which is answered from main.
  const holds = (name: string) =>
    readFileSync(join(root, "dist", `${name}.cjs`), "utf8").includes("turn.bad-claim");
  expect([holds("main"), holds("init")]).toEqual([true, false]);
});

test("an installed package has no compiled form before its first command that succeeds, and one afterwards; a driver its own", () => {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-installed-"));
  const bundles = ["status.cjs", "main.cjs"];
  for (const part of ["bin", "package.json", ...bundles.map((name) => join("dist", name))])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const compiled = () => readdirSync(join(folder, "dist")).filter((name) => !bundles.includes(name));
  const once = (...argv: string[]) =>
    spawnSync(process.execPath, [join(folder, "bin", "pairflow"), ...argv], { encoding: "utf8" });
  expect(once("bubble", "list", "--nonsense").status).toBe(2);
  expect(compiled()).toEqual([]);
  const first = once("--version");
  expect(first).toMatchObject({ status: 0, stdout: expect.stringContaining(version) });
  expect(compiled()).toEqual([expect.stringMatching(/^status\.cjs\.v.*\.bin$/)]);
  expect(once("--version").stdout).toBe(first.stdout);
  expect(once("complete", "--", "bubble", "start", "--headless").status).toBe(0);
  expect(compiled()).toContainEqual(expect.stringMatching(/^main\.cjs\.drive\.v.*\.bin$/));
  expect(compiled()).toHaveLength(2);
  rmSync(folder, { recursive: true });
});

test("a package that is installed needs nothing beside itself, and has the pages that screens name", () => {
  const { dependencies, files } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect([dependencies, files]).toEqual([undefined, expect.arrayContaining(["bin", "dist/*.cjs", "docs"])]);
  for (const bundle of bundles) {
    const text = readFileSync(join(root, "dist", `${bundle}.cjs`), "utf8");
    // Between quotes it is text: ajv has words for code that it does not write here.
    const wanted = [...text.matchAll(/(?<![\w'"`])require\("([^"]+)"\)/g)].map(([, name = ""]) => name);
    expect(wanted.filter((name) => !isBuiltin(name))).toEqual([]);
  }
});

/** What each small bundle may be made of beside src: what is not named is not read at any start. */
test("agent and status verbs hold no library but the one for schemas, and nothing that parses, packs or serves", async () => {
  for (const entry of ["agent", "status"]) {
    const { metafile } = await build({
      entryPoints: [join(root, "src", "cli", "entry", `${entry}.ts`)],
      absWorkingDir: root,
      bundle: true,
      platform: "node",
      write: false,
      metafile: true,
      logLevel: "silent",
      // A chunk of its own, loaded where the settings name a server.
      external: ["./nats-store.ts"],
    });
    expect(readFileSync(join(root, "dist", `${entry}.cjs`), "utf8")).not.toContain("$JS.API");
    const used = Object.keys(Object.values(metafile.outputs)[0]?.inputs ?? {});
    const libraries = used.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    expect([...new Set(libraries)]).toEqual(["valibot"]);
    const rooms = [
      "src/mcp/",
      "src/adapters/agent/",
      "src/adapters/seat/",
      "src/adapters/workspace/",
      "src/engine/turns/",
    ];
    expect(used.filter((path) => rooms.some((room) => path.startsWith(room)))).toEqual([]);
  }
});

test("the version and the status of a bubble load none of Node's large modules", () => {
  const loaded = `process.on("exit", () => require("node:fs").writeSync(2, process.moduleLoadList.join("\\n")))`;
  for (const argv of [["--version"], ["bubble", "list", "--repo", root]]) {
    const script = `process.argv.splice(1, 0, "x");${loaded};require(${JSON.stringify(join(root, "bin", "pairflow"))})`;
    const { stderr, status } = spawnSync(process.execPath, ["-e", script, ...argv], {
      encoding: "utf8",
      env: {},
    });
    expect(status).toBe(0);
    const large = ["crypto", "child_process", "http", "net", "zlib", "stream", "readline", "tty"];
    expect(stderr.split("\n").filter((name) => large.includes(name.replace("NativeModule ", "")))).toEqual(
      [],
    );
  }
});

test("files, /dev/null and closed descriptors are no terminals", () => {
  const file = openSync(join(root, "package.json"), "r");
  const nothing = openSync("/dev/null", "r");
  expect([isTerminal(file), isTerminal(nothing)]).toEqual([false, false]);
  closeSync(file);
  closeSync(nothing);
  expect(isTerminal(file)).toBe(false);
});
