// --exit-code: a script learns from the exit code alone where a bubble has come to rest.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineVerb } from "../../src/cli/verb/declaration.ts";
import { exitTable } from "../../src/cli/verb/exit-codes.ts";
import { captureLine } from "../../src/cli/verb/run.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { drafts, pairScene, pairTask, rejects } from "../scenarios/pair-scene.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const asks = {
  ...shortest,
  implementer: [{ role: "implementer", steps: [{ ask: "Which total?" }, { ask: "With tax?" }] }],
};

describe.concurrent("the exit code of a bubble that this command drives", { timeout: 60_000 }, () => {
  it("is 0 when it asks for approval", async () => {
    await createScripted(tool, "ready", shortest);
    const ran = await tool.run("bubble", "start", "--id", "ready", "--headless", "--exit-code");
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("ready is READY_FOR_APPROVAL")]);
  });

  it("is 4 while it waits for a human, also when resumed and for status, and 6 after stop", async () => {
    await createScripted(tool, "asks", asks);
    const started = await tool.run("bubble", "start", "--id", "asks", "--headless", "--exit-code");
    expect([started.code, started.stdout]).toEqual([4, expect.stringContaining("asks is WAITING_HUMAN")]);
    expect(started.stdout).toMatch(/q\d+ {2}codex asks:\n {6}Which total\?\nNext: pairflow bubble reply/);
    const status = async (...flags: string[]) =>
      (await tool.run("bubble", "status", "--id", "asks", "--exit-code", ...flags)).code;
    expect(await status()).toBe(4);
    expect(await status("--json")).toBe(4);
    expect((await tool.run("bubble", "status", "--id", "asks")).code).toBe(0);
    const resumed = await tool.run("bubble", "resume", "--id", "asks", "--headless", "--exit-code");
    expect([resumed.code, resumed.stdout], resumed.stderr).toEqual([
      4,
      expect.stringContaining("asks is WAITING_HUMAN"),
    ]);
    await tool.ok("bubble", "stop", "--id", "asks");
    expect(await status()).toBe(6);
  });

  it("is 5 when it fails", async () => {
    const workflow = pairTask(["max_iterations: 1"], { overlays: ["hil: { enabled: false }"] });
    const scene = pairScene(workflow, [drafts("Draft 1")], [rejects("Objection 1")]);
    const ran = await scene.run("--exit-code");
    expect([ran.code, ran.stdout], ran.stderr).toEqual([5, expect.stringContaining("is FAILED")]);
  });

  it("is 5 when it is resumed and then fails", async () => {
    const workflow = pairTask(["max_iterations: 1"], { overlays: ["hil: { enabled: false }"] });
    const draft = drafts("Draft 1");
    const asking = { ...draft, steps: [{ ask: "Which?" }, ...draft.steps] };
    const scene = pairScene(workflow, [asking], [rejects("Objection 1")]);
    expect(await scene.run("--exit-code")).toMatchObject({ code: 4 });
    const { bubble } = await scene.status();
    const ran = await scene.tool.run("bubble", "resume", "--id", bubble, "--headless", "--exit-code");
    expect([ran.code, ran.stdout], ran.stderr).toEqual([5, expect.stringContaining("is FAILED")]);
  });

  it("is 7 before it is started", async () => {
    await createScripted(tool, "new", shortest);
    expect((await tool.run("bubble", "status", "--id", "new", "--exit-code")).code).toBe(7);
  });
});

it("--exit-code is refused where nothing is driven or the present is not shown", async () => {
  await createScripted(tool, "away", shortest);
  for (const flags of [
    ["start", "--headless", "--detach"],
    ["start"],
    ["resume"],
    ["status", "--watch"],
    ["status", "--at", "1"],
  ]) {
    const ran = await tool.run("bubble", ...flags, "--id", "away", "--exit-code");
    expect([ran.code, ran.stderr], flags.join(" ")).toEqual([
      2,
      expect.stringContaining("usage.contradiction"),
    ]);
  }
});

describe("the exit code of every command", () => {
  it("is 1 for a refusal, 2 for wrong words, 3 where the world failed", async () => {
    const code = async (place: Rig, ...words: string[]) => (await place.run(...words)).code;
    expect(await code(tool, "bubble", "status", "--id", "nobody")).toBe(1);
    expect(await code(tool, "bubble", "status", "--colour")).toBe(2);
    const make = ["bubble", "create", "--id", "gitless", "--task", "x", "--test", "true", "--yes"];
    expect(await code(tool.with({ PATH: "/nowhere" }), ...make)).toBe(3);
  });

  it("is 70 for a bug, which is told as one, also to programs", async () => {
    const broken = defineVerb({
      ...{ words: "break", about: "Break", access: "read", flags: {} },
      run: () => Promise.reject(new TypeError("x is not a function")),
    });
    const ran = await captureLine([broken], ["break", "--json"], { cwd: tool.repo, env: {} });
    expect([ran.code, JSON.parse(ran.stdout).error]).toMatchObject([70, { kind: "bug", code: "bug" }]);
  });

  // 130 is played by tests/cli/demo.test.ts, which presses Ctrl-C.
  it("is in one table", () => {
    expect(exitTable.map(([code]) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 70, 130]);
  });
});
