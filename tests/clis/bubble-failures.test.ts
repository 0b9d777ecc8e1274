import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { handoff } from "./bubble-rig.ts";
import { answers, clis, enough, never, saying, setsTotal, stage, type Stage } from "./bubble-stage.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
}, 120_000);
afterAll(() => on.close());

const done = handoff("The total is right");

describe.concurrent("crash", { timeout: 180_000 }, () => {
  test.for(clis)("%s that is killed goes on in its session", async (cli) => {
    const hold = never();
    const bubble = await on.bubble({
      id: `killed-${cli}`,
      implementer: cli,
      model: saying(setsTotal(cli), hold.line, answers(cli, done)),
    });
    await bubble.detach();
    await hold.isReached;
    const [spawned] = bubble.all("TURN_SPAWNED");
    process.kill(spawned?.pid ?? 0, "SIGKILL");
    const status = await bubble.rests();
    expect(status.questions).toMatchObject([{ text: enough }]);
    expect(bubble.attempts()).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} resumed`, "t2.1 clerk fresh"]);
    expect(bubble.ends()).toEqual(["t1.1 crashed", "t2.1 asked"]);
    console.log(await bubble.tool.ok("log", "--id", bubble.id, "--all"));
    console.log(await bubble.tool.ok("bubble", "status", "--id", bubble.id));
  });
});
