// pairflow bubble try: the change, run for a person on a checkout of its own.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

let tool: Rig;
beforeAll(async () => {
  tool = rig({
    files: { ".pairflow/config.yaml": 'defaults:\n  try_command: "cat src/cart.txt"\n' },
  });
  for (const id of ["one", "two"]) {
    await createScripted(tool, id, shortest);
    await tool.ok("bubble", "start", "--id", id, "--headless");
    await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready");
  }
  await createScripted(tool, "new", shortest);
}, 60_000);
afterAll(() => tool.close());

const tryOut = (id: string, command: string) => tool.ok("bubble", "try", "--id", id, "--command", command);

describe("what is tried", () => {
  it("is the tree that was handed over, by try_command of the project", async () => {
    expect(await tool.ok("bubble", "try", "--id", "one", "--yes")).toContain("total: 2\n");
  });

  it("stands on a checkout of its own: the worktree stays as it was judged", async () => {
    const tree = (await tool.status("one")).tree?.id;
    await tryOut("one", "echo broken > src/cart.txt; touch left");
    expect(existsSync(join(tool.worktree("one"), "left"))).toBe(false);
    const digest = (await tool.status("one")).approval?.digest ?? "";
    expect((await tool.status("one")).tree?.id).toBe(tree);
    await tool.ok("bubble", "approve", "--id", "one", "--digest", digest, "--operator-key", tool.key);
  });

  it("is confined as gates are: the record is out of its reach", async () => {
    const said = await tryOut("two", `ls ${tool.repo}/.pairflow/bubbles 2>&1 || true`);
    expect(said).not.toContain("transcript");
    expect(said.split("\n").filter((line) => line === "one" || line === "two")).toEqual([]);
  });
});

describe("variables", () => {
  it("are ports that differ between bubbles and stay for one, and a folder that stays", async () => {
    const read = async (id: string) =>
      (await tryOut(id, "echo port=$PORT,$PORT2,$PORT3")).match(/port=(\S+)/)?.[1];
    const [one, two, again] = [await read("one"), await read("two"), await read("one")];
    expect(one).not.toBe(two);
    expect(again).toBe(one);
    await tryOut("two", "echo kept > $DATA_DIR/file");
    expect(await tryOut("two", "cat $DATA_DIR/file")).toContain("kept");
  });
});

describe("refusals and leaving", () => {
  it("nothing handed over; and the exit code of what was tried", async () => {
    expect((await tool.run("bubble", "try", "--id", "new")).stderr).toContain("(try.nothing-made)");

    const failed = await tool.run("bubble", "try", "--id", "two", "--command", "exit 7");
    expect(failed).toMatchObject({ code: 3, stdout: expect.stringContaining("exit code 7") });
  });

  it("Ctrl-C ends the program with what it started, and removes the checkout", async () => {
    const child = spawn(
      process.execPath,
      [cli, "bubble", "try", "--id", "two", "--command", "echo up; sleep 300 & sleep 300"],
      { cwd: tool.repo, env: tool.env, stdio: ["ignore", "pipe", "ignore"] },
    );
    let printed = "";
    await new Promise<void>((resolve) => {
      child.stdout.on("data", (text: Buffer) => {
        printed += text;
        if (printed.includes("up")) resolve();
      });
    });
    child.kill("SIGINT");
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(code).toBe(0);
    expect(printed).toContain("Ended; the checkout is gone");
  });
});
