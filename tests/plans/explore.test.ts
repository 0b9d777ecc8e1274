// `pairflow explore` with a planner that reads the repository, and `pairflow tasks --planner`.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { linesOf } from "../cli/workflow-scene.ts";
import { eventually } from "../scenarios/scene.ts";
import { begins, committed, roles, shop, slug } from "./execute-scene.ts";
import { hands, plan, stage, tasks } from "./scene.ts";

const kept = (repo: string, file: string) =>
  JSON.parse(readFileSync(join(repo, ".pairflow", "plans", slug, file), "utf8"));

test("the planner fills the scratch plan, which stays uncommitted", async () => {
  const { tool } = shop({ planner: [hands(plan())] });
  const done = await tool.run("explore", "Totals");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stdout).toContain(`Explored ${slug}: .pairflow/plans/${slug}/plan.md`);
  expect(done.stdout).toContain(`Next: pairflow promote ${slug}`);
  expect(kept(tool.repo, "plan.json")).toMatchObject({ committed: false, title: "Totals with tax" });
  expect(tool.git("status", "--porcelain")).toBe("?? .pairflow/plans/\n");
  await tool.ok("promote", slug);
});

test("a plan that a person changes meanwhile stays theirs; what was found out is kept beside it", async () => {
  const { tool } = shop({
    planner: [{ steps: [{ run: "until [ -e ../../../edited ]; do sleep 0.1; done" }, { paper: plan() }] }],
  });
  const run = begins(tool, "explore", "Totals");
  const file = join(tool.repo, ".pairflow", "plans", slug, "plan.md");
  await eventually(
    "the planner is at work",
    () =>
      existsSync(tool.transcript(`explore-${slug}`)) &&
      linesOf(tool.log(`explore-${slug}`), "TURN_SPAWNED").length > 0,
  );
  writeFileSync(file, readFileSync(file, "utf8").replace(/^Totals$/m, "Mine"));
  writeFileSync(join(tool.folder, "edited"), "");
  const done = await run.ended;
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stdout).toContain(`Explored ${slug}-2: .pairflow/plans/${slug}-2/plan.md`);
  expect(await tool.ok("plan", "show", slug)).toContain("Mine");
  expect(await tool.ok("plan", "show", `${slug}-2`)).toContain("The cart tells the total with tax.");
});

test("what a planner writes before it hands in anything is put back, also when it had to be started again", async () => {
  const writes = [
    { write: { path: "src/cart.txt", text: "broken\n" }, once: true },
    { write: { path: "planted.txt", text: "planted\n" }, once: true },
  ];
  const { tool } = shop({ planner: [{ steps: [...writes, { crash: 3, once: true }, { paper: plan() }] }] });
  const done = await tool.run("explore", "Totals");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  const id = `explore-${slug}`;
  const base = tool.git("rev-parse", "main^{tree}").trim();
  const started = linesOf(tool.log(id), "TURN_STARTED").map(({ payload }) => payload.tree);
  expect(started).toEqual([base, base]);
  expect(linesOf(tool.log(id), "HANDOFF")).toMatchObject([{ payload: { paper: { code: base } } }]);
  expect(readFileSync(join(tool.worktree(id), "src", "cart.txt"), "utf8")).toBe("total: 1\n");
  expect(existsSync(join(tool.worktree(id), "planted.txt"))).toBe(false);
  const [warned] = linesOf(tool.log(id), "WARNING").filter(({ payload }) => payload.code === "turn.put-back");
  const patch = /kept as (\S+)$/.exec(warned?.payload.message ?? "")?.[1] ?? "";
  const artifacts = join(tool.repo, ".pairflow", "bubbles", id, "artifacts");
  expect(readFileSync(join(artifacts, patch), "utf8")).toContain("+planted");
});

test("without an agent that can be started the plan is made all the same, and why is said in one line", async () => {
  const { tool } = stage({ dev: [{ steps: [{ crash: 3 }] }] }, { ...roles, planner: "nobody" });
  const done = await tool.run("explore", "Totals");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stderr).toMatch(/^No agent was asked: nobody: .*\n$/);
  expect(done.stdout).toContain(`Exploring ${slug}`);
  const other = await tool.run("explore", "Discounts", "--agent", "planner=no-one");
  expect(other.stderr).toMatch(/^No agent was asked: no-one: /);
});

test("left in the middle, the same command continues; a question goes to the inbox", async () => {
  const asks = { steps: [{ wait: "1500ms" }, { ask: "Which country?" }, { paper: plan() }] };
  const { tool } = shop({ planner: [asks] });
  const run = begins(tool, "explore", "Totals");
  await eventually("the planner is at work", async () => {
    const { code, stdout } = await tool.run("bubble", "status", "--id", `explore-${slug}`, "--json");
    return code === 0 && JSON.parse(stdout).active_agent === "planner";
  });
  run.child.kill("SIGINT");
  const left = await run.ended;
  expect(left.stdout).toContain(`Left explore-${slug}: nothing is lost; planner ends its turn by itself`);
  expect(left.stdout).toContain(`Next: pairflow explore "Totals"   continues`);
  const asked = await tool.run("explore", "Totals");
  expect(asked.stdout, asked.stderr).toContain(`pairflow bubble reply --id explore-${slug}`);
  expect(await tool.ok("inbox")).toContain("Which country?");
  await tool.ok("bubble", "reply", "--id", `explore-${slug}`, "--message", "Germany");
  await eventually("the plan is filled", () => kept(tool.repo, "plan.json").mission !== "");
});

test("an agent that cannot be started leaves no bubble behind that is bound to it", async () => {
  const scene = shop({});
  await committed(scene);
  for (const words of [
    ["tasks", slug, "--planner"],
    ["execute", slug, "--yes", "--test", "true"],
  ]) {
    const done = await scene.tool.run(...words, "--agent", "planner=no-one", "--agent", "developer=no-one");
    expect(done.stderr).toContain("(agent.not-ready)");
  }
  expect(await scene.tool.ok("bubble", "list", "--all")).toContain("No bubbles yet");
});

test("tasks --planner: the planner splits the plan, a person confirms; once more also after its bubble is deleted", async () => {
  const scene = shop({ planner: [hands(tasks), { ...hands(tasks), bubble: "*-2" }] });
  await committed(scene);
  const done = await scene.tool.run("tasks", slug, "--planner");
  expect(done, done.stderr).toMatchObject({ code: 0 });
  expect(done.stdout).toContain("Not confirmed yet");
  expect(kept(scene.tool.repo, "tasks.json")).toMatchObject({ from: "planner", tasks: tasks.tasks });
  expect(await scene.tool.ok("tasks", slug, "--yes")).toContain("Confirmed");
  await scene.tool.ok("bubble", "delete", "--id", `tasks-${slug}`);
  const again = await scene.tool.run("tasks", slug, "--planner");
  expect(again, again.stderr).toMatchObject({ code: 0 });
});
