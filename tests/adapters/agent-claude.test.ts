// What is run for a turn of Claude Code: every rule of the turn stands on the command line, and no secret does.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClaudeAgent } from "../../src/adapters/agent/claude/adapter.ts";
import { listMissingSandboxPrograms } from "../../src/adapters/agent/claude/sandbox.ts";
import type { AgentSettings } from "../../src/core/model/config.ts";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";

const adapter = createClaudeAgent({ command: ["/usr/bin/node", "/opt/it's/pairflow.cjs"] });
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pairflow-claude-"));
  mkdirSync(join(folder, "main", ".git", "worktrees", "w"), { recursive: true });
  writeFileSync(join(folder, "main", ".git", "worktrees", "w", "commondir"), "../..\n");
  mkdirSync(join(folder, "w", "src"), { recursive: true });
  writeFileSync(join(folder, "w", "README.md"), "");
  writeFileSync(join(folder, "w", ".git"), `gitdir: ${join(folder, "main", ".git", "worktrees", "w")}\n`);
});
afterEach(() => rmSync(folder, { recursive: true }));

function request(settings: Partial<AgentSettings> = {}, changes: Partial<TurnRequest> = {}): TurnRequest {
  return {
    settings: { adapter: "claude", sandbox: "on", ...settings },
    ...{ agent: "claude", role: "implementer", session: "s-1", fresh: true },
    ...{
      notice: "--Read it.",
      promptFile: "/r/prompts/1.md",
      prompt: "All of it.",
      answerSchema: { type: "object" },
    },
    ...{ worktree: join(folder, "w"), out: "/r/out", readOnly: false },
    ...changes,
  };
}

const flag = (argv: readonly string[], name: string) => argv[argv.indexOf(name) + 1] ?? "";
const settingsIn = (argv: readonly string[]) => JSON.parse(flag(argv, "--settings"));

describe("the command line of Claude Code", () => {
  test("names a new session, or the one to continue in", () => {
    expect(flag(adapter.headless(request()).argv, "--session-id")).toBe("s-1");
    const { argv } = adapter.headless(request({}, { fresh: false }));
    expect(flag(argv, "--resume")).toBe("s-1");
    expect(argv).not.toContain("--session-id");
  });

  test("says without a terminal how both sides talk and what the answer looks like", () => {
    const { argv, stdin } = adapter.headless(request());
    expect(stdin).toBe("channel");
    expect(flag(argv, "--input-format")).toBe("stream-json");
    expect(flag(argv, "--output-format")).toBe("stream-json");
    expect(flag(argv, "--permission-prompt-tool")).toBe("stdio");
    expect(JSON.parse(flag(argv, "--json-schema"))).toEqual({ type: "object" });
    expect(argv.join(" ")).not.toContain("All of it.");
  });

  test("ends in a pane with the notice, which is never taken for an option", () => {
    expect(adapter.launch(request()).argv.slice(-2)).toEqual(["--", "--Read it."]);
  });

  test("brings Pairflow's tools and hooks into a pane, quoted for the shell", () => {
    const { argv } = adapter.launch(request());
    expect(JSON.parse(flag(argv, "--mcp-config"))).toEqual({
      mcpServers: {
        pairflow: { command: "/usr/bin/node", args: ["/opt/it's/pairflow.cjs", "mcp"], alwaysLoad: true },
      },
    });
    const { hooks, permissions } = settingsIn(argv);
    expect(Object.keys(hooks).sort()).toEqual(
      ["Notification", "PermissionRequest", "PostToolUse", "SessionStart", "Stop", "UserPromptSubmit"].sort(),
    );
    expect(hooks.Stop[0].hooks[0].command).toBe("'/usr/bin/node' '/opt/it'\\''s/pairflow.cjs' 'hook' 'Stop'");
    expect(permissions.allow).toContain("mcp__pairflow__*");
  });

  test("takes nothing that the worktree says about settings and servers", () => {
    for (const { argv } of [adapter.launch(request()), adapter.headless(request())]) {
      expect(flag(argv, "--setting-sources")).toBe("user");
      expect(argv).toContain("--strict-mcp-config");
    }
  });

  test("lets the prompt and what it refers to be read, and what is handed in be written", () => {
    const { argv } = adapter.headless(request());
    expect(settingsIn(argv).permissions.allow).toContain("Read(//r/**)");
    expect(settingsIn(argv).sandbox.filesystem.allowWrite).toEqual(["/r/out"]);
    const at = argv.indexOf("--add-dir");
    expect(argv.slice(at + 1, at + 3)).toEqual([join(folder, "w"), "/r/out"]);
  });

  test("lets commands run unasked where the sandbox holds every one of them, and nowhere else", () => {
    const allowsBash = (settings: Partial<AgentSettings>) =>
      [adapter.headless(request(settings)), adapter.launch(request(settings))].map(({ argv }) =>
        settingsIn(argv).permissions.allow.includes("Bash"),
      );
    expect(allowsBash({})).toEqual([true, true]);
    expect(allowsBash({ sandbox: "off" })).toEqual([false, false]);
    // The person's own settings may let some commands run beside the sandbox: those are still asked about.
    const home = process.env.CLAUDE_CONFIG_DIR;
    process.env.CLAUDE_CONFIG_DIR = folder;
    const write = (text: string) => writeFileSync(join(folder, "settings.json"), text);
    try {
      write('{ "sandbox": { "excludedCommands": ["docker"] } }');
      expect(allowsBash({})).toEqual([false, false]);
      write('{ "sandbox": { "excludedCommands": [] } }');
      expect(allowsBash({})).toEqual([true, true]);
      write("{ no settings");
      expect(allowsBash({})).toEqual([false, false]);
    } finally {
      if (home === undefined) delete process.env.CLAUDE_CONFIG_DIR;
      else process.env.CLAUDE_CONFIG_DIR = home;
    }
  });

  test("tells an agent without a terminal that hosts are refused, where they are", () => {
    const told = (settings: Partial<AgentSettings>) =>
      flag(adapter.headless(request(settings)).argv, "--append-system-prompt");
    expect(told({})).toMatch(/^Your commands run in a sandbox\. A host /);
    expect(told({ append_system_prompt: "Be brief." })).toMatch(/^Be brief\.\n\nYour commands run/);
    for (const permission of ["ask", "allow"])
      expect(adapter.headless(request({ permission })).argv).not.toContain("--append-system-prompt");
    expect(adapter.headless(request({ sandbox: "off" })).argv).not.toContain("--append-system-prompt");
    expect(adapter.launch(request()).argv).not.toContain("--append-system-prompt");
  });

  test("keeps every command out of the repository's git folder", () => {
    const { sandbox } = settingsIn(adapter.headless(request()).argv);
    expect(sandbox).toMatchObject({
      enabled: true,
      failIfUnavailable: true,
      allowUnsandboxedCommands: false,
    });
    expect(sandbox.filesystem.denyWrite).toEqual([join(folder, "main", ".git")]);
  });

  test("gives a reviewer no tool to edit, asks before every other, and protects all that is there", () => {
    const { argv } = adapter.headless(request({}, { readOnly: true }));
    expect(flag(argv, "--disallowedTools").split(",")).toEqual(
      expect.arrayContaining(["Edit", "Write", "NotebookEdit"]),
    );
    expect(flag(argv, "--permission-mode")).toBe("default");
    expect(settingsIn(argv).sandbox.filesystem.denyWrite.sort()).toEqual(
      [join(folder, "main", ".git"), join(folder, "w", "README.md"), join(folder, "w", "src")].sort(),
    );
  });

  test("asks nobody in a pane with permission = deny, and still lets an implementer edit its worktree", () => {
    const { argv } = adapter.launch(request({ permission: "deny" }));
    expect(flag(argv, "--permission-mode")).toBe("dontAsk");
    expect(settingsIn(argv).permissions.allow).toContain(`Edit(/${join(folder, "w")}/**)`);
  });

  test("hands on what the settings choose", () => {
    const settings = {
      program: "/opt/claude",
      model: "opus",
      effort: "high",
      max_turns: 40,
      args: ["--debug"],
    };
    const { argv } = adapter.headless(request({ ...settings, append_system_prompt: "Be brief." }));
    expect(argv[0]).toBe("/opt/claude");
    expect(flag(argv, "--model")).toBe("opus");
    expect(flag(argv, "--effort")).toBe("high");
    expect(flag(argv, "--max-turns")).toBe("40");
    expect(flag(argv, "--append-system-prompt")).toMatch(/^Be brief\./);
    expect(argv).toContain("--debug");
  });

  test("says whether commands are confined", () => {
    expect(adapter.headless(request()).sandboxed).toBe(true);
    const off = adapter.headless(request({ sandbox: "off" }));
    expect(off.sandboxed).toBe(false);
    expect(settingsIn(off.argv).sandbox).toBeUndefined();
    const left = adapter.headless({ ...request(), settings: { adapter: "claude" } });
    expect(left.sandboxed).toBe(listMissingSandboxPrograms().length === 0);
  });
});

describe("the settings of Claude Code", () => {
  const check = (settings: Partial<AgentSettings>) => adapter.check({ adapter: "claude", ...settings });

  test("may be none at all", () => {
    expect(check({})).toBeUndefined();
  });

  test("are refused by name when they are misspelt or of the wrong form", () => {
    expect(check({ modle: "opus" })).toContain("no setting modle");
    expect(check({ permission: "always" })).toContain("must be one of ask, allow, deny");
    expect(check({ effort: "huge" })).toContain("must be one of low");
    expect(check({ args: "--debug" })).toContain("must be a list of texts");
    expect(check({ max_turns: "many" })).toContain("must be a number");
  });

  test("may ask for a sandbox only where its programs are", () => {
    expect(listMissingSandboxPrograms("/nowhere")).toEqual(
      process.platform === "linux" ? ["bwrap", "socat"] : [],
    );
    const missing = listMissingSandboxPrograms();
    const problem = check({ sandbox: "on" });
    if (missing.length === 0) expect(problem).toBeUndefined();
    else expect(problem).toContain(missing.join(" and "));
  });

  test("tell doctor how the program is found and how its login is seen", () => {
    expect(adapter.probe?.({ adapter: "claude", program: "/opt/claude" })).toMatchObject({
      program: "/opt/claude",
      loginArgs: ["auth", "status"],
    });
  });
});
