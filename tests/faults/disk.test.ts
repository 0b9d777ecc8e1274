// What can happen to the files of a record, and that the transcript alone decides what is true.
import { execFileSync, spawn } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  cpSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { cli, type Ran, type Rig, rig } from "../acceptance/rig.ts";
import { hangingTurn, passFlags, waitingQuestion } from "./scene.ts";

const id = "b1";
const reply = ["bubble", "reply", "--id", id, "--message", "Two"];
let tool: Rig;

beforeEach(() => {
  tool = rig();
});
afterEach(() => tool.close());

const file = (name: string) => join(tool.repo, ".pairflow", "bubbles", id, name);
const counted = (type: string) => wholeLines().filter((line) => line.type === type).length;
const wholeLines = () =>
  readFileSync(tool.transcript(id), "utf8")
    .split("\n")
    .flatMap((line) => (line.startsWith("{") && line.endsWith("}") ? [JSON.parse(line)] : []));

describe("the transcript", () => {
  it("loses nothing to a torn last line: the next command stands behind it and verify notes it", async () => {
    await waitingQuestion(tool);
    const lines = tool.log(id).length;
    appendFileSync(tool.transcript(id), '{"v":1,"seq":11,"id":"msg_2026');
    expect((await tool.status(id)).state).toBe("WAITING_HUMAN");
    await tool.ok(...reply);
    await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready for approval");
    const verified = await tool.ok("verify", "--id", id);
    expect(verified).toMatch(new RegExp(`line ${lines + 1}.*does not count`));
    expect(counted("HUMAN_REPLY")).toBe(1);
  });

  it("cut short is damaged: what is left is shown, whoever acts is refused, and verify says so", async () => {
    await waitingQuestion(tool);
    const text = readFileSync(tool.transcript(id), "utf8");
    const kept = text.trimEnd().lastIndexOf("\n") + 1;
    truncateSync(tool.transcript(id), kept + 40);
    const status = await tool.status(id);
    expect(status).toMatchObject({
      state: "RUNNING",
      questions: [],
      next: { command: `pairflow bubble salvage --id ${id}` },
      trouble: { kind: "damaged", reason: expect.stringContaining("it was cut off") },
    });
    const verified = await tool.run("verify", "--id", id);
    expect(verified.code).toBe(1);
    expect(verified.stdout + verified.stderr).toContain("it was cut off");
    const resumed = await tool.run("bubble", "resume", "--id", id, "--headless");
    expect(resumed).toMatchObject({ code: 3, stderr: expect.stringContaining("log.damaged") });
  });
});

describe("state.json", () => {
  const faults = {
    deleted: () => rmSync(file("state.json")),
    "overwritten with garbage": () => writeFileSync(file("state.json"), "\u0000garbage\n{"),
    "cut in half": () => truncateSync(file("state.json"), Math.floor(statSync(file("state.json")).size / 2)),
    "edited by hand": () =>
      writeFileSync(
        file("state.json"),
        readFileSync(file("state.json"), "utf8").replaceAll("WAITING_HUMAN", "DONE"),
      ),
  };
  it.each(Object.entries(faults))(
    "%s changes nothing anybody is told, and is made again",
    async (_, fault) => {
      await waitingQuestion(tool);
      const before = await tool.status(id);
      fault();
      const { watchdog: _w, ...after } = await tool.status(id);
      expect(after).toEqual({ ...before, watchdog: undefined });
      expect(JSON.parse(await tool.ok("bubble", "list", "--json"))).toMatchObject({
        bubbles: [{ bubble: id, state: "WAITING_HUMAN" }],
      });
      await tool.ok(...reply);
      // A driver at work writes the cache a little later than the record, and at the latest when it leaves.
      const isLeft: Parameters<Rig["until"]>[1] = ({ state, driver }) =>
        state === "READY_FOR_APPROVAL" && !driver.alive;
      await tool.until(id, isLeft, "ready for approval, and nobody drives");
      expect(JSON.parse(readFileSync(file("state.json"), "utf8"))).toMatchObject({
        state: "READY_FOR_APPROVAL",
      });
      await tool.ok("verify", "--id", id);
    },
  );
});

test("on a full disk a pass fails with log.disk-full, nothing is lost, and with room again it passes once", async () => {
  const { agent } = await hangingTurn(tool);
  const full = Math.floor(statSync(tool.transcript(id)).size / 1024);
  const failed = await inShell(agent, `ulimit -f ${full}; exec "$@"`, [process.execPath, cli, ...passFlags]);
  expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining("log.disk-full") });
  expect(counted("PASS")).toBe(0);
  expect((await tool.status(id)).turn).toMatchObject({ id: "t1", status: "running" });
  await agent.ok(...passFlags);
  await tool.until(id, ({ turn }) => turn?.id !== "t1", "the next turn");
  expect(counted("PASS")).toBe(1);
  await tool.ok("verify", "--id", id);
});

test("in a folder one may only read, status works and a reply is refused cleanly", async () => {
  await waitingQuestion(tool);
  const seen = await asStranger("bubble", "status", "--id", id);
  expect(seen).toMatchObject({ code: 0, stdout: expect.stringContaining("WAITING_HUMAN") });
  const refused = await asStranger(...reply);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining("read-only") });
  expect(counted("HUMAN_REPLY")).toBe(0);
  await tool.ok(...reply);
});

/** Somebody who may look but not write: another user when the tests run as root, whom no mode stops. */
function asStranger(...args: string[]): Promise<Ran> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chmodSync(tool.folder, 0o755);
  // Records are their owner's alone; this one lets others look.
  if (isRoot) execFileSync("chmod", ["-R", "a+rX", join(tool.repo, ".pairflow"), join(tool.folder, "home")]);
  else chmodSync(join(tool.repo, ".pairflow"), 0o555);
  // The checkout may lie in a folder that only its owner can enter.
  const copy = join(tool.folder, "pairflow");
  const root = join(cli, "..", "..");
  for (const part of ["bin", "dist", "package.json", "workflows", "presets", "prompts"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  const who = isRoot ? { uid: 65534, gid: 65534 } : {};
  return ended(
    spawn(process.execPath, [join(copy, "bin", "pairflow"), ...args], {
      cwd: tool.repo,
      env: tool.env,
      ...who,
    }),
  );
}

function inShell(who: Rig, line: string, args: string[]): Promise<Ran> {
  return ended(spawn("bash", ["-c", line, "bash", ...args], { cwd: who.repo, env: who.env }));
}

function ended(child: ReturnType<typeof spawn>): Promise<Ran> {
  return new Promise((resolve) => {
    let [stdout, stderr] = ["", ""];
    child.stdout?.on("data", (chunk) => (stdout += chunk));
    child.stderr?.on("data", (chunk) => (stderr += chunk));
    child.once("close", (code) => resolve({ code: code ?? 128, stdout, stderr }));
  });
}
