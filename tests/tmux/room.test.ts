// The three panes of a bubble: what they are called, what the status pane says, and what a person's hands may do there.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { changeSetting, edit, openTerminal } from "../helpers/operator.ts";
import { facts, first, screen, second, sees, spawned, status, tmux, types } from "./panes.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const implementing = (...steps: object[]) => ({
  ...shortest,
  implementer: [
    { role: "implementer", steps: [...steps, ...shortest.implementer[0]!.steps] },
    shortest.implementer[1],
  ],
});
const isReady = ({ state }: { state: string }) => state === "READY_FOR_APPROVAL";

describe.concurrent("the panes", () => {
  it("are status, the first agent and the second, titled by who has which turn", async () => {
    await createScripted(
      tool,
      "room",
      implementing({ say: "at work" }, { ask: { question: "Which total?", options: ["two"] } }),
    );
    expect(await tool.ok("bubble", "start", "--id", "room")).toContain(
      "Next: pairflow bubble attach --id room",
    );
    await sees(tool, "room", first, "at work");
    expect(facts(tool, "room", "#{pane_index} #{pane_title}")).toEqual([
      "0 status",
      "1 codex · implementer · t1",
      "2 claude",
    ]);
    expect(facts(tool, "room", "#{session_name}")[0]).toBe("pf-room");
    await sees(tool, "room", second, "claude: waiting for its turn");
    await sees(tool, "room", first, "you are the implementer. Read ");
    const waiting = await sees(tool, "room", status, /^room\s+WAITING_HUMAN/m);
    expect(waiting).toMatch(/asks\s+codex, \d+ s ago: "Which total\?"/);
    expect(waiting).toMatch(/type\s+pairflow bubble reply --id room --choose two --message "…"/);
    await tool.ok("bubble", "reply", "--id", "room", "--choose", "two");
    await sees(tool, "room", status, /^room\s+READY_FOR_APPROVAL\s+round 2 of 8\s+gates ✓ test/m);
    expect(facts(tool, "room", "#{pane_title}")).toEqual([
      "status",
      "codex · reviewer · t3",
      "claude · reviewer · t2",
    ]);
    await sees(tool, "room", second, "claude · reviewer · t2: ended");
  });

  it("show state, round, agent, role, since when and the watchdog's countdown while an agent works", async ({
    expect,
  }) => {
    await createScripted(tool, "clock", {
      ...shortest,
      implementer: [{ role: "implementer", steps: [{ hang: true }] }],
    });
    await tool.ok("bubble", "start", "--id", "clock");
    const text = await sees(tool, "clock", status, /now\s+codex · implementer · \d+ s .*watchdog in \d:\d\d/);
    expect(text).toMatch(/^clock\s+RUNNING\s+round 1 of 8/m);
    expect(text).toMatch(/task\s+Make the total right/);
    const countdown = (shown: string) => /watchdog in (\d:\d\d)/.exec(shown)?.[1];
    await expect
      .poll(() => countdown(screen(tool, "clock", status)), { timeout: 10_000 })
      .not.toBe(countdown(text));
    await tool.ok("bubble", "stop", "--id", "clock");
    expect(() => tmux(tool, "has-session", "-t", "=pf-clock")).toThrow();
  });

  it("keep the state on screen in a pane that is too small for everything", async () => {
    const findings = Array.from({ length: 20 }, (_, n) => `P2:Finding ${n} @ src/cart.txt:1 | total: 2`);
    const reviewer = [{ role: "reviewer", steps: [{ pass: { summary: "many", findings } }] }];
    await createScripted(tool, "small", { ...shortest, reviewer });
    await tool.ok("bubble", "start", "--id", "small");
    const text = await sees(tool, "small", status, /type\s+pairflow bubble reply/);
    expect(text).toMatch(/^small\s+WAITING_HUMAN/);
  });
});

describe.concurrent("a person's terminal", () => {
  it("start --attach shows the panes; leaving them leaves the bubble at work", async () => {
    await createScripted(tool, "seen", {
      ...shortest,
      implementer: [{ role: "implementer", steps: [{ say: "at work" }, { hang: true }] }],
    });
    const person = openTerminal(tool, ["bubble", "start", "--id", "seen", "--attach"]);
    try {
      await person.sees(/seen\s+RUNNING/);
      await person.sees(/codex · implementer · t1[\s\S]*at work/);
      person.presses("C-b", "d");
      expect(await person.ends()).toMatchObject({ code: 0 });
    } finally {
      person.close();
    }
    expect(await tool.status("seen")).toMatchObject({
      state: "RUNNING",
      driver: { alive: true, seat: "tmux" },
    });
    const twice = await tool.run("bubble", "start", "--id", "seen");
    expect(twice).toMatchObject({ code: 1, stderr: expect.stringContaining("start.already") });
    await tool.ok("bubble", "stop", "--id", "seen");
  });

  it("headless tells who begins to work, and Ctrl-C ends the agent, which continues with the next driver", async () => {
    await createScripted(tool, "told", {
      ...shortest,
      implementer: [
        { role: "implementer", steps: [{ wait: "3s", once: true }, ...shortest.implementer[0]!.steps] },
        shortest.implementer[1],
      ],
    });
    const person = openTerminal(tool, ["bubble", "start", "--id", "told", "--headless"]);
    try {
      await person.sees(/Started told in [\s\S]*turn started\s+codex as implementer/);
      await tool.until("told", ({ turn }) => turn?.status === "running", "at work");
      person.presses("C-c");
      const left = await person.ends();
      expect(left.screen).toMatch(
        /told is RUNNING: nobody drives this bubble[\s\S]*Next: pairflow bubble resume --id told/,
      );
    } finally {
      person.close();
    }
    await tool.ok("bubble", "resume", "--id", "told", "--headless");
    expect((await tool.status("told")).state).toBe("READY_FOR_APPROVAL");
    // The second attempt is of the same turn, and counts nothing against the agent.
    const attempts = spawned(tool, "told").filter(({ turn }) => turn === "t1");
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe.concurrent("a person's hands", () => {
  it("typing into idle and working panes does no harm", async () => {
    await createScripted(tool, "typed", implementing({ say: "at work" }, { wait: "1500ms" }));
    await tool.ok("bubble", "start", "--id", "typed");
    await sees(tool, "typed", first, "at work");
    for (const pane of [status, first, second]) types(tool, "typed", pane, "rm -rf / ; echo y && exit 1");
    tmux(tool, "copy-mode", "-t", "=pf-typed:0.2");
    const ready = await tool.until("typed", isReady, "ready in spite of it");
    expect(ready.round).toBe(2);
    expect(spawned(tool, "typed").map(({ turn, attempt }) => `${turn}.${attempt}`)).toEqual([
      "t1.1",
      "t2.1",
      "t3.1",
    ]);
  });

  it("files edited between turns are a question before the next turn starts; resume --keep continues from them", async () => {
    const minor = ["P3:Odd name @ src/cart.txt:1 | total: 2"];
    await createScripted(tool, "edited", {
      implementer: [
        shortest.implementer[0],
        {
          role: "implementer",
          steps: [
            { replace: { path: "src/cart.txt", find: "mine", with: "ours" } },
            { pass: { summary: "on top of yours" } },
          ],
        },
        shortest.implementer[1],
      ],
      reviewer: [
        {
          role: "reviewer",
          steps: [
            {
              pass: {
                summary: "minor",
                findings: minor,
                checked: ["src/cart.txt:1 holds the total the task asks for"],
              },
            },
          ],
        },
        {
          role: "reviewer",
          steps: [
            {
              pass: {
                summary: "ok",
                fixed: ["F1"],
                no_findings: true,
                checked: ["src/cart.txt:1 holds the total the task asks for"],
              },
            },
          ],
        },
      ],
    });
    await tool.ok("bubble", "start", "--id", "edited");
    await tool.until("edited", ({ questions }) => questions[0]?.kind === "tie-break", "the tie-break");
    writeFileSync(join(tool.worktree("edited"), "src/cart.txt"), "total: 2, mine\n");
    await tool.ok("bubble", "reply", "--id", "edited", "--choose", "fix", "--message", "fix it");
    const asked = await sees(
      tool,
      "edited",
      status,
      /asks\s+referee.*Files changed while no agent had the turn: src\/cart\.txt/,
    );
    expect(asked).toMatch(/type\s+pairflow bubble resume --id edited --keep {3}or {3}--put-back/);
    expect(spawned(tool, "edited")).toHaveLength(2);
    await tool.ok("bubble", "resume", "--id", "edited", "--keep");
    await tool.until("edited", isReady, "ready");
    expect(readFileSync(join(tool.worktree("edited"), "src/cart.txt"), "utf8")).toBe("total: 2, ours\n");
  });

  it("an agent that leaves its process tree still has its pane for a terminal, and that grants nothing", async ({
    expect,
  }) => {
    await createScripted(tool, "pane", shortest);
    const said = join(tool.folder, "said");
    const pairflow = `${process.execPath} ${join(import.meta.dirname, "../../bin/pairflow")}`;
    const grants = `${pairflow} bubble approve --id pane --repo ${tool.repo} --yes`;
    const script = join(tool.folder, "agent.sh");
    // The subshell ends at once, so its child has neither marker nor ancestor of the turn; only the terminal is left.
    const orphan = `sleep 0.5; ${grants} < /dev/null > ${said} 2>&1; echo done >> ${said}`;
    writeFileSync(script, `(env -i PATH="$PATH" sh -c '${orphan}' &)\nsleep 60\n`);
    edit(tool, "pane", (text) =>
      text.replace(
        /(\[agent\.codex\]\nadapter = )"scripted"\nscript = .*/,
        `$1"command"\ncommand = "sh ${script}"`,
      ),
    );
    // In a sandbox it would not even find the record: this is the fence for machines that have none.
    await tool.with({ PAIRFLOW_SANDBOX: "off" }).ok("bubble", "start", "--id", "pane");
    const answer = () => (existsSync(said) ? readFileSync(said, "utf8") : "");
    await expect.poll(answer, { timeout: 15_000 }).toContain("done");
    expect(answer()).toContain("operator.agent-terminal");
    expect(answer()).toMatch(/\/dev\/pts\/\d+ is an agent's pane/);
    await tool.ok("bubble", "stop", "--id", "pane");
  });
});

it.concurrent("every review is a fresh process and session; reviewer_context_mode persistent keeps the session", async () => {
  const again = { findings: ["P1:Total is wrong @ src/cart.txt:1 | total: 2"] };
  const turns = {
    implementer: [
      shortest.implementer[0],
      {
        role: "implementer",
        steps: [
          { write: { path: "src/cart.txt", text: "total: 2, really\n" } },
          { pass: { summary: "x", ...fullPackage } },
        ],
      },
      shortest.implementer[1],
    ],
    reviewer: [
      { role: "reviewer", steps: [{ pass: { summary: "no", ...again } }] },
      {
        role: "reviewer",
        steps: [
          {
            pass: {
              summary: "ok",
              fixed: ["F1"],
              no_findings: true,
              checked: ["src/cart.txt:1 holds the total the task asks for"],
            },
          },
        ],
      },
    ],
  };
  const run = async (id: string, mode: string) => {
    await createScripted(tool, id, turns);
    changeSetting(tool, id, "reviewer_context_mode", `"${mode}"`);
    await tool.ok("bubble", "start", "--id", id);
  };
  await Promise.all([run("fresh", "fresh"), run("kept", "persistent")]);
  for (const [id, isKept] of [
    ["fresh", false],
    ["kept", true],
  ] as const) {
    await tool.until(id, isReady, `${id} is ready`);
    const started = tool
      .log(id)
      .flatMap((envelope) => (envelope.type === "TURN_STARTED" ? [envelope.payload] : []));
    const sessions = (agent: string) =>
      started.filter((turn) => turn.agent === agent).map((turn) => turn.session);
    const [one, two] = sessions("claude");
    expect(one === two).toBe(isKept);
    expect(started.filter((turn) => turn.agent === "claude").map((turn) => turn.fresh)).toEqual([
      true,
      !isKept,
    ]);
    const [producer, later] = sessions("codex");
    expect(later, "a producer remembers").toBe(producer);
    const pids = spawned(tool, id).map(({ pid }) => pid);
    expect(new Set(pids).size).toBe(pids.length);
  }
});
