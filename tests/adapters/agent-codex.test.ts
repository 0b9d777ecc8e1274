// What Codex is started with: explicit flags on every turn, read as TOML by Codex, and nothing for a shell to take apart.
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { createCodexAgent } from "../../src/adapters/agent/codex/adapter.ts";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";

const agent = createCodexAgent({ command: ["/usr/bin/node", "/opt/pair flow/bin"] });

function turn(settings: Record<string, unknown> = {}, more: Partial<TurnRequest> = {}): TurnRequest {
  return {
    settings: { adapter: "codex", ...settings },
    ...{ agent: "codex", role: "implementer", session: "thread-1", fresh: true, readOnly: false },
    ...{
      notice: "-- it's your turn; read 'prompt.md'",
      prompt: "The whole prompt.",
      promptFile: "/r/.pairflow/p.md",
    },
    ...{ answerSchema: { type: "object" }, worktree: '/w/a.b "c"', out: "/w/.out" },
    ...more,
  };
}

/** The pairs given with -c, read one after the other as Codex reads them: a dotted key, and a value in TOML. */
function pairs(argv: readonly string[]): Record<string, unknown> {
  const given = argv.flatMap((word, index) => (argv[index - 1] === "-c" ? [word] : []));
  return Object.fromEntries(
    given.map((word) => {
      const at = word.indexOf("=");
      return [word.slice(0, at), (parse(`value = ${word.slice(at + 1)}`) as { value: unknown }).value];
    }),
  );
}

const flag = (argv: readonly string[], name: string) => argv[argv.indexOf(name) + 1];

describe("adapter codex in a pane", () => {
  test("a new session gets explicit flags and the notice as its one argument", () => {
    const { argv, sandboxed } = agent.launch(turn({ model: "gpt-5.5", effort: "high" }));
    expect(argv[0]).toBe("codex");
    expect(argv.slice(-2)).toEqual(["--", "-- it's your turn; read 'prompt.md'"]);
    expect(argv).toContain("--no-daemon");
    expect(["-s", "-a", "-m", "-C"].map((name) => flag(argv, name))).toEqual([
      "workspace-write",
      "on-request",
      "gpt-5.5",
      '/w/a.b "c"',
    ]);
    expect(pairs(argv).model_reasoning_effort).toBe("high");
    expect(sandboxed).toBe(true);
  });

  test("thinks at effort high unless somebody says otherwise", () => {
    const effort = (settings: Record<string, unknown>) =>
      pairs(agent.launch(turn(settings)).argv).model_reasoning_effort;
    expect(effort({})).toBe("high");
    expect(effort({ effort: "medium" })).toBe("medium");
    expect(effort({ config: ['model_reasoning_effort="low"'] })).toBe("low");
  });

  test("an earlier session continues by its id, with the same flags", () => {
    const { argv } = agent.launch(turn({}, { fresh: false }));
    expect(argv[1]).toBe("resume");
    expect(argv.slice(-3)).toEqual(["--", "thread-1", "-- it's your turn; read 'prompt.md'"]);
    expect(flag(argv, "-s")).toBe("workspace-write");
  });

  test("the verbs are tools of a server that knows the turn and needs no approval", () => {
    expect(pairs(agent.launch(turn()).argv)["mcp_servers.pairflow"]).toMatchObject({
      command: "/usr/bin/node",
      args: ["/opt/pair flow/bin", "mcp"],
      env_vars: expect.arrayContaining(["PAIRFLOW_TURN", "PAIRFLOW_WORK"]),
      default_tools_approval_mode: "approve",
    });
    const { "features.code_mode.direct_only_tool_namespaces": shown } = pairs(agent.launch(turn()).argv);
    expect(shown).toEqual(["mcp__pairflow"]);
  });

  test("hooks are given with the hash by which Codex trusts exactly them", () => {
    const { argv } = agent.launch(turn());
    const given = pairs(argv);
    const stop = { type: "command", command: "/usr/bin/node '/opt/pair flow/bin' hook Stop", timeout: 30 };
    expect(given["hooks.Stop"]).toEqual([{ hooks: [stop] }]);
    expect(argv).not.toContain("--dangerously-bypass-hook-trust");
    expect(Object.keys(given["hooks.state"] as object)).toEqual(
      ["session_start", "user_prompt_submit", "permission_request", "post_tool_use", "stop"].map(
        (event) => `/<session-flags>/config.toml:${event}:0:0`,
      ),
    );
  });

  test("the folder is trusted for this call alone, so that Codex neither asks nor writes it down", () => {
    expect(pairs(agent.launch(turn()).argv).projects).toEqual({ '/w/a.b "c"': { trust_level: "trusted" } });
  });

  test.each([
    ["ask", "on-request"],
    ["allow", "on-request"],
    ["deny", "never"],
  ])("with permission %s Codex asks the person in front of it: %s", (permission, policy) => {
    expect(flag(agent.launch(turn({ permission })).argv, "-a")).toBe(policy);
  });
});

describe("adapter codex and its sandbox", () => {
  test.each([
    [{}, { readOnly: false }, "workspace-write", true],
    [{ sandbox: "danger-full-access" }, { readOnly: false }, "danger-full-access", false],
    [{ sandbox: "danger-full-access", permission: "allow" }, { readOnly: true }, "read-only", true],
  ])("%o with %o: %s", (settings, more, sandbox, sandboxed) => {
    const launch = agent.launch(turn(settings, more));
    expect(flag(launch.argv, "-s")).toBe(sandbox);
    expect(launch.sandboxed).toBe(sandboxed);
    expect(agent.headless(turn(settings, more)).sandboxed).toBe(sandboxed);
  });

  test("it may write its worktree and the folder for what it hands in, without network", () => {
    expect(pairs(agent.headless(turn()).argv).sandbox_workspace_write).toEqual({
      writable_roots: ["/w/.out"],
      network_access: false,
      exclude_slash_tmp: false,
      exclude_tmpdir_env_var: false,
    });
  });

  test("a record in the temporary folder takes that folder out of the sandbox", () => {
    const { argv } = agent.headless(turn({}, { promptFile: "/tmp/r/.pairflow/p.md" }));
    expect(pairs(argv).sandbox_workspace_write).toMatchObject({ exclude_slash_tmp: true });
  });

  test("the agent's own shell does not get the keys", () => {
    expect(pairs(agent.headless(turn()).argv)["shell_environment_policy.exclude"]).toContain("CODEX_API_KEY");
  });

  test("pairs of the person come last and so win; further arguments come first", () => {
    const settings = {
      config: ['model_verbosity="low"'],
      args: ["--profile", "work"],
      program: "/opt/codex",
    };
    const { argv, stdin } = agent.headless(turn(settings));
    expect(argv.slice(0, 4)).toEqual(["/opt/codex", "--profile", "work", "app-server"]);
    expect(argv.slice(-2)).toEqual(["-c", 'model_verbosity="low"']);
    expect(stdin).toBe("channel");
  });
});

describe("settings of adapter codex", () => {
  test.each([
    [{ sandbox: "workspace" }, "must be one of workspace-write, read-only, danger-full-access"],
    [{ permission: "always" }, "must be one of ask, deny, allow"],
    [{ modle: "x" }, "no setting modle; did you mean model?"],
    [{ config: ["model_verbosity"] }, "config holds pairs"],
    [{ args: "--search" }, "must be a list"],
  ])("%o is refused", (settings, problem) => {
    expect(agent.check({ adapter: "codex", ...settings })).toContain(problem);
  });

  test("good settings are accepted", () => {
    const settings = { model: "gpt-5.5", effort: "high", sandbox: "workspace-write", permission: "deny" };
    const lists = { config: ["features.apps=false"], args: ["--search"] };
    expect(agent.check({ adapter: "codex", ...settings, ...lists })).toBeUndefined();
    expect(agent.check({ adapter: "codex" })).toBeUndefined();
  });
});
