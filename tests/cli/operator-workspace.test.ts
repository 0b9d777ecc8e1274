// The workspace as a person meets it: made runnable, mended when that fails, opened, looked into, and found.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { changeSetting, runHeadless } from "../helpers/operator.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig({ files: { ".worktreeinclude": ".env\nconfig/local/\nsrc/cart.txt\n" } });
  tool.write(
    ".gitignore",
    `${readFileSync(join(tool.repo, ".gitignore"), "utf8")}.env\nconfig/local/\nready\nsetup.count\n`,
  );
  tool.git("commit", "-q", "-a", "-m", "ignore");
  tool.write(".env", "SECRET=1\n");
  tool.write("config/local/db.txt", "db\n");
  tool.write("src/cart.txt", "total: dirty\n");
});
afterAll(() => tool.close());

describe.concurrent("a fresh tree", () => {
  it.each([["worktree"], ["clone"]])(
    "as a %s has the ignored files that .worktreeinclude names, and none of the dirty ones",
    async (mode) => {
      const id = `fresh-${mode}`;
      const setup = "test -f .env && cp .env ready";
      const ready = await runHeadless(tool, id, shortest, "--mode", mode, "--setup", setup);
      expect(ready.state).toBe("READY_FOR_APPROVAL");
      const tree = tool.worktree(id);
      expect(readFileSync(join(tree, ".env"), "utf8")).toBe("SECRET=1\n");
      expect(readFileSync(join(tree, "config/local/db.txt"), "utf8")).toBe("db\n");
      expect(readFileSync(join(tree, "ready"), "utf8")).toBe("SECRET=1\n");
      expect(readFileSync(join(tree, "src/cart.txt"), "utf8")).toBe("total: 2\n");
      const handoff = tool.log(id).find((envelope) => envelope.type === "HANDOFF");
      expect(handoff).toMatchObject({ payload: { files_total: 1, files: [{ path: "src/cart.txt" }] } });
    },
  );

  it("whose setup brings in packages that git does not ignore hands over none of them", async () => {
    const setup =
      "mkdir -p .venv/bin node_modules/a && echo x > .venv/bin/python && echo x > node_modules/a/index.js";
    const ready = await runHeadless(
      tool,
      "packages",
      shortest,
      "--setup",
      setup,
      "--test",
      "test -f .venv/bin/python",
    );
    expect(ready).toMatchObject({ state: "READY_FOR_APPROVAL", tree: { files: 1 } });
    expect(readFileSync(join(tool.worktree("packages"), "node_modules", ".gitignore"), "utf8")).toBe("*\n");
  });

  it("whose setup fails says how, keeps its output, and `bubble start` tries again", async () => {
    await createScripted(tool, "setup", shortest);
    const allowed = join(tool.folder, "allowed");
    changeSetting(
      tool,
      "setup",
      "setup",
      `'echo looking for the tool; echo x >> setup.count; printf "no %s\\n" compiler; test -f ${allowed}'`,
    );
    const failed = await tool.run("bubble", "start", "--id", "setup", "--headless");
    expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining("workspace.setup-failed") });
    expect(failed.stderr).toMatch(/^Setting up: echo looking for the tool/);
    expect(failed.stderr).toContain("setup command failed (exit 1)");
    expect(failed.stderr).toMatch(/^Caused by: looking for the tool\n\s*no compiler$/m);
    const log = /Hint: see (\S+)/.exec(failed.stderr)?.[1] ?? "";
    expect(readFileSync(log, "utf8")).toContain("looking for the tool");
    const status = await tool.status("setup");
    expect(status).toMatchObject({
      state: "PREPARING_WORKSPACE",
      workspace_error: expect.stringContaining("setup command failed"),
    });
    const shown = await tool.ok("bubble", "status", "--id", "setup");
    expect(shown).toMatch(/trouble\s+setup command failed/);
    expect(shown).toMatch(/type\s+pairflow bubble start --id setup/);
    writeFileSync(allowed, "");
    expect(await tool.run("bubble", "start", "--id", "setup", "--headless")).toMatchObject({ code: 0 });
    expect((await tool.status("setup")).state).toBe("READY_FOR_APPROVAL");
    expect(readFileSync(join(tool.worktree("setup"), "setup.count"), "utf8")).toBe("x\nx\n");
  });

  it("whose setup fails three times is a question, with the reason, before any agent is started", async () => {
    await createScripted(tool, "asked", shortest, "--setup", "exit 7");
    const start = () => tool.run("bubble", "start", "--id", "asked", "--headless");
    expect([(await start()).code, (await start()).code, (await start()).code]).toEqual([3, 3, 0]);
    const { state, questions } = await tool.status("asked");
    expect(state).toBe("WAITING_HUMAN");
    expect(questions[0]?.text).toContain("setup command failed (exit 7)");
    expect(tool.log("asked").some(({ type }) => type === "TURN_STARTED")).toBe(false);
  });

  it("whose setup fails three times ends the bubble as FAILED where no gates run on the base", async () => {
    await createScripted(tool, "hopeless", shortest, "--setup", "exit 7", "--base-gates", "off");
    for (let i = 0; i < 3; i++)
      expect((await tool.run("bubble", "start", "--id", "hopeless", "--headless")).code).toBe(3);
    const { state, end } = await tool.status("hopeless");
    expect(state).toBe("FAILED");
    expect(end?.message).toContain("setup command failed (exit 7)");
    expect(await tool.run("bubble", "delete", "--id", "hopeless")).toMatchObject({ code: 0 });
  });
});

describe("open and attach", () => {
  beforeAll(() => runHeadless(tool, "seen", shortest));

  it("open --print shows the command with the path quoted, and open runs it", async () => {
    const tree = tool.worktree("seen");
    expect(await tool.ok("bubble", "open", "--id", "seen", "--print")).toBe(`cursor '${tree}'\n`);
    changeSetting(tool, "seen", "open_command", `"echo {{worktree_path}} > ${tool.folder}/opened"`);
    expect(await tool.ok("bubble", "resume", "--id", "seen", "--put-back")).toContain(
      "seen is READY_FOR_APPROVAL",
    );
    const opened = JSON.parse(await tool.ok("bubble", "open", "--id", "seen", "--json"));
    expect(opened).toEqual({ command: `echo '${tree}' > ${tool.folder}/opened`, worktree: tree });
    expect(readFileSync(join(tool.folder, "opened"), "utf8")).toBe(`${tree}\n`);
  });

  it("open says what to set when the editor is missing", async () => {
    changeSetting(tool, "seen", "open_command", '"no-such-editor {{worktree_path}}"');
    await tool.ok("bubble", "resume", "--id", "seen", "--put-back");
    const failed = await tool.run("bubble", "open", "--id", "seen");
    expect(failed).toMatchObject({ code: 3, stderr: expect.stringContaining("open.failed") });
    expect(failed.stderr).toMatch(/Hint: set open_command in .*bubble\.toml, or cd /);
  });

  it("attach --print names the private socket and the exact session; headless has no panes", async () => {
    const refused = await tool.run("bubble", "attach", "--id", "seen", "--print");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("attach.no-panes") });
    await createScripted(tool, "panes", shortest);
    const command = await tool.ok("bubble", "attach", "--id", "panes", "--print");
    expect(command).toBe(`tmux -u -L ${tool.socket} attach-session -t '=pf-panes:'\n`);
    const bare = tool.with({ PAIRFLOW_TMUX_SOCKET: "" });
    expect(await bare.ok("bubble", "attach", "--id", "panes", "--print")).toMatch(
      /^tmux -u -L pairflow-[0-9a-f]{8} /,
    );
  });
});

it("a worktree deleted by hand is rebuilt with the last handed-over files at the next need", async () => {
  await runHeadless(tool, "gone", shortest);
  rmSync(tool.worktree("gone"), { recursive: true });
  const signed = await tool.run("bubble", "approve", "--id", "gone", "--yes", "--operator-key", tool.key);
  expect(signed).toMatchObject({ code: 0 });
  expect(existsSync(join(tool.worktree("gone"), "src/cart.txt"))).toBe(true);
});
