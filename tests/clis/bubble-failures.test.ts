// Every way a turn of a real CLI can end without handing over, and what follows: another try in the same session or a
// new one, a pause, another agent, and a person when the bound is reached. All through the command that people type.
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Said } from "../models/model.ts";
import { handoff, review, wrongTotal } from "./bubble-rig.ts";
import {
  answers,
  type Bubble,
  type Cast,
  type Cli,
  clis,
  codex,
  enough,
  never,
  program,
  type Stage,
  saying,
  setsTotal,
  stage,
} from "./bubble-stage.ts";

let on: Stage;
beforeAll(async () => {
  on = await stage();
}, 120_000);
afterAll(() => on.close());

const done = handoff("The total is right");

/** One CLI implements; what it hands over is only looked at. */
const bubbleOf = (cli: Cli, name: string, cast: Omit<Cast, "id" | "implementer">): Promise<Bubble> =>
  on.bubble({ id: `${name}-${cli}`, implementer: cli, ...cast });

const asksForMore = review("", { status: "needs_input", questions: [{ question: enough }] });
const isEnough = [{ kind: "agent", text: enough, from: "clerk" }];
const millisOf = (bubble: Bubble, type: string, nr: number) =>
  Date.parse(bubble.tool.log(bubble.id).filter((line) => line.type === type)[nr]?.ts ?? "");

describe.concurrent("a turn of a real CLI that ends without handing over", { timeout: 240_000 }, () => {
  test.for(clis)("%s that is killed goes on in its session", async (cli) => {
    const hold = never();
    const bubble = await bubbleOf(cli, "killed", {
      model: saying(setsTotal(cli), hold.line, answers(cli, done)),
    });
    await bubble.detach();
    await hold.isReached;
    process.kill(bubble.all("TURN_SPAWNED")[0]?.pid ?? 0, "SIGKILL");
    expect((await bubble.rests()).questions).toMatchObject(isEnough);
    expect(bubble.attempts()).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} resumed`, "t2.1 clerk fresh"]);
    expect(bubble.ends()).toEqual(["t1.1 crashed", "t2.1 asked"]);
    expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
    expect(bubble.tool.git("show", `${bubble.all("HANDOFF")[0]?.tree}:src/cart.txt`)).toBe("total: 2\n");
  });

  test.for(clis)("%s that gives no sign of life is ended and goes on; the second time a human is asked", async (cli) => {
    const clock = join(on.tool.folder, `clock-${cli}`);
    const stalls = [never(), never()];
    const bubble = await bubbleOf(cli, "hung", {
      env: { PAIRFLOW_CLOCK_SHIFT_FILE: clock },
      model: saying(
        setsTotal(cli),
        ...stalls.map(({ line }) => () => (void line(), { text: "I think", stallMs: 60_000 })),
        answers(cli, done),
      ),
    });
    await bubble.detach();
    for (const [at, { isReached }] of stalls.entries()) {
      await isReached;
      // Six minutes pass at once.
      writeFileSync(clock, `${(at + 1) * 360_000}`);
    }
    const asked = await bubble.rests();
    expect(asked.questions).toMatchObject([
      { kind: "lost-agent", text: expect.stringMatching(/\(2 attempts\): hung\. it gave no sign of life for 5 min/) },
    ]);
    expect((await bubble.reply("--choose", "retry")).questions).toMatchObject(isEnough);
    expect(bubble.attempts().slice(0, 3)).toEqual([
      `t1.1 ${cli} fresh`,
      `t1.2 ${cli} resumed`,
      `t1.3 ${cli} resumed`,
    ]);
    expect(bubble.ends().slice(0, 2)).toEqual(["t1.1 hung", "t1.2 hung"]);
    expect(promptsKnown(bubble)).toEqual(["the", "still the", "still the"]);
  });

  const limits: Record<Cli, Said> = {
    claude: { error: 429, message: "Too many requests", headers: { "retry-after": "3600" } },
    codex: { error: 200, type: "rate_limit_exceeded", message: "Slow down. Please try again in 2s." },
  };
  test.for(clis)("%s that asks too often waits a while, then goes on in its session", async (cli) => {
    const bubble = await bubbleOf(cli, "limited", {
      model: saying(setsTotal(cli), limits[cli], answers(cli, done)),
    });
    expect((await bubble.start()).questions).toMatchObject(isEnough);
    const [ended] = bubble.all("TURN_ENDED");
    expect(ended).toMatchObject({ outcome: "rate-limited", next: { session: "same" } });
    const notBefore = Date.parse(ended?.next?.not_before ?? "");
    expect(notBefore).toBeGreaterThan(millisOf(bubble, "TURN_STARTED", 0));
    expect(millisOf(bubble, "TURN_STARTED", 1)).toBeGreaterThanOrEqual(notBefore);
    expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
  });
});

/** Which prompts of ours the session knows that handed over: a new one knows a single one. */
function promptsKnown(bubble: Bubble): string[] {
  const texts = bubble.asked().at(-1)?.texts ?? [];
  return texts.flatMap((text) => /^# \S+ · round \d+ · \S+ is (the|still the)/.exec(text)?.[1] ?? []);
}
