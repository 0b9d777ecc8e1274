// Gates on a real tree: red, missing, skipped, isolated, side by side, in a folder of the tree.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { execute, type Rig, rig } from "../acceptance/rig.ts";
import { readArtifact } from "../helpers/operator.ts";
import { bubble, configure, implementing, questions, runs, writes } from "./gates-scene.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig({ files: { ".gitignore": "build/\n", "web/page.txt": "hello\n" } });
});
afterAll(() => tool.close());

const additional = (...gates: readonly object[]) =>
  configure(tool, `gates: ${JSON.stringify({ additional: gates })}`);
/** Nothing is run on the base first. */
const inRoundsOnly = ["--base-gates", "off"];
const prompt = (id: string, name: string) => readArtifact(tool, id, `prompts/${name}.md`);

describe("a required gate", () => {
  it("that is red sends the producer its output, head and tail, and keeps the whole", async () => {
    const noisy = "echo the first error; seq 1 20000; echo the last word; grep -q 2 src/cart.txt";
    additional({ name: "check", command: noisy });
    const turns = implementing(
      [writes("src/cart.txt", "total: 3\n")],
      [writes("src/cart.txt", "total: 2\n")],
    );
    expect((await bubble(tool, "red", turns)).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "red").map(([result]) => result?.status)).toEqual(["failed", "passed"]);
    const told = prompt("red", "t2.1-codex");
    expect(told).toContain("check: failed");
    expect(told).toContain("the first error");
    expect(told).toContain("the last word");
    expect(told).toMatch(/characters left out/);
    expect(readArtifact(tool, "red", "round-001.tests.txt")).toMatch(
      /\n10000\n[\s\S]*\[check: failed, exit 1,/,
    );
  });

  it("without its tool is a question with the way to get it, and counts for nothing until then", async () => {
    additional({
      name: "lint",
      command: "no-such-linter .",
      install: "Install it: pip install no-such-linter",
    });
    expect((await bubble(tool, "lacking", undefined, inRoundsOnly)).state).toBe("WAITING_HUMAN");
    expect(questions(tool, "lacking")).toEqual([
      expect.stringContaining(
        "lint: no-such-linter is not installed. Install it: pip install no-such-linter",
      ),
    ]);
    expect(runs(tool, "lacking")).toMatchObject([[{ status: "error", exit_code: 127 }]]);
    const npx = { name: "types", command: "npx --no-install pairflow-no-such-tool" };
    additional(npx);
    await bubble(tool, "lacking-npx", undefined, inRoundsOnly);
    expect(runs(tool, "lacking-npx")).toMatchObject([[{ status: "error" }]]);
  });
});

describe("an optional gate", () => {
  it("is a warning, red or without its tool, and the bubble continues", async () => {
    additional(
      { name: "check", command: "true" },
      { name: "style", command: "echo too long; exit 1", required: false },
      { name: "lint", command: "no-such-linter .", required: false, install: "Install it: pip install it" },
    );
    expect((await bubble(tool, "optional")).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "optional")).toMatchObject([
      [
        { name: "check", status: "passed" },
        { name: "style", status: "failed" },
        {
          name: "lint",
          status: "error",
          hint: "no-such-linter is not installed. Install it: pip install it",
        },
      ],
    ]);
    expect(prompt("optional", "t2.1-claude")).toMatch(/style: failed[\s\S]*lint: error/);
    expect(readArtifact(tool, "optional", "done-package.md")).toMatch(
      /style: failed \(optional, a warning\)/,
    );
  });
});

describe("a trigger", () => {
  it("skips a gate when no changed file is one it looks at, and says so", async () => {
    additional(
      { name: "check", command: "true" },
      { name: "pages", command: "exit 1", trigger: "web/**" },
      { name: "carts", command: "echo ran", trigger: ["web/**", "*.txt"] },
    );
    expect((await bubble(tool, "triggered")).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "triggered")).toMatchObject([
      [
        { status: "passed" },
        { name: "pages", status: "skipped", hint: "no changed file matches web/**" },
        { name: "carts", status: "passed", excerpt: "ran" },
      ],
    ]);
  });

  it("counts the old place of a file that was moved away", async () => {
    additional({ name: "pages", command: "exit 1", trigger: "web/**" });
    const moved = [{ run: "git mv web/page.txt page.txt" }];
    await bubble(
      tool,
      "moved",
      implementing(moved, [{ run: "git mv page.txt web/page.txt" }, writes("a", "b\n")]),
    );
    expect(runs(tool, "moved").map(([result]) => result?.status)).toEqual(["failed", "skipped"]);
  });
});

describe("an isolated gate", () => {
  it("meets the tree and nothing that lies about, in a folder that is gone afterwards", async () => {
    const where = join(tool.folder, "where");
    additional(
      { name: "beside", command: "test -e build/out.js" },
      {
        name: "clean",
        isolated: true,
        command: `pwd > ${where}; test ! -e build && grep -q 2 src/cart.txt && test -z "$(git status --porcelain)"`,
      },
      { name: "writing", isolated: true, command: "echo 9 > src/cart.txt; touch litter" },
    );
    const steps = [writes("src/cart.txt", "total: 2\n"), writes("build/out.js", "planted\n")];
    const { state } = await bubble(tool, "isolated", implementing(steps), ["--final-gates", "worktree"]);
    expect(state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "isolated")).toMatchObject([
      [{ status: "passed" }, { status: "passed" }, { status: "passed" }],
    ]);
    const path = readFileSync(where, "utf8").trim();
    expect(path).not.toBe(tool.worktree("isolated"));
    expect(path.startsWith(tool.repo)).toBe(false);
    expect(existsSync(path)).toBe(false);
    const ran = tool.log("isolated").find((line) => line.type === "GATES_RESULT" && !line.payload.base);
    expect(ran).toMatchObject({ payload: { changed: [], put_back: [] } });
  });
});

describe("parallel gates", () => {
  /** Passes only when the other one runs at the same time. */
  const meeting = (me: string, other: string, parallel: boolean) => ({
    name: me,
    parallel,
    timeout: "20s",
    command: `touch ${tool.folder}/${me}; for i in $(seq ${parallel ? 200 : 20}); do test -e ${tool.folder}/${other} && exit 0; sleep 0.05; done; exit 1`,
  });

  it("run side by side, and their results keep the order of the list", async () => {
    additional(meeting("one", "two", true), meeting("two", "one", true), { name: "after", command: "true" });
    expect((await bubble(tool, "together")).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "together")[0]?.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "one passed",
      "two passed",
      "after passed",
    ]);
  });

  it("are only those that say so", async () => {
    additional({ ...meeting("east", "west", false), required: false }, meeting("west", "east", false));
    await bubble(tool, "apart", undefined, inRoundsOnly);
    expect(runs(tool, "apart")[0]?.map(({ name, status }) => `${name} ${status}`)).toEqual([
      "east failed",
      "west passed",
    ]);
  });
});

describe("a gate's folder", () => {
  it("is inside the tree, and a link that leads out of it is none", async () => {
    additional(
      { name: "page", command: "grep -q hello page.txt", working_dir: "web" },
      { name: "gone", command: "true", working_dir: "nowhere", required: false },
      { name: "out", command: "true", working_dir: "build/away", required: false },
    );
    const steps = [writes("src/cart.txt", "total: 2\n"), { run: "mkdir build && ln -s / build/away" }];
    expect((await bubble(tool, "folders", implementing(steps))).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "folders")).toMatchObject([
      [
        { name: "page", status: "passed" },
        { name: "gone", status: "error", hint: "there is no folder nowhere in this tree" },
        { name: "out", status: "error" },
      ],
    ]);
  });
});

describe("while it runs", () => {
  it("a gate is noted beside the record, with the file its output grows in, and not afterwards", async () => {
    const runtime = join(tool.repo, ".pairflow", "runtime");
    const seen = join(tool.folder, "seen");
    const waits = `for i in $(seq 600); do test -e ${seen} && exit 0; sleep 0.05; done; exit 1`;
    additional({ name: "live", command: `echo working; ${waits}` });
    const look = async () =>
      (await execute(["grep", "-rhs", '"name":"live"', runtime], { cwd: tool.repo, env: tool.env })).stdout;
    const ends = bubble(tool, "live");
    const noted = await vi.waitUntil(look, { timeout: 30_000, interval: 50 });
    const [running] = JSON.parse(noted.trim().split("\n")[0] ?? "[]");
    expect(running).toMatchObject({ name: "live", since: expect.stringMatching(/^\d{4}-/) });
    await vi.waitUntil(() => readFileSync(running.output, "utf8").includes("working"), { timeout: 10_000 });
    writeFileSync(seen, "");
    expect((await ends).state).toBe("READY_FOR_APPROVAL");
    expect(await look()).toBe("");
  });

  it("a gate that takes too long is ended with all that it started", async () => {
    additional({ name: "slow", command: "sleep 7731 & sleep 7732", timeout: 1 });
    const turns = implementing([writes("src/cart.txt", "total: 2\n")], [{ ask: "it is slow" }]);
    await bubble(tool, "slow", turns);
    expect(runs(tool, "slow")[0]).toMatchObject([
      { status: "timeout", hint: "it did not end within 1 seconds" },
    ]);
    const running = await execute(["ps", "axww", "-o", "command="], { cwd: tool.repo, env: tool.env });
    expect(running.stdout).not.toMatch(/^sleep 773\d/m);
  });
});
