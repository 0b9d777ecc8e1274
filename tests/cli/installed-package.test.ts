// The package as `npm pack` makes it, installed into a folder: one package, small, with its pages and licences, and quick from
// the second command on even where its folder belongs to somebody else.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getUserFolder } from "../../src/app/host/user-folder.ts";
import { version } from "../../src/cli/verb/run.ts";

const root = join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(join(tmpdir(), "pairflow-package-"));
const installed = join(folder, "prefix", "lib", "node_modules", "pairflow");
const home = join(folder, "home");
const env = { PATH: process.env.PATH, HOME: home };
let tarball = "";

const npm = (...argv: string[]) =>
  execFileSync("npm", [...argv, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    encoding: "utf8",
    env: { ...env, npm_config_cache: join(folder, "cache") },
  });

beforeAll(() => {
  mkdirSync(home);
  const [packed] = JSON.parse(npm("pack", "--json", "--ignore-scripts", "--pack-destination", folder));
  tarball = join(folder, packed.filename);
  npm("install", "--global", "--prefix", join(folder, "prefix"), tarball);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package that npm pack makes", () => {
  it("is below 3 MB and brings no other package", () => {
    expect(statSync(tarball).size).toBeLessThan(3_000_000);
    expect(readdirSync(join(folder, "prefix", "lib", "node_modules"))).toEqual(["pairflow"]);
    expect(existsSync(join(installed, "node_modules"))).toBe(false);
  });

  it("has every page that its own pages link to, and the licence of every bundled package", () => {
    const pages = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
    expect(readdirSync(join(installed, "docs"))).toEqual(expect.arrayContaining(pages));
    const links = ["README.md", ...pages.map((name) => `docs/${name}`)].flatMap((page) =>
      [...readFileSync(join(installed, page), "utf8").matchAll(/\]\(([^)#:\s]+)[^)]*\)/g)].map(
        ([, to = ""]) => join(dirname(page), to),
      ),
    );
    // Pictures would make the package three times as large, and tests are of no use without the sources.
    const kept = links.filter((to) => !/(^|\/)(https?$|pictures\b)|^tests\//.test(to));
    const gone = kept.filter((to) => !existsSync(join(installed, to)));
    expect([kept.length > 100, [...new Set(gone)]]).toEqual([true, []]);
    const licences = readFileSync(join(installed, "dist", "licences.txt"), "utf8");
    for (const name of ["preact", "valibot", "yaml", "smol-toml", "@modelcontextprotocol/server"])
      expect(licences).toMatch(
        new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|ISC|BSD-3-Clause|Apache-2\\.0)\\)$`, "m"),
      );
  });

  it("keeps its compiled code in the user's folder where its own may not be written", () => {
    chmodSync(folder, 0o755);
    chmodSync(home, 0o777);
    const dist = join(installed, "dist");
    const before = readdirSync(dist);
    if (process.getuid?.() !== 0) chmodSync(dist, 0o555);
    const run = () =>
      spawnSync(process.execPath, [join(folder, "prefix", "bin", "pairflow"), "--version"], {
        encoding: "utf8",
        cwd: folder,
        env,
        // Root may write everywhere, so it asks as somebody else.
        ...(process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}),
      });
    expect(run()).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: "" });
    chmodSync(dist, 0o755);
    const compiled = join(getUserFolder({ HOME: home }), "compiled");
    const hash = readFileSync(join(dist, "status.cjs"), "latin1").slice(-16);
    expect(readdirSync(compiled)).toEqual([`status.cjs.${process.version}-${hash}.bin`]);
    expect(statSync(compiled).mode & 0o777).toBe(0o700);
    expect(run()).toMatchObject({ status: 0, stdout: `${version}\n` });
    expect(readdirSync(dist)).toEqual(before);
  });

  it("is a library: the example runs against it, as a program of somebody else", () => {
    const project = join(folder, "project");
    const repo = join(folder, "shop");
    mkdirSync(join(project, "node_modules"), { recursive: true });
    symlinkSync(installed, join(project, "node_modules", "pairflow"));
    cpSync(join(root, "examples", "library", "run-bubble.mjs"), join(project, "run-bubble.mjs"));
    cpSync(join(root, "examples", "demo", "repo"), repo, { recursive: true });
    mkdirSync(join(repo, ".pairflow"));
    const script = join(folder, "asks.json");
    writeFileSync(
      script,
      JSON.stringify({ turns: [{ role: "implementer", steps: [{ ask: "Before tax?" }] }] }),
    );
    const agent = `{ adapter: scripted, script: ${script} }`;
    writeFileSync(join(repo, ".pairflow", "config.yaml"), `agents:\n  codex: ${agent}\n  claude: ${agent}\n`);
    const author = ["-c", "user.name=T", "-c", "user.email=t@localhost"];
    for (const words of [
      ["init", "-q", "-b", "main"],
      ["add", "-A"],
      [...author, "commit", "-qm", "Shop"],
    ])
      execFileSync("git", words, { cwd: repo, env });
    const ran = spawnSync(process.execPath, ["run-bubble.mjs", repo, "Take the discount off"], {
      cwd: project,
      env: { ...env, PAIRFLOW_CHECKOUTS: join(folder, "checkouts") },
      encoding: "utf8",
    });
    expect(ran.stderr).toBe("");
    expect(JSON.parse(ran.stdout)).toEqual({
      state: "WAITING_HUMAN",
      asks: ["Before tax?"],
      last: expect.any(String),
      begun: "CREATED",
      folded: "WAITING_HUMAN",
      ok: true,
      listed: ["from-a-program"],
      refused: ["bubble.unknown", 1],
    });
  });

  it("reads a record in the process of the program, and folds lines that it is given", async () => {
    const { foldRecord, PairflowError, readRecord, verifyRecords } = await import(
      join(installed, "lib", "index.js")
    );
    const asked = { repo: join(folder, "shop"), bubble: "from-a-program" };
    const lines = await readRecord(asked);
    expect(foldRecord(lines.slice(0, 1)).state).toBe("CREATED");
    expect(foldRecord(lines).state).toBe("WAITING_HUMAN");
    expect((await verifyRecords(asked)).ok).toBe(true);
    expect(() => foldRecord(lines.slice(1))).toThrow(PairflowError);
    expect(() => foldRecord([{ v: 1 }])).toThrow("line 1 is no line of a record");
  });

  it("says what is wrong with arguments, repositories and bubbles, each with a code, and never that it is a bug", async () => {
    const library = await import(join(installed, "lib", "index.js"));
    const { createBubble, foldRecord, listBubbles, pairflow, readStatus, runBubble, verifyRecords } = library;
    const here = { repo: join(folder, "shop"), env };
    const tries = {
      "usage.bad-arguments": [
        () => readStatus(here),
        () => runBubble({ repo: join(folder, "nowhere"), bubble: "x", env }),
        () => createBubble({ ...here, bubble: "x" }),
        () => verifyRecords({ ...here, bubble: "" }),
        () => pairflow("home", here),
        async () => foldRecord(null),
      ],
      "bubble.unknown": [
        () => verifyRecords({ ...here, bubble: "none" }),
        () => pairflow(["log", "--id", "none"], here),
        () => readStatus({ repo: here.repo, bubble: "none" }),
      ],
      "repo.not-found": [() => listBubbles({ repo: "/" }), () => verifyRecords({ repo: "/" })],
      "bubble.bad-id": [() => createBubble({ ...here, bubble: "A B", task: "--id y" })],
    };
    for (const [code, each] of Object.entries(tries))
      for (const one of each) {
        const error = await one().catch((thrown: unknown) => thrown);
        expect(error, one.toString()).toBeInstanceOf(library.PairflowError);
        expect([error.code, error.kind === "bug", error.exitCode > 0], one.toString()).toEqual([
          code,
          false,
          true,
        ]);
      }
  });

  it("gives the lines of a log, the text of help, and stops for a signal", async () => {
    const { listBubbles, pairflow, readRecord } = await import(join(installed, "lib", "index.js"));
    const asked = { repo: join(folder, "shop"), bubble: "from-a-program", env };
    expect(await pairflow(["log", "--id", asked.bubble], asked)).toEqual(await readRecord(asked));
    expect(await pairflow(["help"], asked)).toContain("pairflow create");
    const aborted = { ...asked, signal: AbortSignal.abort() };
    await expect(listBubbles(aborted)).rejects.toMatchObject({ name: "AbortError" });
    await expect(pairflow(["home"], aborted)).rejects.toMatchObject({ name: "AbortError" });
  });

  it("has types that a strict compiler takes, in both ways of resolving modules, with nothing of its inside", () => {
    const project = join(folder, "project");
    writeFileSync(join(project, "typed.mts"), typedProgram);
    for (const how of [
      ["--module", "nodenext"],
      ["--module", "esnext", "--moduleResolution", "bundler"],
    ]) {
      const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
      const flags = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--target", "es2022", ...how];
      const ran = spawnSync(process.execPath, [compiler, ...flags, "typed.mts"], {
        cwd: project,
        encoding: "utf8",
      });
      expect(ran.stdout).toBe("");
    }
    expect(readFileSync(join(installed, "lib", "index.d.ts"), "utf8")).not.toMatch(/^import|: any\b/m);
  });
});

const typedProgram = `
import { createBubble, foldRecord, type Lifecycle, listBubbles, PairflowError, readRecord, readStatus, runBubble, verifyRecords } from "pairflow";
const state: Lifecycle | null | undefined = (await listBubbles({ repo: ".", all: true }))[0]?.state;
const lines = await readRecord({ bubble: "x", signal: new AbortController().signal });
const same: Lifecycle[] = [foldRecord(lines).state, (await readStatus({ bubble: "x", at: 3 })).state];
const hash: string | undefined = (await verifyRecords()).bubbles[0]?.head.hash;
const branch: string = (await createBubble({ bubble: "x", task: "y", yes: true, flags: ["--max-usd", "3"] })).branch;
await runBubble({ bubble: "x", onNarration: (text) => void text.trim() }).catch((error: unknown) => {
  if (error instanceof PairflowError) return [error.kind === "refusal", error.code.length, error.exitCode + 1, error.hint?.length];
  throw error;
});
// @ts-expect-error: of which bubble?
await readStatus({});
// @ts-expect-error: what is to be done?
await createBubble({ bubble: "x" });
// @ts-expect-error: only the library makes one
new PairflowError("x");
export { branch, hash, same, state };
`;
