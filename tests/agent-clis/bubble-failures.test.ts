// Every way a turn of a real CLI can end without handing over, and what follows: another try in the same session or a
// new one, a pause, another agent, and a person when the bound is reached. All through the command that people type.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { leftProcesses } from "../faults/leftovers.ts";
import { killDriver } from "../helpers/operator.ts";
import type { Said } from "../models/model.ts";
import { handoff, review, wrongTotal } from "./bubble-rig.ts";
import {
  answers,
  asksForMore,
  type Bubble,
  type Cli,
  clis,
  codex,
  handedOver,
  id,
  never,
  promptsKnown,
  saying,
  setsTotal,
  staged,
} from "./bubble-stage.ts";

const done = handoff("The total is right");

const millisOf = (bubble: Bubble, type: string, nr: number) =>
  Date.parse(bubble.tool.log(id).filter((line) => line.type === type)[nr]?.ts ?? "");

describe.concurrent("a turn of a real CLI that ends without handing over", { timeout: 240_000 }, () => {
  test.for(clis)("%s that is killed continues in its session", async (cli) => {
    const hold = never();
    await using bubble = await staged({
      implementer: cli,
      model: saying(setsTotal(cli), hold.line, answers(cli, done)),
    });
    await bubble.detach();
    await hold.isReached;
    process.kill(bubble.all("TURN_SPAWNED")[0]?.pid ?? 0, "SIGKILL");
    await handedOver(bubble, bubble.rests());
    expect(bubble.attempts()).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} resumed`, "t2.1 clerk fresh"]);
    expect(bubble.ends()).toEqual(["t1.1 crashed", "t2.1 asked"]);
    expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
    expect(bubble.tool.git("show", `${bubble.all("HANDOFF")[0]?.tree}:src/cart.txt`)).toBe("total: 2\n");
  });

  test.for(clis)(
    "%s that is paused in mid-turn has what it used on the record, and continues in its session",
    async (cli) => {
      const hold = never();
      await using bubble = await staged({
        implementer: cli,
        model: saying(setsTotal(cli), hold.stall, answers(cli, done)),
      });
      await bubble.detach();
      await hold.isReached;
      await bubble.tool.ok("bubble", "pause", "--id", id, "--now");
      await bubble.until(
        (log) => log.some(({ type }) => type === "TURN_USAGE"),
        "what the paused attempt used",
      );
      expect(bubble.all("TURN_USAGE")).toMatchObject([
        { turn: "t1", attempt: 1, usage: { input: expect.any(Number) } },
      ]);
      expect((await bubble.tool.status(id)).usage.unknown_attempts).toBe(0);
      await bubble.tool.ok("bubble", "resume", "--id", id, "--headless", "--detach");
      await handedOver(bubble, bubble.rests());
      expect(bubble.attempts().slice(0, 2)).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} resumed`]);
      expect(bubble.ends()[0]).toBe("t1.1 interrupted");
    },
  );

  test.for(clis)(
    "%s that gives no sign of life is ended and continues; the second time a human is asked",
    async (cli) => {
      const stalls = [never(), never()];
      await using bubble = await staged({
        implementer: cli,
        model: saying(...stalls.map(({ stall }) => stall), setsTotal(cli), answers(cli, done)),
      });
      await bubble.detach();
      for (const { isReached } of stalls) {
        await isReached;
        bubble.later(6);
      }
      const asked = await bubble.rests();
      expect(asked.questions).toMatchObject([
        {
          kind: "lost-agent",
          text: expect.stringMatching(/\(2 attempts\): hung\. it gave no sign of life for 5 min/),
        },
      ]);
      // A driver has released the bubble a moment before its process is gone.
      expect(await leftProcesses(bubble.tool, 10_000)).toEqual([]);
      await handedOver(bubble, bubble.reply("--choose", "retry"));
      expect(bubble.attempts().slice(0, 3)).toEqual([
        `t1.1 ${cli} fresh`,
        `t1.2 ${cli} resumed`,
        `t1.3 ${cli} resumed`,
      ]);
      expect(bubble.ends().slice(0, 2)).toEqual(["t1.1 hung", "t1.2 hung"]);
      expect(promptsKnown(bubble)).toEqual(["the", "still the", "still the"]);
    },
  );

  const limits: Record<Cli, Said> = {
    claude: { error: 429, message: "Too many requests", headers: { "retry-after": "3600" } },
    codex: { error: 200, type: "rate_limit_exceeded", message: "Slow down. Please try again in 2s." },
  };
  test.for(clis)("%s that asks too often waits a while, then continues in its session", async (cli) => {
    await using bubble = await staged({
      implementer: cli,
      model: saying(setsTotal(cli), limits[cli], answers(cli, done)),
    });
    await handedOver(bubble, bubble.start());
    const [ended] = bubble.all("TURN_ENDED");
    expect(ended).toMatchObject({ outcome: "rate-limited", next: { session: "same" } });
    const notBefore = Date.parse(ended?.next?.not_before ?? "");
    expect(notBefore).toBeGreaterThan(millisOf(bubble, "TURN_STARTED", 0));
    expect(millisOf(bubble, "TURN_STARTED", 1)).toBeGreaterThanOrEqual(notBefore);
    expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
  });

  /** A used-up account, as each CLI is told about it: until a moment a few seconds ahead. */
  const usedUp = (cli: Cli, resetsAt: number): Said => ({
    error: 429,
    message: "The usage limit has been reached",
    ...(cli === "claude"
      ? {
          headers: {
            "anthropic-ratelimit-unified-status": "rejected",
            "anthropic-ratelimit-unified-reset": `${resetsAt}`,
            "anthropic-ratelimit-unified-representative-claim": "five_hour",
          },
        }
      : {
          type: "usage_limit_reached",
          headers: { "x-codex-primary-used-percent": "100", "x-codex-primary-reset-at": `${resetsAt}` },
        }),
  });
  /** Only a subscription has an allowance that comes back. */
  const subscription = { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "no-real-token-of-anybody-0000" };

  /** It was waited for exactly until then, and the session continued. */
  function waitedUntil(bubble: Bubble, resetsAt: number): void {
    const moment = new Date(resetsAt * 1000).toISOString();
    expect(bubble.all("TURN_ENDED")[0]).toMatchObject({
      outcome: "quota",
      until: moment,
      next: { session: "same", not_before: moment },
    });
    expect(millisOf(bubble, "TURN_STARTED", 1)).toBeGreaterThanOrEqual(resetsAt * 1000);
    expect(promptsKnown(bubble)).toEqual(["the", "still the"]);
  }

  test("codex whose account is used up waits until it comes back, and continues", async () => {
    let resetsAt = 0;
    const isUsedUp = () => {
      resetsAt = Math.ceil(Date.now() / 1000) + 6;
      return usedUp("codex", resetsAt);
    };
    await using bubble = await staged({
      implementer: "codex",
      model: saying(setsTotal("codex"), isUsedUp, answers("codex", done)),
    });
    await handedOver(bubble, bubble.start());
    waitedUntil(bubble, resetsAt);
  });

  test("claude whose account is used up for hours is waited for by the next driver too", async () => {
    const resetsAt = Math.ceil(Date.now() / 1000) + 3 * 3600;
    await using bubble = await staged({
      implementer: "claude",
      env: subscription,
      model: saying(setsTotal("claude"), usedUp("claude", resetsAt), answers("claude", done)),
    });
    await bubble.detach();
    await bubble.until(
      (log) => log.some(({ type }) => type === "TURN_ENDED"),
      "the end of the first attempt",
    );
    expect(await bubble.tool.ok("bubble", "status", "--id", id)).toMatch(/starts in (2:59|179:\d\d)/);
    await killDriver(bubble.tool, id);
    bubble.later(181);
    await bubble.tool.ok("bubble", "resume", "--id", id, "--headless");
    await handedOver(bubble, bubble.tool.status(id));
    waitedUntil(bubble, resetsAt);
  });

  test("codex whose account is used up is not waited for where the bubble says so", async () => {
    await using bubble = await staged({
      implementer: "codex",
      settings: { wait_for_quota: "false" },
      model: saying(
        usedUp("codex", Math.ceil(Date.now() / 1000) + 3600),
        setsTotal("codex"),
        answers("codex", done),
      ),
    });
    expect((await bubble.start()).questions).toMatchObject([
      { kind: "lost-agent", text: expect.stringMatching(/: quota\. .*account is used up.*choose retry/s) },
    ]);
    await handedOver(bubble, bubble.reply("--choose", "retry"));
    expect(bubble.attempts().slice(0, 2)).toEqual(["t1.1 codex fresh", "t1.2 codex resumed"]);
  });

  const tooLong: Record<Cli, Said> = {
    claude: { error: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" },
    codex: { error: 400, type: "context_length_exceeded", message: "Your input exceeds the context window." },
  };
  test.for(clis)(
    "%s whose conversation is too long begins a new one with the whole briefing",
    async (cli) => {
      await using bubble = await staged({
        implementer: cli,
        model: saying(setsTotal(cli), tooLong[cli], answers(cli, done)),
      });
      await handedOver(bubble, bubble.start());
      expect(bubble.ends()[0]).toBe("t1.1 context-overflow");
      expect(bubble.attempts().slice(0, 2)).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} fresh`]);
      expect(promptsKnown(bubble)).toEqual(["the"]);
      expect(bubble.prompt(2)).toContain("Make the total right");
    },
  );

  test.for(clis)("%s that is not logged in is a human's business at once; retry continues", async (cli) => {
    let isLoggedIn = false;
    const words = saying(setsTotal(cli), answers(cli, done));
    await using bubble = await staged({
      implementer: cli,
      model: (asked) => (isLoggedIn ? words(asked) : { error: 401, message: "invalid x-api-key" }),
    });
    expect((await bubble.start()).questions).toMatchObject([
      {
        kind: "lost-agent",
        text: expect.stringContaining("Log in with the agent's own CLI, then choose retry."),
        options: [{ key: "retry" }, { key: "reject" }],
      },
    ]);
    expect(await bubble.tool.ok("inbox")).toContain(`pairflow bubble reply --id ${id} --choose retry`);
    isLoggedIn = true;
    await handedOver(bubble, bubble.reply("--choose", "retry"));
    expect(bubble.ends()[0]).toBe("t1.1 auth");
    expect(bubble.attempts().slice(0, 2)).toEqual([`t1.1 ${cli} fresh`, `t1.2 ${cli} resumed`]);
  });

  test.for(clis)(
    "%s that cannot continue gives its turn to its fallback, a new session of another CLI",
    async (cli) => {
      const other = cli === "codex" ? "claude" : "codex";
      const words = saying(setsTotal(other), answers(other, done));
      await using bubble = await staged({
        implementer: cli,
        agents: {
          [cli]: { ...(cli === "codex" ? codex : { adapter: cli }), fallback: "stand-in" },
          "stand-in": { adapter: other },
        },
        model: (asked) =>
          (asked.api === "responses") === (cli === "codex")
            ? { error: 401, message: "no key" }
            : words(asked),
      });
      await handedOver(bubble, bubble.start());
      expect(bubble.all("TURN_ENDED")[0]).toMatchObject({
        outcome: "auth",
        next: { agent: "stand-in", session: "fresh" },
      });
      expect(bubble.attempts().slice(0, 2)).toEqual([`t1.1 ${cli} fresh`, "t1.2 stand-in fresh"]);
      expect(promptsKnown(bubble)).toEqual(["the"]);
      expect(bubble.all("PASS")).toMatchObject([{ turn: "t1", summary: "The total is right" }]);
    },
  );

  test.for(clis)("%s whose session is lost begins a new one with the whole briefing", async (cli) => {
    await using bubble = await staged({
      implementer: cli,
      programs: {
        clerk: [
          { says: asksForMore },
          { says: review("The total is wrong", { findings: [wrongTotal], checked: [] }) },
          { says: asksForMore },
        ],
      },
      model: saying(
        setsTotal(cli, 3),
        answers(cli, done),
        setsTotal(cli),
        answers(cli, handoff("F1 is fixed")),
      ),
    });
    await handedOver(bubble, bubble.start());
    forget(bubble);
    await handedOver(bubble, bubble.reply("--message", "No: look closer"));
    expect(bubble.ends()).toContain("t3.1 no-session");
    expect(bubble.attempts().filter((one) => one.includes(cli))).toEqual([
      `t1.1 ${cli} fresh`,
      `t3.1 ${cli} resumed`,
      `t3.2 ${cli} fresh`,
    ]);
    expect(promptsKnown(bubble)).toEqual(["the"]);
  });
});

/** Removes every file that the CLI keeps of the session in which the first turn was taken. */
function forget(bubble: Bubble): void {
  const session = bubble.all("TURN_SESSION")[0]?.session ?? bubble.all("TURN_STARTED")[0]?.session ?? "";
  const home = bubble.tool.env.HOME ?? "";
  const files = readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.includes(session),
  );
  expect(files.filter((name) => name.endsWith(".jsonl"))).toHaveLength(1);
  for (const name of files) rmSync(join(home, name), { recursive: true, force: true });
}
