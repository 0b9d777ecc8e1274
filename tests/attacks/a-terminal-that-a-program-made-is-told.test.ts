// The self-approval of a daemon: a program with a clean environment makes a terminal for itself with `script` and signs. It is told
// everywhere as what it is, and the setting `approval = "proven"` refuses it.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { edit, openTerminal } from "../helpers/operator.ts";
import { confirmSettings } from "../helpers/trust.ts";

let tool: Rig;
beforeAll(async () => {
  tool = rig();
  for (const id of ["any", "strict", "typed", "four-eyes"]) await createScripted(tool, id, shortest);
  edit(tool, "strict", (text) => text.replace(/^# approval = .*$/m, 'approval = "proven"'));
  edit(tool, "four-eyes", (text) => text.replace(/^# second_person = .*$/m, "second_person = true"));
  confirmSettings(tool);
  for (const id of ["any", "strict", "typed", "four-eyes"])
    await tool.ok("bubble", "start", "--id", id, "--headless");
}, 120_000);
afterAll(() => tool.close());

/** A daemon: a session of its own, nothing of ours in its environment, and a terminal that it made itself. */
function daemonApproves(id: string, digest: string) {
  const words = ["bubble", "approve", "--id", id, "--digest", digest, "--yes"];
  const line = [process.execPath, cli, ...words].join(" ");
  const { HOME = "", PATH = "" } = tool.env;
  const inner = `env -i HOME=${HOME} PATH=${PATH} script -qec '${line}' /dev/null`;
  return spawnSync("setsid", ["--wait", "sh", "-c", inner], {
    cwd: tool.repo,
    encoding: "utf8",
    timeout: 60_000,
  });
}

const digestOf = async (id: string) => (await tool.status(id)).approval?.digest ?? "";

describe.runIf(existsSync("/usr/bin/script"))("a daemon with a terminal of its own", () => {
  it("signs through a door that is told as unproven on screen, on the record, in explain and by verify", async () => {
    const { stdout } = daemonApproves("any", await digestOf("any"));
    expect(stdout).toContain("(door unproven)");
    const [signed] = tool.log("any").filter(({ type }) => type === "APPROVAL_DECISION");
    expect(signed?.payload).toMatchObject({
      via: "terminal",
      door: {
        user: expect.any(String),
        terminal: expect.stringMatching(/^\/dev\/pts\//),
        leader: { pid: expect.any(Number), started_at: expect.stringMatching(/^2/) },
        unproven: expect.stringMatching(/no login, ssh|entered/),
      },
    });
    expect(JSON.stringify(signed?.payload)).toContain("script");
    expect(await tool.ok("bubble", "status", "--id", "any")).toContain("approved · door unproven");
    expect(await tool.ok("explain", "--id", "any")).toContain("door unproven");
    const verified = await tool.run("verify", "--id", "any");
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout + verified.stderr).toContain("door unproven: the approval");
  });

  it("is refused where the settings want a proven door; a key is one of its own", async () => {
    const digest = await digestOf("strict");
    expect(daemonApproves("strict", digest).stdout).toContain("approve.door-unproven");
    expect((await tool.status("strict")).state).toBe("READY_FOR_APPROVAL");
    const signed = ["bubble", "approve", "--id", "strict", "--digest", digest, "--operator-key", tool.key];
    expect(await tool.run(...signed)).toMatchObject({ code: 0 });
  });
});

it("who has started the bubble cannot approve it where a second person is wanted, by no door", async () => {
  const words = ["bubble", "approve", "--id", "four-eyes", "--yes", "--operator-key", tool.key];
  expect((await tool.run(...words)).stderr).toContain("approve.same-person");
  expect((await tool.status("four-eyes")).state).toBe("READY_FOR_APPROVAL");
});

it("at a terminal the end of the digest is typed, also with --yes", async () => {
  const end = (await digestOf("typed")).slice(-4);
  for (const [typed, says] of [
    ["nope", "Nothing was signed"],
    [end, "Approved"],
  ] as const) {
    const desk = openTerminal(tool, ["bubble", "approve", "--id", "typed", "--yes"]);
    try {
      await desk.sees(`…${end}: type its last four characters to sign:`);
      desk.types(typed);
      expect((await desk.ends()).screen).toContain(says);
    } finally {
      desk.close();
    }
  }
  expect((await tool.status("typed")).state).toBe("APPROVED_FOR_COMMIT");
}, 60_000);
