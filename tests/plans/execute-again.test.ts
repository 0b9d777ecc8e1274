// `pairflow execute` interrupted: by Ctrl-C, by kill -9, by a question; the same command again continues and finishes.
import { expect, test } from "vitest";
import { eventually } from "../scenarios/scene.ts";
import { begins, committed, executes, shop, slug, treeOf, typesIn, withTasks } from "./execute-scene.ts";
import { builds, task, verdict } from "./scene.ts";

const list = [
  task("t1", "Write the rate down", ["src/rate.txt"], { covers: ["S2"] }),
  task("t2", "Tell the total", ["src/cart.txt"], { covers: ["S1"], depends_on: ["t1"] }),
];
const slow = (wait: string) => ({
  bubble: "*-t1",
  steps: [{ wait }, ...builds({ "src/rate.txt": "rate: 7\n" }).steps],
});
const total = builds({ "src/cart.txt": "total: 1.07\n" }, { bubble: "*-t2" });
const rev = [
  verdict({ file: "src/rate.txt", quote: "rate: 7" }, { bubble: "*-t1" }),
  verdict({ file: "src/cart.txt", quote: "total: 1.07" }, { bubble: "*-t2" }),
  verdict({
    file: "src/cart.txt",
    over: {
      checked: [
        {
          for: ["C1", "C2"],
          file: "src/cart.txt",
          line: 1,
          quote: "total: 1.07",
          why: "1.07 is the sum with seven percent",
        },
        { for: ["C1", "C2"], file: "src/rate.txt", line: 1, quote: "rate: 7", why: "the rate is there" },
      ],
    },
  }),
];

async function underWay(wait: string) {
  const scene = shop({ dev: [slow(wait), total], rev });
  await committed(scene);
  await withTasks(scene, list);
  const run = begins(scene.tool, "execute", slug, "--test", "true");
  await eventually("the first task is worked on", async () => {
    const tree = await treeOf(scene);
    return tree?.children.some(({ key, agent }) => key === "t1" && agent === "dev") ?? false;
  });
  return { scene, run };
}

test("Ctrl-C leaves everything; the same command again finishes it", async () => {
  const { scene, run } = await underWay("3s");
  run.child.kill("SIGINT");
  const left = await run.ended;
  expect(left.code, left.stderr).toBe(0);
  expect(left.stdout).toContain(`Left ${slug}: nothing is lost; ${slug}-t1 continues by itself`);
  expect(left.stdout).toContain(`Next: pairflow execute ${slug}`);
  const again = await executes(scene);
  expect(again.stdout, again.stderr).toContain(`${slug} is READY_FOR_APPROVAL`);
  expect(typesIn(scene.tool.log(slug)).filter((type) => type === "CHILD_STARTED")).toHaveLength(2);
  expect(typesIn(scene.tool.log(`${slug}-t1`)).filter((type) => type === "TURN_STARTED")).toHaveLength(2);
});

test("after Ctrl-C the tasks themselves bring the rest to its end", async () => {
  const { scene, run } = await underWay("1s");
  run.child.kill("SIGINT");
  await run.ended;
  await scene.tool.until(slug, ({ state }) => state === "READY_FOR_APPROVAL", "it asks for approval");
});

test("kill -9 of the terminal's process loses nothing either", async () => {
  const { scene, run } = await underWay("2s");
  run.child.kill("SIGKILL");
  await run.ended;
  const again = await executes(scene);
  expect(again.stdout, again.stderr).toContain(`${slug} is READY_FOR_APPROVAL`);
  expect(typesIn(scene.tool.log(slug)).filter((type) => type === "CHILD_STARTED")).toHaveLength(2);
});

test("a question of a task stops nothing but that task, and is shown with the way to answer it", async () => {
  const asks = {
    bubble: "*-t1",
    steps: [{ ask: "Seven or eight?" }, ...builds({ "src/rate.txt": "rate: 7\n" }).steps],
  };
  const scene = shop({ dev: [asks, total], rev });
  await committed(scene);
  await withTasks(scene, list);
  const done = await executes(scene, "--status");
  expect(done.stdout).toContain("never executed");
  const stopped = await executes(scene);
  expect(stopped.stdout, stopped.stderr).toContain(`${slug}-t1 asks: "Seven or eight?"`);
  expect(stopped.stdout).toContain(`Next: pairflow bubble reply --id ${slug}-t1 --message "…"`);
  const status = await scene.tool.ok("plan", "status", slug);
  expect(status).toContain('question: "Seven or eight?"');
  expect(status).toMatch(/· t2 .*waits for t1/);
  await scene.tool.ok("bubble", "reply", "--id", `${slug}-t1`, "--message", "Seven");
  const again = await executes(scene);
  expect(again.stdout, again.stderr).toContain(`${slug} is READY_FOR_APPROVAL`);
});

test("--detach returns at once, two terminals have one run, and a second run has a name of its own", async () => {
  const scene = shop({ dev: [slow("10ms"), total], rev });
  await committed(scene);
  await withTasks(scene, list);
  for (const done of await Promise.all([executes(scene, "--detach"), executes(scene, "--detach")]))
    expect(done.stdout, done.stderr).toContain(`${slug} continues in the background`);
  await scene.tool.until(slug, ({ state }) => state === "READY_FOR_APPROVAL", "it asks for approval");
  await scene.tool.ok("bubble", "stop", "--id", slug);
  const again = await executes(scene, "--detach");
  expect(again.stdout, again.stderr).toContain(`${slug}-2 continues in the background`);
});
