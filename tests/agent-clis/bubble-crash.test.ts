// Pairflow dies in the middle of a turn of a real CLI: the next driver adopts the living turn, submits an answer that was
// given meanwhile, or continues in the session of a turn that died too. No finished turn is paid for twice.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { cli } from "../acceptance/rig.ts";
import { leftProcesses, processesOf } from "../faults/leftovers.ts";
import type { Asked, Model, Said } from "../models/model.ts";
import {
  claudeSays,
  codexRuns,
  codexSays,
  handoff,
  type RealRig,
  realRig,
  review,
  turnOf,
} from "./bubble-rig.ts";

const id = "total";

/** Says what the play has for the turn, but lets a test hold an answer back. */
function held(lines: Record<string, Said[]>) {
  const said = new Map<string, number>();
  let release = () => {};
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => (reached = resolve));
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  const model: Model = async (asked: Asked) => {
    const turn = turnOf(asked);
    const nr = said.get(turn) ?? 0;
    said.set(turn, nr + 1);
    const line = lines[turn]?.[nr];
    if (!line) throw new Error(`no line ${nr + 1} for ${turn}`);
    if ("text" in line && line.text?.startsWith("HOLD")) {
      reached();
      await isReleased;
      return { ...line, text: line.text.slice(4) };
    }
    if ("calls" in line && line.calls?.[0]?.tool === "HOLD") {
      reached();
      await isReleased;
      return { ...line, calls: line.calls.slice(1) };
    }
    return line;
  };
  return { model, isReached, release };
}

/** Drives in the foreground of a process of its own, which the test can kill. */
async function startAndKill(real: RealRig, when: Promise<void>): Promise<void> {
  const { tool } = real;
  const args = ["bubble", "start", "--id", id, "--headless"];
  const driver = spawn(tool.node, [cli, ...args], {
    cwd: tool.repo,
    env: tool.env,
    detached: true,
    stdio: "ignore",
  });
  const gone = new Promise((resolve) => driver.once("exit", resolve));
  await when;
  driver.kill("SIGKILL");
  await gone;
}

async function created(model: Model): Promise<RealRig> {
  const real = await realRig(model);
  await real.tool.ok("bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true");
  return real;
}

const rest = {
  "reviewer 1": [claudeSays(review("Nothing found"))],
  "reviewer 2": [codexSays(review("Nothing found", { converged: true }))],
};
const attempts = (real: RealRig) =>
  real.tool
    .log(id)
    .flatMap((line) =>
      line.type === "TURN_STARTED" ? [`${line.payload.turn}.${line.payload.attempt}`] : [],
    );

/** What the first attempt has printed so far. */
function readOutput({ tool }: RealRig): string {
  const [started] = tool.log(id).filter((line) => line.type === "TURN_STARTED");
  return started ? readFileSync(started.payload.output, "utf8") : "";
}

describe("when Pairflow is killed in the middle of a turn", { timeout: 180_000 }, () => {
  test("the living Codex is adopted, and its answer counts", async () => {
    const play = held({
      "implementer 1": [
        codexRuns("printf 'total: 2\\n' > src/cart.txt"),
        { text: `HOLD${JSON.stringify(handoff("Done"))}` },
      ],
      ...rest,
    });
    await using real = await created(play.model);
    await startAndKill(real, play.isReached);
    const resumed = real.tool.ok("bubble", "resume", "--id", id, "--headless");
    await real.tool.until(id, ({ driver }) => driver.alive, "a new driver");
    play.release();
    await resumed;
    expect((await real.tool.status(id)).state, await real.tool.ok("log", "--id", id, "--all")).toBe(
      "READY_FOR_APPROVAL",
    );
    expect(attempts(real)).toEqual(["t1.1", "t2.1", "t3.1"]);
  });

  test("an answer given while nobody drove is submitted, and the turn is not run again", async () => {
    const play = held({
      "implementer 1": [
        codexRuns("printf 'total: 2\\n' > src/cart.txt"),
        { text: `HOLD${JSON.stringify(handoff("Done"))}` },
      ],
      ...rest,
    });
    await using real = await created(play.model);
    await startAndKill(real, play.isReached);
    play.release();
    const asked = () => real.server.asked.length;
    const before = asked();
    // The answer arrives in the output file although nobody reads it.
    await expect.poll(() => readOutput(real), { timeout: 60_000 }).toContain("turn/completed");
    await real.tool.ok("bubble", "resume", "--id", id, "--headless");
    expect((await real.tool.status(id)).state).toBe("READY_FOR_APPROVAL");
    expect(attempts(real)).toEqual(["t1.1", "t2.1", "t3.1"]);
    expect(asked()).toBe(before + 2);
  });

  test.for(["codex", "claude"] as const)("a %s that died too is resumed in its session", async (agent) => {
    const answer = handoff("Done");
    const changes =
      agent === "codex"
        ? codexRuns("printf 'total: 2\\n' > src/cart.txt")
        : {
            calls: [
              { tool: "Bash", input: { command: "printf 'total: 2\\n' > src/cart.txt", description: "Set" } },
            ],
          };
    const last = agent === "codex" ? codexSays(answer) : claudeSays(answer);
    const held1: Said =
      agent === "codex"
        ? { text: `HOLD${JSON.stringify(answer)}` }
        : {
            calls: [
              { tool: "HOLD", input: {} },
              { tool: "StructuredOutput", input: answer },
            ],
          };
    const critic = agent === "codex" ? claudeSays : codexSays;
    const other = agent === "codex" ? codexSays : claudeSays;
    const play = held({
      "implementer 1": [changes, held1, last],
      "reviewer 1": [critic(review("Nothing found"))],
      "reviewer 2": [other(review("Nothing found", { converged: true }))],
    });
    await using real = await realRig(play.model);
    const reviewer = agent === "codex" ? "claude" : "codex";
    await real.tool.ok(
      ...["bubble", "create", "--id", id, "--task", "Make the total right", "--test", "true"],
      ...["--implementer", agent, "--reviewer", reviewer],
    );
    await startAndKill(real, play.isReached);
    for (const { pid } of processesOf(real.tool)) process.kill(pid, "SIGKILL");
    await real.tool.ok("bubble", "resume", "--id", id, "--headless");
    const status = await real.tool.status(id);
    expect(status.state, await real.tool.ok("log", "--id", id, "--all")).toBe("READY_FOR_APPROVAL");
    expect(attempts(real)).toEqual(["t1.1", "t1.2", "t2.1", "t3.1"]);
    const starts = real.tool.log(id).flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload] : []));
    expect(starts[1]).toMatchObject({ turn: "t1", attempt: 2, fresh: false });
    // The session that continues knows its first prompt.
    const again = real.server.asked.find(({ texts }) =>
      texts.some((text) => text.includes("is still the implementer")),
    );
    expect(again?.texts.some((text) => text.includes("is the implementer"))).toBe(true);
  });

  test("stop ends the agent of a dead driver, and nothing is left", async () => {
    const play = held({ "implementer 1": [{ text: "HOLD{}" }] });
    await using real = await created(play.model);
    await startAndKill(real, play.isReached);
    expect(processesOf(real.tool)).not.toEqual([]);
    await real.tool.ok("bubble", "stop", "--id", id);
    expect(await leftProcesses(real.tool)).toEqual([]);
    play.release();
  });
});
