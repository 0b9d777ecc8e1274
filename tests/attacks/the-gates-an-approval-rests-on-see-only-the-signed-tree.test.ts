// Before a human is asked, all gates run on a clean checkout of exactly the tree that is to be signed. What lies about in
// the worktree and is in no commit decides nothing.
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import {
  bubble,
  configure,
  equipped,
  finalRuns,
  implementing,
  install,
  questions,
  runs,
  writes,
} from "../cli/gates-scene.ts";
import { readArtifact } from "../helpers/operator.ts";

let tool: Rig;
let checkouts: string;
beforeAll(() => {
  tool = rig({ files: { ".gitignore": "build.out\nlocal.env\n", ".worktreeinclude": "local.env\n" } });
  checkouts = join(tool.folder, "checkouts");
});
afterAll(() => tool.close());

const gate = (command: string) =>
  configure(tool, `gates: ${JSON.stringify({ additional: [{ name: "check", command }] })}`);
const statuses = (id: string) => finalRuns(tool, id).map(({ results }) => results[0]?.status);
const total = () => writes("src/cart.txt", "total: 2\n");

/** The work is found clean twice; then the other agent, whose go it is, takes these steps, and both agree again. */
function sentBack(first: readonly unknown[], ...second: readonly unknown[]) {
  const { implementer, reviewer } = implementing(first);
  const [, agrees] = implementer;
  const [passes] = reviewer;
  return {
    implementer: [...implementer, passes, agrees],
    reviewer: [...reviewer, { role: "implementer", steps: second }, agrees, passes],
  };
}

const done = { pass: { summary: "done" } };

describe("a file that git ignores", () => {
  it("makes a gate green in the worktree, and red where it counts: the producer fixes it", async () => {
    gate("test -f build.out || test -f made.txt");
    const turns = sentBack([total(), writes("build.out", "built\n")], writes("made.txt", "made\n"), done);
    expect((await bubble(tool, "ignored", turns)).state).toBe("READY_FOR_APPROVAL");
    expect(runs(tool, "ignored").map(([result]) => result?.status)).toEqual(["passed", "passed"]);
    expect(statuses("ignored")).toEqual(["failed", "passed"]);
    expect((await tool.status("ignored")).round).toBeGreaterThan(2);
    expect(tool.log("ignored").filter(({ type }) => type === "APPROVAL_REQUEST")).toHaveLength(1);
    const prompts = readdirSync(join(tool.repo, ".pairflow/bubbles/ignored/artifacts/prompts"));
    const told = prompts.map((name) => readArtifact(tool, "ignored", `prompts/${name}`)).join("\n");
    expect(told).toContain("check failed on a clean checkout of exactly this tree");
    expect(readArtifact(tool, "ignored", "done-package.md")).toContain(
      "## Gates on a clean checkout of exactly this tree\n\n- check: passed",
    );
  });

  it("decides nothing where a person's own info/exclude hides it", async () => {
    appendFileSync(join(tool.repo, ".git/info/exclude"), "hidden.out\n");
    gate("test -f hidden.out || test -f made.txt");
    const turns = sentBack([total(), writes("hidden.out", "built\n")], writes("made.txt", "made\n"), done);
    expect((await bubble(tool, "excluded", turns)).state).toBe("READY_FOR_APPROVAL");
    expect(statuses("excluded")).toEqual(["failed", "passed"]);
  });

  it("never gets signed by saying that no change is needed: a human is asked", async () => {
    gate("test -f build.out");
    const refuses = { pass: { summary: "no", no_change: "it is green in my worktree" } };
    const turns = sentBack([total(), writes("build.out", "built\n")], refuses);
    expect((await bubble(tool, "stubborn", turns)).state).toBe("WAITING_HUMAN");
    expect(tool.log("stubborn").some(({ type }) => type === "APPROVAL_REQUEST")).toBe(false);
  });
});

describe("a person's own file that .worktreeinclude names", () => {
  it("is copied from the person's checkout, hashed and named; what an agent made of it is not", async () => {
    gate("grep -q mine local.env");
    tool.write("local.env", "mine\n");
    const turns = implementing([total(), writes("local.env", "mine, and forged\n")]);
    expect((await bubble(tool, "included", turns)).state).toBe("READY_FOR_APPROVAL");
    expect(finalRuns(tool, "included")[0]?.clean).toEqual({
      included: [
        { path: "local.env", sha256: "fcbc800db3f1867000b852f1ce0044b8f1584f76ade1ed6e65189824f95c3cda" },
      ],
    });
    expect(readArtifact(tool, "included", "done-package.md")).toContain(
      "included from your checkout: local.env",
    );
  });
});

describe("the setup command", () => {
  it("prepares the checkout; what it changes of the tree is put back", async () => {
    gate("test -f build.out && grep -q 2 src/cart.txt");
    const setup = "touch build.out; echo 9 > src/cart.txt";
    const { state } = await bubble(tool, "prepared", implementing([total()]), ["--setup", setup]);
    expect(state).toBe("READY_FOR_APPROVAL");
    expect(finalRuns(tool, "prepared")[0]?.clean).toMatchObject({
      setup,
      notes: ["setup changed src/cart.txt; put back"],
    });
  });

  it("that fails there is a question, not a red gate", async () => {
    gate("true");
    const { state } = await bubble(tool, "unprepared", implementing([total()]), [
      ...["--setup", "test -f .git", "--base-gates", "off"],
    ]);
    expect(state).toBe("WAITING_HUMAN");
    expect(questions(tool, "unprepared")).toEqual([expect.stringContaining("setup command failed (exit 1)")]);
    const waive = ["--choose", "waive", "--message", "known", "--operator-key", tool.key];
    await tool.ok("bubble", "reply", "--id", "unprepared", ...waive);
    await tool.until("unprepared", ({ state }) => state === "READY_FOR_APPROVAL", "it asks for approval");
    const text = readArtifact(tool, "unprepared", "done-package.md");
    expect(text).toContain("no gate ran on a clean checkout of this tree: setup command failed");
    expect(text).toContain("waived: check (known)");
  });
});

describe("an environment that setup makes", () => {
  it("has its programs in front of the PATH of gates, in rounds and on clean checkouts", async () => {
    // Stands in for an interpreter: the environment it makes holds one program.
    const makes =
      'mkdir -p .venv/bin && printf "#!/bin/sh\\ntest -f src/cart.txt\\n" > .venv/bin/inner-check';
    install(tool, "pyvenv", `${makes} && chmod +x .venv/bin/inner-check`);
    gate("inner-check");
    const flags = ["--setup", "pyvenv -m venv .venv"];
    const { state } = await bubble(equipped(tool), "venv", implementing([total()]), flags);
    expect(state).toBe("READY_FOR_APPROVAL");
    expect([...runs(tool, "venv").map(([one]) => one?.status), ...statuses("venv")]).toEqual([
      "passed",
      "passed",
    ]);
  });
});

describe("where somebody switched it off", () => {
  it("the package says so before anybody signs", async () => {
    gate("true");
    const { state } = await bubble(tool, "off", implementing([total()]), ["--final-gates", "worktree"]);
    expect(state).toBe("READY_FOR_APPROVAL");
    expect(finalRuns(tool, "off")).toEqual([]);
    const text = readArtifact(tool, "off", "done-package.md");
    expect(text).toContain("## Gates on this tree, in the worktree");
    expect(text.split("## Know before you sign")[1]).toContain("(final_gates = worktree)");
  });
});

it("doctor tells of checkouts that a killed driver left, and how to remove them", async () => {
  const [tag = ""] = readdirSync(checkouts);
  const left = ["ghost", "ghost.gate-check"].map((name) => join(checkouts, tag, name));
  for (const path of left) mkdirSync(path);
  const { checks } = JSON.parse((await tool.run("doctor", "--json")).stdout);
  const told = checks.filter(({ name }: { name: string }) => name === "checkout");
  for (const path of left) rmdirSync(path);
  expect(told).toMatchObject(
    left.map((path) => ({
      name: "checkout",
      status: "warning",
      says: `${path} was left by a gate run that was cut off`,
      fix: `rm -rf ${path}`,
    })),
  );
});

it("no checkout is left behind", () => {
  const left = existsSync(checkouts) ? readdirSync(checkouts, { recursive: true }) : [];
  // Below v/ lie the sockets of drivers.
  expect(left.filter((name) => String(name).includes("/") && !String(name).startsWith("v/"))).toEqual([]);
});
