// The final run at the end of a pipeline: what only an ignored file makes green goes back to whoever built it.
import { expect, test } from "vitest";
import { builds, codePassed, isFine, makes, Pipeline, planPassed, promise, smooth } from "./scene.ts";

test("a gate that is green in the worktree and red on a clean checkout sends the builder back to work", {
  timeout: 240_000,
}, async () => {
  const scene = new Pipeline({
    ...smooth,
    builder: [
      builds({ "src/cart.txt": "total: 1.07\n", "build.out": "built\n" }, {}, `done ${promise}`),
      makes("total: 1.07\n# whole\n"),
    ],
    sonnet: [planPassed(), codePassed(), codePassed()],
    opus: [planPassed(), codePassed(), codePassed()],
    codex: [planPassed(), codePassed(), codePassed()],
  });
  scene.tool.write(".gitignore", "build.out\n");
  scene.tool.git("add", ".gitignore");
  scene.tool.git("commit", "-q", "-m", "ignore what is built");
  const gate = "test -f build.out || grep -q whole src/cart.txt";
  isFine(await scene.tool.run("pipeline", "Tell the total with tax", "--test", gate));
  expect(await scene.approvesStory(), scene.told()).toMatchObject({ state: "complete" });
  const finals = scene.tool
    .log(scene.id)
    .flatMap((line) =>
      line.type === "GATES_RESULT" && line.payload.clean && !line.payload.base ? [line.payload.results] : [],
    );
  const named = (at: number) => finals[at]?.find(({ command }) => command === gate)?.status;
  expect([named(0), named(1)], scene.told()).toEqual(["failed", "passed"]);
  expect(scene.turnsOf().filter((turn) => turn.startsWith("implementer"))).toHaveLength(2);
});
