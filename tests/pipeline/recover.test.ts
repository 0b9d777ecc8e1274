// A pipeline that was cut off continues, whatever phase it was in; one that was cancelled begins again where it stood, with what
// was approved before.
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { killDriver } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";
import {
  builds,
  codePassed,
  codeRefused,
  hands,
  id,
  isFine,
  makes,
  Pipeline,
  plan,
  planPassed,
  promise,
  request,
  smooth,
  story,
} from "./scene.ts";

const slowly = (turn: { readonly steps: readonly object[] }) => ({
  ...turn,
  steps: [{ wait: "1500ms", once: true }, ...turn.steps],
});

test("kill -9 of the driver in every phase: recover, or the same command, continues", async () => {
  const scene = new Pipeline({
    gatherer: [slowly(hands(story()))],
    planner: [slowly(hands(plan({ title: "A draft of totals with tax" }))), slowly(hands(plan()))],
    builder: [slowly(makes("total: 1.07\n"))],
    sonnet: [slowly(planPassed()), codePassed()],
    opus: [planPassed(), codePassed()],
    codex: [planPassed(), slowly(codePassed())],
  });
  const { tool } = scene;
  /** Ends the driver as soon as this agent is at work. */
  const killWhile = async (step: string, agent: string) => {
    await tool.until(
      id,
      (status) => status.step === step && status.active_agent === agent && status.driver.alive,
      `${agent} is at work`,
      30_000,
    );
    await killDriver(tool, id);
    expect(await scene.shows()).toMatchObject({
      driven: false,
      next: { command: "pairflow pipeline recover" },
    });
  };

  isFine(await scene.starts("--detach"));
  await killWhile("requirements_gathering", "gatherer");
  isFine(await tool.run("pipeline", "recover"));
  expect(await scene.shows()).toMatchObject({ state: "requirements_gathering", step: "story_approval" });

  await tool.ok("bubble", "reply", "--id", id, "--choose", "approve", "--operator-key", tool.key);
  await killWhile("plan_drafting", "planner");
  isFine(await tool.run("pipeline", "recover", "--detach"));
  await killWhile("plan_refining", "planner");
  isFine(await scene.starts("--detach"));
  await killWhile("plan_reviewing", "sonnet");
  isFine(await tool.run("pipeline", "recover", "--detach"));
  await killWhile("implementing_loop", "builder");
  isFine(await tool.run("pipeline", "recover", "--detach"));
  await killWhile("code_reviewing", "codex");
  const last = await tool.run("pipeline", "recover");
  isFine(last);
  expect(last.stdout).toContain("on the final tree: sonnet ✓  opus ✓  codex ✓");
  expect(await scene.shows(), scene.told()).toMatchObject({ state: "complete" });
  expect(new Set(scene.turnsOf()).size).toBe(scene.turnsOf().length - 1);

  expect(await tool.ok("pipeline", "recover")).toContain("nothing is to be recovered");
});

test("a cancelled pipeline begins again at the phase it was in", async () => {
  const asks = (question: string, bubble: string) => ({ bubble, steps: [{ ask: question }] });
  const scene = new Pipeline({
    gatherer: [hands(story()), { ...hands(story({ title: "Told once more" })), bubble: "*-2" }],
    planner: [
      asks("Which way?", "*-2"),
      hands(plan({ title: "A draft of totals with tax" }), { bubble: "*-3" }),
      hands(plan(), { bubble: "*-3" }),
    ],
    builder: [asks("Which file?", "*-3"), { ...makes("total: 1.07\n"), bubble: "*-4" }],
    sonnet: [
      { ...planPassed(), bubble: "*-3" },
      { ...codePassed(), bubble: "*-4" },
    ],
    opus: [
      { ...planPassed(), bubble: "*-3" },
      { ...codePassed(), bubble: "*-4" },
    ],
    codex: [
      { ...planPassed(), bubble: "*-3" },
      { ...codePassed(), bubble: "*-4" },
    ],
  });
  const { tool } = scene;
  const started = await scene.starts();
  isFine(started);
  // Without a terminal the story that is to be approved is printed in full.
  expect(started.stdout).toContain("The total is told with tax");
  expect(started.stdout).toMatch(/approve\s.*\n.*rework/);
  const shown = await tool.ok("pipeline", "recover");
  expect(shown).toContain(`${id} waits for an answer`);
  expect(shown).toContain("--choose approve|rework|reject");

  const cancelled = await tool.ok("pipeline", "cancel", "--reason", "not like this");
  expect(cancelled).toContain(`Cancelled ${id}; ${id} has handed nothing over`);
  expect(await scene.shows()).toMatchObject({ state: "idle", bubble: id, lifecycle: "CANCELLED" });

  const first = await tool.run("pipeline", "recover");
  isFine(first);
  expect(first.stderr).toContain("a new run begins with the phase requirements");
  expect(scene.turnsOf(`${id}-2`)).toEqual(["requirements-gatherer gatherer"]);
  const stuck = await scene.approvesStory(`${id}-2`);
  expect(stuck, scene.told(`${id}-2`)).toMatchObject({
    state: "needs_user_input",
    phase: "plan",
    bubble: `${id}-2`,
  });

  await tool.ok("pipeline", "cancel");
  const second = await tool.run("pipeline", "recover");
  isFine(second);
  expect(second.stderr).toContain("a new run begins with the phase plan");
  const third = await scene.shows();
  expect(third, scene.told(`${id}-3`)).toMatchObject({
    state: "needs_user_input",
    phase: "implementing_loop",
  });
  expect(scene.document("user-story.json", `${id}-3`)).toMatchObject({
    title: "Told once more",
    approved_by: "user",
  });
  expect(scene.turnsOf(`${id}-3`)[0]).toBe("planner planner");

  await tool.ok("pipeline", "cancel");
  const fourth = await tool.run("pipeline", "recover");
  isFine(fourth);
  expect(fourth.stderr).toContain("a new run begins with the phase implementing_loop");
  expect(await scene.shows(), scene.told(`${id}-4`)).toMatchObject({ state: "complete", bubble: `${id}-4` });
  expect(scene.turnsOf(`${id}-4`)).toEqual([
    "implementer builder",
    "code-reviewer sonnet",
    "code-reviewer opus",
    "code-reviewer codex",
  ]);
  expect(scene.document("plan-refined.json", `${id}-4`)).toMatchObject({ title: "Totals with tax" });
});

test("a pipeline that was cancelled after a code review continues from its files and its open findings", async () => {
  const first = (turn: object) => ({ ...turn, bubble: id });
  const second = (turn: object) => ({ ...turn, bubble: "*-2" });
  const scene = new Pipeline({
    ...smooth,
    builder: [
      first(builds({ "src/cart.txt": "total: 1.07\n", "src/shop.txt": "tax\n" }, {}, `done ${promise}`)),
      first({ steps: [{ ask: "Which rate?" }] }),
      second(builds({ "src/cart.txt": "total: 1.07 (7 %)\n" }, {}, `done ${promise}`)),
    ],
    sonnet: [
      first(planPassed()),
      first(codeRefused("The rate is not written down")),
      second(codePassed("F1")),
    ],
    opus: [first(planPassed()), second(codePassed())],
    codex: [first(planPassed()), second(codePassed())],
  });
  const { tool } = scene;
  isFine(await scene.starts());
  const asked = await scene.approvesStory();
  expect(asked, scene.told()).toMatchObject({ state: "needs_user_input" });
  const ref = `refs/pairflow/${id}/latest`;
  const cancelled = await tool.ok("pipeline", "cancel", "--reason", "wrong rate");
  expect(cancelled).toContain(`the newest work of ${id} is kept in ${ref}`);
  expectShown("docs/pipeline.md", "$ pairflow pipeline cancel", cancelled);
  expect(tool.git("show", `${ref}:src/cart.txt`)).toContain("1.07");
  expect(tool.git("show", `bubble/${id}:src/cart.txt`)).not.toContain("1.07");
  const base = tool.git("rev-parse", `refs/pairflow/${id}/base`);
  tool.git("commit", "--allow-empty", "--message", "elsewhere");

  const again = await tool.run("pipeline", "recover");
  isFine(again);
  expect(again.stderr).toContain(`the newest work of ${id} is kept in ${ref}`);
  expect(again.stderr).toContain("the implementation continues from it, on the same base");
  expectShown("docs/pipeline.md", "$ pairflow pipeline recover", `${again.stderr}${again.stdout}`);
  expect(again.stderr).toContain("open findings are open in the new run: F1");
  expect(await scene.shows(), scene.told(`${id}-2`)).toMatchObject({ state: "complete", bubble: `${id}-2` });
  expect(scene.turnsOf(`${id}-2`)[0]).toBe("implementer builder");
  const started = tool.log(`${id}-2`).filter((line) => line.type === "TURN_STARTED");
  const told = (turn: number) =>
    readFileSync(
      join(tool.repo, ".pairflow/bubbles", `${id}-2`, "artifacts", started[turn]?.payload.prompt ?? ""),
      "utf8",
    );
  for (const turn of [0, 1]) expect(told(turn)).toContain("The rate is not written down");
  expect((await tool.status(`${id}-2`)).findings.closed).toMatchObject([{ id: "F1", status: "fixed" }]);
  expect(tool.git("rev-parse", `refs/pairflow/${id}-2/base`)).toBe(base);
  const made = (file: string) => tool.git("show", `refs/pairflow/${id}-2/latest:src/${file}`);
  expect([made("cart.txt").trim(), made("shop.txt").trim()]).toEqual(["total: 1.07 (7 %)", "tax"]);
});

test("reset goes back to idle and loses nothing; a dead process's lock is no hindrance, a living one's is", async () => {
  const scene = new Pipeline();
  const { tool } = scene;
  expect(await tool.ok("pipeline", "reset")).toContain("idle already");
  expect(await scene.shows()).toMatchObject({ state: "idle", bubble: null });
  isFine(await scene.starts());

  const lock = join(tool.repo, ".pairflow/locks/pipeline.lock");
  symlinkSync(`${process.pid} ${ticksOf(process.pid)} ${hostname()} 1`, lock);
  const held = await tool.run("pipeline", "reset");
  expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining("(pipeline.locked)") });
  expect(await scene.shows()).toMatchObject({ bubble: id });

  rmSync(lock);
  symlinkSync(`999999 1 ${hostname()} 1`, lock);
  expect(await tool.ok("pipeline", "reset")).toContain(`pipeline status --id ${id} still shows it`);
  expect(existsSync(lock)).toBe(false);
  expect(await scene.shows()).toMatchObject({ state: "idle", bubble: null });
  expect(await scene.shows("--id", id)).toMatchObject({ bubble: id, lifecycle: "CANCELLED", request });
  expect(tool.git("branch", "--list", `bubble/${id}`)).toContain(id);
  expect(scene.document("user-story.json")).toMatchObject({ title: "The total is told with tax" });

  const none = await tool.run("pipeline", "cancel");
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("(pipeline.none)") });
  const unknown = await tool.run("pipeline", "status", "--id", "nobody");
  expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining("(pipeline.unknown)") });
  isFine(await scene.starts());
  expect(await scene.shows()).toMatchObject({ bubble: `${id}-2`, state: "requirements_gathering" });

  // After a cancelled one and its new run, one reset is enough for both.
  await tool.ok("pipeline", "cancel");
  isFine(await tool.run("pipeline", "recover"));
  expect(await tool.ok("pipeline", "reset")).toContain("Archived 1 earlier pipeline that was over");
  expect(await scene.shows()).toMatchObject({ state: "idle", bubble: null });
});

const ticksOf = (pid: number): string => {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
};

test("dry-run shows each check, and fails when one does", async () => {
  const scene = new Pipeline(smooth);
  const { tool } = scene;
  const fine = await tool.ok("pipeline", "dry-run");
  expect(fine).toMatch(/✓ {2}config +none; the usual settings hold/);
  expect(fine).toMatch(/✓ {2}prompt requirements-gatherer/);
  expect(fine).toMatch(/✓ {2}critic codex/);
  expect(fine).toMatch(/! {2}skills +not installed/);
  expect(fine).toMatch(/✓ {2}docs +docs\/pipeline.md/);
  expect(fine).toMatch(/✓ {2}knowledge +none/);
  expect(fine).toContain("Everything is there");

  await tool.ok("init", "--agent", "claude");
  expect(await tool.ok("pipeline", "dry-run")).toMatch(/✓ {2}skill multi-ai/);
  tool.write(".claude/skills/multi-ai/SKILL.md", "garbage\n");
  rmSync(join(tool.repo, ".claude/skills/cancel-loop/SKILL.md"));
  const damaged = await tool.run("pipeline", "dry-run");
  expect(damaged.code).toBe(1);
  expect(damaged.stdout).toMatch(
    /✗ {2}skill multi-ai +\S+SKILL.md: its settings do not say "name: multi-ai"/,
  );
  expect(damaged.stdout).toMatch(/✗ {2}skill cancel-loop +\S+ is missing/);
  await tool.ok("init", "--agent", "claude");
  rmSync(join(tool.repo, ".claude"), { recursive: true });

  const gone = await tool.run(
    "pipeline",
    "dry-run",
    "--agent",
    "planner=nobody-here",
    "--agent",
    "codex=sonnet",
  );
  expect(gone.code).toBe(1);
  expect(gone.stdout).toMatch(/✗ {2}agent planner +nobody-here: nobody-here is not on the PATH/);
  expect(gone.stdout).toMatch(/✗ {2}final gate +the final gate sonnet is of the same vendor/);

  writeFileSync(join(tool.repo, "pipeline.config.json"), '{ "autonomy": { "mod": "simple" } }');
  const bad = await tool.run("pipeline", "dry-run");
  expect(bad).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/✗ {2}config +pipeline.config.json:1:17: there is no key/),
  });
  expect(await scene.starts()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("(pipeline.bad-config)"),
  });
  expect(await scene.shows()).toMatchObject({ state: "idle", bubble: null });
});
