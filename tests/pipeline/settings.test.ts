// Every key of pipeline.config.json changes what happens: limits pause, modes lead elsewhere, promises are other words.
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../scenarios/scene.ts";
import {
  codePassed,
  codeRefused,
  hands,
  id,
  isFine,
  makes,
  Pipeline,
  plan,
  planPassed,
  planRefused,
  smooth,
} from "./scene.ts";

const because = (rationale: string) =>
  hands(plan({ technical_approach: { pattern: "One line", rationale } }));

test("planReviewLoopLimit pauses, and agents says who works and who reviews", async () => {
  const scene = new Pipeline(
    {
      ...smooth,
      planner: [because("a draft"), because("refined"), because("mended")],
      builder: [],
      mason: [makes("total: 1.07\n")],
      sonnet: [planPassed(), planPassed("F1"), codePassed()],
      opus: [],
      olga: [planPassed(), planPassed(), codePassed()],
      codex: [planRefused("No word about rounding", "refined"), planPassed()],
      cora: [codePassed()],
    },
    {
      config: {
        autonomy: { planReviewLoopLimit: 1 },
        agents: { implementer: "mason", opus: "olga", "code-reviewer-codex": "cora" },
      },
    },
  );
  isFine(await scene.starts());
  const paused = await scene.approvesStory();
  expect(paused, scene.told()).toMatchObject({
    state: "needs_user_input",
    phase: "plan",
    step: "plan_exceeded",
  });
  expect(paused.questions[0]?.options.map(({ key }) => key)).toEqual(["accept", "continue", "reject"]);
  expect(paused.phases.at(-1)).toMatchObject({ restarts: { now: 1, limit: 1 } });

  const done = await scene.says(["--choose", "continue", "--message", "once more"]);
  expect(done, scene.told()).toMatchObject({ state: "complete" });
  expect(scene.turnsOf()).toContain("implementer mason");
  expect(scene.turnsOf()).toContain("plan-reviewer olga");
  expect(scene.turnsOf().at(-1)).toBe("code-reviewer cora");
  expect(scene.document("review-codex.json")).toMatchObject({
    reviewer: "code-reviewer",
    status: "approved",
  });
  expect(scene.document("review-opus.json")).toMatchObject({ status: "approved" });
});

test("autonomy.mode simple: one turn a review, no promise; codeReviewLoopLimit pauses, and the human ends it", async () => {
  const scene = new Pipeline(
    {
      ...smooth,
      builder: [makes("total: 1.07\n", "done, and nothing promised")],
      codex: [planPassed(), codeRefused("The rate is not written down")],
    },
    {
      config: {
        autonomy: { mode: "simple", codeReviewLoopLimit: 1 },
        ralphLoop: { defaultMode: "ralph-loop" },
      },
    },
  );
  isFine(await scene.starts());
  const paused = await scene.approvesStory();
  expect(paused, scene.told()).toMatchObject({ state: "needs_user_input", phase: "implementing" });
  expect(paused.phases.map(({ phase }) => phase)).toEqual(["requirements", "plan", "implementing"]);
  expect(paused.phases.at(-1)).toMatchObject({ restarts: { now: 1, limit: 1 }, attempts: null });
  expect(scene.document("plan-refined.json").implementation.mode).toBe("simple");

  const ended = await scene.says(["--choose", "reject", "--message", "not worth it"]);
  expect(ended).toMatchObject({ state: "idle", lifecycle: "CANCELLED" });
  expect(scene.document("state.json")).toMatchObject({ state: "idle" });
  expect(scene.document("impl-result.json")).toMatchObject({ status: "failed" });
});

test("ralphLoop.defaultMode holds where neither plan nor story says one", async () => {
  const scene = new Pipeline(smooth, { config: { ralphLoop: { defaultMode: "simple" } } });
  isFine(await scene.starts());
  const done = await scene.approvesStory();
  expect(done, scene.told()).toMatchObject({ state: "complete" });
  expect(done.phases.at(-1)).toMatchObject({ phase: "implementing" });
});

test("defaultMaxIterations bounds the turns until the promise is given, in the words of completionPromise", async () => {
  const scene = new Pipeline(
    { ...smooth, builder: [makes("total: 1.07\n"), makes("total: 1.07\n# tax\n", "now: ALL DONE")] },
    { config: { ralphLoop: { defaultMaxIterations: 1, completionPromise: "ALL DONE" } } },
  );
  isFine(await scene.starts());
  const paused = await scene.approvesStory();
  expect(paused, scene.told()).toMatchObject({ state: "needs_user_input", step: "loop_exceeded" });
  expect(paused.phases.at(-1)).toMatchObject({ attempts: { now: 1, limit: 1 } });
  expect(scene.document("loop-state.json")).toMatchObject({
    max_iterations: 1,
    completion_promise: "ALL DONE",
  });

  // What is granted goes to the turns, which are used up, and not to the chain.
  expect(paused.questions[0]?.text).toContain("the producer has had its only turn");
  const done = await scene.says(["--choose", "continue", "--message", "say it"]);
  expect(done, scene.told()).toMatchObject({ state: "complete" });
});

test("an agent that cannot be started is refused before there is a pipeline that is bound to it", async () => {
  const scene = new Pipeline(smooth, { config: { agents: { planner: "nobody-here" } } });
  const refused = await scene.starts();
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("(agent.not-ready)") });
  expect(await scene.shows()).toMatchObject({ state: "idle", bubble: null });
});

test("the models of the table, and models.<role>, reach the CLI that is started", async () => {
  const scene = new Pipeline({ gatherer: [] }, {});
  const bin = join(scene.tool.folder, "bin");
  const seen = join(scene.tool.folder, "seen");
  mkdirSync(bin);
  writeFileSync(join(bin, "claude"), `#!/bin/sh\necho "$@" >> ${seen}\nsleep 60\n`);
  chmodSync(join(bin, "claude"), 0o755);
  writeFileSync(join(bin, "codex"), "#!/bin/sh\n");
  chmodSync(join(bin, "codex"), 0o755);
  scene.tool.write(".pairflow/config.yaml", "defaults: { notifications: { enabled: false } }\n");
  scene.tool.git("commit", "-qam", "no agents");
  const tool = scene.tool.with({ PATH: `${bin}:${scene.tool.env.PATH}` });
  const started = async (run: string) => {
    isFine(await tool.run("pipeline", `Do ${run} thing`, "--id", run, "--test", "true", "--detach"));
    await eventually(`${run} starts the CLI`, () => existsSync(seen));
    await tool.ok("pipeline", "cancel", "--id", run);
    return readFileSync(seen, "utf8");
  };
  expect(await started("one")).toContain("--model opus");
  rmSync(seen);
  scene.configured({ models: { "requirements-gatherer": "haiku" } });
  await tool.ok("pipeline", "reset", "--id", "one");
  expect(await started("two")).not.toContain("--model opus");
  expect(readFileSync(seen, "utf8")).toContain("--model haiku");
  expect(scene.tool.log("two").some(({ type }) => type === "CANCELLED")).toBe(true);
});

test("the same request continues with the pipeline that works on it; another one waits its turn", async () => {
  const scene = new Pipeline();
  isFine(await scene.starts());
  const again = await scene.starts();
  isFine(again);
  expect(again.stderr).toContain(`Continuing ${id}`);
  const other = await scene.tool.run("pipeline", "Something else", "--test", "true");
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining("(pipeline.running)") });
});
