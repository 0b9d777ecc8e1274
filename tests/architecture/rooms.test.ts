// The room checker is itself on trial here: a clean tree passes, and every planted violation is named by its
// rule. A checker that has gone blind passes everything, which is why this file exists.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

interface Violation {
  rule: string;
  from: string;
  to: string;
}
interface Report {
  status: number | null;
  modules: number;
  violations: Violation[];
}
type Tree = Record<string, string>;

const clean: Tree = {
  "node_modules/valibot/package.json": '{ "name": "valibot", "version": "1.0.0", "main": "index.js" }',
  "node_modules/valibot/index.js": "export const object = 1;",
  "node_modules/yaml/package.json": '{ "name": "yaml", "version": "1.0.0", "main": "index.js" }',
  "node_modules/yaml/index.js": "export const parse = 1;",
  "package.json": '{ "type": "module", "dependencies": { "valibot": "1.0.0", "yaml": "1.0.0" } }',
  "src/core/model/finding.ts":
    'import { object } from "valibot";\n// new Date() and Math.random() may be spoken of\nexport const finding = object;\n',
  "src/core/limits/rounds.ts":
    'import { finding } from "../model/finding.ts";\nexport type Limit = { at: Date };\nexport const limit = finding;\n',
  "src/core/views/status.ts":
    'import { limit } from "../limits/rounds.ts";\nexport type Status = typeof limit;\nexport const status = limit;\n',
  "src/ports/clock.ts":
    'import type { Limit } from "../core/limits/rounds.ts";\nexport type Clock = () => Limit;\n',
  "src/adapters/clock/system.ts":
    'import { hrtime } from "node:process";\nimport type { Clock } from "../../ports/clock.ts";\nexport const clock = hrtime as unknown as Clock;\n',
  "src/adapters/process/node.ts":
    'import { spawn } from "node:child_process";\nimport { parse } from "yaml";\nexport const start = [spawn, parse];\n',
  "src/engine/drive/drive.ts":
    'import { status } from "../../core/views/status.ts";\nimport type { Clock } from "../../ports/clock.ts";\nexport const drive = (clock: Clock) => [clock, status];\n',
  "src/engine/turns/turn.ts":
    'import { status } from "../../core/views/status.ts";\nexport const turn = status;\n',
  "src/engine/front/drive.ts": 'export { drive } from "../drive/drive.ts";\n',
  "src/app/world/compose.ts":
    'import { clock } from "../../adapters/clock/system.ts";\nimport { start } from "../../adapters/process/node.ts";\nimport { drive } from "../../engine/front/drive.ts";\nexport const app = [clock, start, drive];\n',
  "src/cli/entry/main.ts":
    'export const run = async () => (await import("../../app/world/compose.ts")).app;\nexport * from "../../engine/front/drive.ts";\n',
  "src/core/workflow/source/agents.ts":
    'import { finding } from "../../model/finding.ts";\nexport const boundAgent = finding;\n',
  "src/core/workflow/load.ts":
    'import { boundAgent } from "./source/agents.ts";\nexport const loadWorkflow = boundAgent;\n',
  "src/app/workflows/file.ts":
    'import { loadWorkflow } from "../../core/workflow/load.ts";\nexport const expand = loadWorkflow;\n',
  "src/app/making/pin.ts":
    'import { expand } from "../workflows/file.ts";\nexport type Pinned = typeof expand;\nexport const pin = expand;\n',
  "src/app/making/settle.ts":
    'import { boundAgent } from "../../core/workflow/source/agents.ts";\nimport { pin } from "./pin.ts";\nexport const settle = [boundAgent, pin];\n',
  "src/app/world/pinned.ts": 'import type { Pinned } from "../making/pin.ts";\nexport type P = Pinned;\n',
  "src/cli/entry/agent.ts": "export const run = () => undefined;\n",
  "web/page.ts":
    'import type { Status } from "../src/core/views/status.ts";\nexport const show = (s: Status) => s;\n',
};

interface Plant {
  what: string;
  rule: string;
  file: string;
  text: string;
}

const plants: Plant[] = [
  plant("the file system in core", "builtins-core", "src/core/views/a1.ts", 'import "node:fs";'),
  plant("a built-in without its prefix in core", "builtins-core", "src/core/views/a2.ts", 'import "crypto";'),
  plant("a built-in in the engine", "builtins-engine", "src/engine/drive/a3.ts", 'import "node:timers";'),
  plant("a random number in core", "hidden-input", "src/core/views/b1.ts", "export const r = Math.random();"),
  plant("the clock in core", "hidden-input", "src/core/views/b2.ts", "export const d = new Date();"),
  plant(
    "the clock under another name in core",
    "hidden-input",
    "src/core/views/b3.ts",
    "export const D = Date;",
  ),
  plant("the process in a port", "hidden-input", "src/ports/b4.ts", "export const e = process.env;"),
  plant("an unlisted package in core", "packages-core", "src/core/views/c1.ts", 'import "yaml";'),
  plant("a package in the cli", "packages-cli", "src/cli/verb/c2.ts", 'import "valibot";'),
  plant(
    "an upward import of a type",
    "room-core",
    "src/core/views/d1.ts",
    'import type { Clock } from "../../ports/clock.ts";\nexport type C = Clock;',
  ),
  plant(
    "engine to adapter",
    "room-engine",
    "src/engine/drive/e1.ts",
    'import "../../adapters/clock/system.ts";',
  ),
  plant("adapter to adapter", "siblings-adapters", "src/adapters/log/f1.ts", 'import "../clock/system.ts";'),
  plant(
    "what adapters share to an adapter",
    "siblings-adapters",
    "src/adapters/disk/f2.ts",
    'import "../clock/system.ts";',
  ),
  plant("cli to adapter", "room-cli", "src/cli/verb/g1.ts", 'import "../../adapters/clock/system.ts";'),
  plant(
    "a re-export across rooms",
    "room-ports",
    "src/ports/g2.ts",
    'export * from "../engine/drive/drive.ts";',
  ),
  plant(
    "a dynamic import",
    "room-core",
    "src/core/views/h1.ts",
    'export const h = () => import("../../app/world/compose.ts");',
  ),
  plant(
    "an import whose path is computed",
    "computed-import",
    "src/app/host/h2.ts",
    "export const h = (path: string) => import(path);",
  ),
  plant(
    "a process started outside adapters/process",
    "only-in-adapters-process",
    "src/app/host/i1.ts",
    'import { spawn } from "node:child_process";\nexport const s = spawn;',
  ),
  plant(
    "the model leaning on the rest of core",
    "layer-core-model",
    "src/core/model/j1.ts",
    'import "../limits/rounds.ts";',
  ),
  plant(
    "a type of a higher folder of core in a lower one",
    "layer-core-judge",
    "src/core/judge/j2.ts",
    'import type { Status } from "../views/status.ts";\nexport type S = Status;',
  ),
  plant(
    "a folder of core without a place in the order",
    "unlisted-layer",
    "src/core/helpers/j3.ts",
    'import "../limits/rounds.ts";',
  ),
  plant(
    "a part of the engine behind its front, in app",
    "front-engine",
    "src/app/operate/j4.ts",
    'import "../../engine/turns/turn.ts";',
  ),
  plant(
    "a type of the engine behind its front, in the commands",
    "front-engine",
    "src/cli/verb/j10.ts",
    'import type { drive } from "../../engine/drive/drive.ts";\nexport type D = typeof drive;',
  ),
  plant(
    "a lower folder of the commands that knows a higher one",
    "layer-cli-render",
    "src/cli/render/j5.ts",
    'import "../entry/agent.ts";',
  ),
  plant(
    "a second expander of workflows",
    "kept-to-core-workflow-load",
    "src/app/pipeline/j6.ts",
    'import "../../core/workflow/load.ts";',
  ),
  plant(
    "a second binder of agents",
    "kept-to-core-workflow-source-agents",
    "src/app/pipeline/j7.ts",
    'import "../../core/workflow/source/agents.ts";',
  ),
  plant(
    "a second maker of bubbles",
    "kept-to-app-making-pin",
    "src/app/world/j8.ts",
    'import "../making/pin.ts";',
  ),
  plant(
    "a bubble settled beside the maker",
    "kept-to-app-making-settle",
    "src/cli/new-bubble/j9.ts",
    'import "../../app/making/settle.ts";',
  ),
  plant(
    "a cycle",
    "cycle",
    "src/app/host/k1.ts",
    'import { k2 } from "./k2.ts";\nexport const k1 = () => k2;',
  ),
  plant("a file nobody needs", "orphan", "src/core/views/l1.ts", "export const l = 1;"),
  plant("an import of nothing", "unresolved", "src/app/host/m1.ts", 'import "./missing.ts";'),
  plant("a file beside the rooms", "unlisted-room", "src/stray.ts", 'import "./core/views/status.ts";'),
  plant("a room without a row", "unlisted-room", "src/utils/n1.ts", 'import "../core/views/status.ts";'),
  plant("a rule in the page", "room-web", "web/o1.ts", 'import type { Clock } from "../src/ports/clock.ts";'),
  plant("a value in the page", "types-only-web", "web/o2.ts", 'export * from "../src/core/views/status.ts";'),
];
const otherHalfOfTheCycle: Tree = {
  "src/app/host/k2.ts": 'import { k1 } from "./k1.ts";\nexport const k2 = () => k1;\n',
};

function plant(what: string, rule: string, file: string, text: string): Plant {
  return { what, rule, file, text: `${text}\n` };
}

const trees: string[] = [];

function makeTree(files: Tree): string {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-rooms-"));
  trees.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function check(tree: string): Report {
  const script = join(root, "scripts", "rooms.mjs");
  const done = spawnSync(process.execPath, [script, "--json", "--root", tree], { encoding: "utf8" });
  expect(done.stdout, done.stderr).not.toBe("");
  return { ...JSON.parse(done.stdout), status: done.status };
}

/** Whether a violation is about a file, or about the room that the file is in. */
function concerns({ from }: Violation, file: string): boolean {
  return from.replace(/:\d+$/, "") === file || file.startsWith(`${from}/`);
}

afterAll(() => {
  for (const tree of trees) rmSync(tree, { recursive: true, force: true });
});

describe("the room checker", () => {
  it("passes a clean tree, having seen all of it", () => {
    const report = check(makeTree(clean));
    expect(report.violations).toEqual([]);
    expect(report.modules).toBe(Object.keys(clean).filter((path) => /^(src|web)\//.test(path)).length);
    expect(report.status).toBe(0);
  });

  it("fails when it sees no module at all", () => {
    const report = check(makeTree({ "src/core/readme.md": "no code here\n", "package.json": "{}" }));
    expect(report).toMatchObject({ status: 1, modules: 0 });
  });

  describe("catches", () => {
    let report: Report;
    beforeAll(() => {
      const planted = Object.fromEntries(plants.map(({ file, text }) => [file, text]));
      report = check(makeTree({ ...clean, ...otherHalfOfTheCycle, ...planted }));
    });

    it.each(plants)("$what ($rule)", ({ rule, file }) => {
      const rules = report.violations.filter((found) => concerns(found, file)).map((found) => found.rule);
      expect(rules).toContain(rule);
    });

    it("nothing but what was planted, and says so with its exit status", () => {
      const files = [...plants.map(({ file }) => file), ...Object.keys(otherHalfOfTheCycle)];
      const innocent = report.violations.filter((found) => !files.some((file) => concerns(found, file)));
      expect(innocent).toEqual([]);
      expect(report.status).toBe(1);
    });
  });
});

describe("the table of rooms", () => {
  const rooms = JSON.parse(readFileSync(join(root, "rooms.json"), "utf8"));

  it("has a row in docs/architecture.md for every folder of src", () => {
    const page = join(root, "docs", "architecture.md");
    const text = existsSync(page) ? readFileSync(page, "utf8") : "";
    const missing = readdirSync(join(root, "src")).filter((name) => !text.includes(`| \`${name}/\` |`));
    expect(missing).toEqual([]);
  });

  it.each(["core", "engine", "app", "cli"])(
    "has the folders of %s in the order of docs/architecture.md",
    (room) => {
      const text = readFileSync(join(root, "docs", "architecture.md"), "utf8");
      const [, part = ""] = text.split(`Inside \`${room}/\``);
      const shown = [...(part.split("\n\n")[1] ?? "").matchAll(/^\| `([\w-]+)\/` \|/gm)].map(
        ([, name]) => name,
      );
      const { folders } = rooms.layers.find((layer: { room: string }) => layer.room === room);
      expect(shown).toEqual(folders.map(({ name }: { name: string }) => name));
    },
  );

  it("opens no room that does not exist", () => {
    expect(Object.keys(rooms.rooms).sort()).toEqual(readdirSync(join(root, "src")).sort());
  });

  it("forbids the same globals as the linter", () => {
    const biome = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    const { options } = biome.overrides[0].linter.rules.style.noRestrictedGlobals;
    expect(Object.keys(options.deniedGlobals)).toEqual(rooms.noHiddenInputs.globals);
    const folders = rooms.noHiddenInputs.rooms.map((name: string) => `src/${name}/**`);
    expect(biome.overrides[0].includes).toEqual(folders);
  });
});
