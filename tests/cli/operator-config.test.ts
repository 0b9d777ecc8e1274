// bubble.toml in a person's editor: what may be changed until the start, what is pinned, and what is never taken.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { changeSetting, edit, runHeadless } from "../helpers/operator.ts";

const id = "fresh";
let tool: Rig;
let asCreated = "";
beforeAll(async () => {
  tool = rig();
  await createScripted(tool, id, shortest);
  edit(tool, id, (text) => (asCreated = text));
});
afterEach(() => edit(tool, id, () => asCreated));
afterAll(() => tool.close());

const start = () => tool.run("bubble", "start", "--id", id, "--headless");
const unstarted = async () => expect((await tool.status(id)).state).toBe("CREATED");

describe("between creation and start", () => {
  it.each([
    ["max_rounds", "3"],
    ["base_branch", '"other"'],
    ["kind", '"document"'],
    ["implements", '"prd"'],
    ["require_document", "true"],
    ["id", '"somebody-else"'],
    ["repo_path", '"/tmp"'],
  ])("%s is pinned since the creation", async (key, value) => {
    changeSetting(tool, id, key, value);
    const refused = await start();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("config.frozen") });
    expect(refused.stderr).toContain(`bubble.toml changed what is pinned: ${key}`);
    await unstarted();
  });

  it("[commands] lists the confirmed gates, and another one is confirmed before anything runs", async () => {
    expect(asCreated).toMatch(/\n\[commands\]\ntest = ".+"\n/);
    edit(tool, id, (text) => text.replace("[commands]", '[commands]\ntypecheck = "touch ran-unasked"'));
    const refused = await start();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("trust.unconfirmed") });
    expect(refused.stderr).toContain("gate typecheck touch ran-unasked");
    await unstarted();
  });

  it("[commands] without a gate is refused", async () => {
    edit(tool, id, (text) => text.replace(/\[commands\]\n(?:\w.*\n)*/, "[commands]\n"));
    expect((await start()).stderr).toContain("config.no-gates");
    await unstarted();
  });

  it("the file itself says what is pinned", async () => {
    edit(tool, id, (text) => {
      expect(text).toMatch(/^# Bubble \S+\. Pinned since it was created: id, .*max_rounds, implements/);
      return text;
    });
  });
});

describe("a file that says the impossible", () => {
  it.each([
    ["quality_mode", '"balanced"', /undefined policy behaviour/],
    ["commit_requires_approval", "false", /only after an explicit human approval/],
  ])("%s = %s is refused with the reason", async (key, value, why) => {
    changeSetting(tool, id, key, value);
    const refused = await start();
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("config.refused-setting") });
    expect(refused.stderr).toMatch(why);
    await unstarted();
  });

  it("an unknown key is an error with file, line and the nearest word", async () => {
    edit(
      tool,
      id,
      (text) =>
        `${text.split("\n").slice(0, 3).join("\n")}\nmax_rouns = 4\n${text.split("\n").slice(3).join("\n")}`,
    );
    const refused = await start();
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("config.unknown-key") });
    expect(refused.stderr).toContain(`${tool.repo}/.pairflow/bubbles/${id}/bubble.toml:4:1`);
    expect(refused.stderr).toContain("max_rounds");
  });

  it("a wrong value names its line, and several problems are listed together", async () => {
    changeSetting(tool, id, "watchdog_timeout_minutes", "0");
    changeSetting(tool, id, "work_mode", '"submarine"');
    const refused = await start();
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/bubble\.toml:\d+:\d+.*work_mode must be "worktree" or "clone"/s);
    expect(refused.stderr).toMatch(
      /bubble\.toml:\d+:\d+.*watchdog_timeout_minutes must be a number of minutes/s,
    );
  });

  it("broken TOML shows the place", async () => {
    edit(tool, id, (text) => text.replace("[agents]", "[agents"));
    expect(await start()).toMatchObject({ code: 2, stderr: expect.stringMatching(/config\.syntax.*/) });
  });

  it("a role without an agent does not start", async () => {
    edit(tool, id, (text) => text.replace('reviewer = "claude"\n', ""));
    expect(await start()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("workflow.role-unbound"),
    });
  });
});

describe("what is not pinned", () => {
  it("may be changed until the start, and the change is on the record", async () => {
    changeSetting(tool, id, "watchdog_timeout_minutes", "7");
    changeSetting(tool, id, "reviewer_sees_summary", "true");
    changeSetting(tool, id, "in", '["src/**"]');
    expect(await start()).toMatchObject({ code: 0 });
    expect(tool.log(id)[1]).toMatchObject({
      type: "CONFIGURED",
      sender: "orchestrator",
      payload: { changed: ["reviewer_sees_summary", "watchdog_timeout_minutes", "agent", "scope"] },
    });
  });
});

describe("once it has started", () => {
  it("time limits and notifications may change at resume; base, scope and agents' roles may not", async () => {
    const ready = await runHeadless(tool, "begun", shortest);
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    changeSetting(tool, "begun", "turn_timeout_minutes", "45");
    expect(
      await tool.run("bubble", "resume", "--id", "begun", "--put-back", "--headless", "--detach"),
    ).toMatchObject({ code: 0 });
    expect(
      tool
        .log("begun")
        .some(
          (envelope) =>
            envelope.type === "CONFIGURED" && envelope.payload.changed[0] === "turn_timeout_minutes",
        ),
    ).toBe(true);
    for (const [key, value] of [
      ["out", '["docs/**"]'],
      ["implementer", '"claude"'],
      ["setup", '"true"'],
    ] as const) {
      edit(tool, "begun", (text) => {
        const changed = text.replace(new RegExp(`^(# )?${key} = .*$`, "m"), `${key} = ${value}`);
        expect(changed).not.toBe(text);
        return changed;
      });
      const refused = await tool.run("bubble", "resume", "--id", "begun", "--put-back");
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("config.frozen") });
      expect(refused.stderr).toContain("changeable now: ");
    }
  });
});
