// The real Claude Code and the real Codex, against a model that follows a script: they are shown the tools and the
// skill that `init` wrote, a refused call can be fixed, and an accepted one is on the record. Codex runs read-only, where its
// shell could write nothing.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cli } from "../acceptance/rig.ts";
import { claudeHome, cliProgram, codexHome } from "../agent-clis/home.ts";
import { openShop, type Shop } from "../helpers/shop.ts";
import type { Asked, Said } from "../models/model.ts";
import { type ModelServer, startModelServer } from "../models/server.ts";
import { begin } from "./scene.ts";

let shop: Shop;
let server: ModelServer;
let running: ChildProcess | undefined;
beforeEach(async () => {
  shop = openShop();
  shop.run("init", "--agent", "claude", "--agent", "codex");
  server = await startModelServer(script);
});
afterEach(async () => {
  running?.kill("SIGKILL");
  await server.close();
  shop.close();
});

const wrong = { summary: "Wrong total", findings: [{ severity: "serious", title: "Total is 3" }] };
const right = { summary: "Wrong total", findings: [{ severity: "P1", title: "Total is 3" }] };

/** A model that makes a mistake first, and fixes it. */
function script({ nr }: Asked): Said {
  if (nr > 2) return { text: "The review is handed in." };
  return { calls: [{ tool: "mcp__pairflow__submit_review", input: nr === 1 ? wrong : right }] };
}

/** Runs a program to its end; all it printed, for the case that something is wrong. */
function run(program: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: shop.repo, env, stdio: ["ignore", "pipe", "pipe"] });
    running = child;
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
    child.once("error", reject);
    child.once("close", () => resolve(printed));
  });
}

const callsOf = {
  async claude(turn: Record<string, string>) {
    const home = await claudeHome({ folder: join(shop.folder, "home"), url: server.url });
    const servers = { mcpServers: { pairflow: { command: process.execPath, args: [cli, "mcp"] } } };
    const flags = ["--output-format", "stream-json", "--verbose", "--strict-mcp-config"];
    return run(
      cliProgram("claude"),
      [
        "-p",
        "Review it",
        ...flags,
        "--mcp-config",
        JSON.stringify(servers),
        "--allowedTools",
        "mcp__pairflow__*",
      ],
      { ...turn, ...home.env },
    );
  },
  async codex(turn: Record<string, string>) {
    const home = await codexHome({ folder: join(shop.folder, "home"), url: server.url });
    const entry = [
      `command=${JSON.stringify(process.execPath)}`,
      `args=[${JSON.stringify(cli)},"mcp"]`,
      'env_vars=["PAIRFLOW_TURN","PAIRFLOW_REPO"]',
      'default_tools_approval_mode="approve"',
    ];
    return run(
      cliProgram("codex"),
      [
        "exec",
        "--json",
        "-s",
        "read-only",
        "-m",
        "scripted",
        "-c",
        `mcp_servers.pairflow={${entry.join(",")}}`,
        "Review it",
      ],
      { ...turn, ...home.env },
    );
  },
};

it.each(["claude", "codex"] as const)(
  "%s hands in a review through the tools",
  async (name) => {
    const scene = await begin(shop, "real");
    await scene.implements();
    const printed = await callsOf[name](await scene.turn());
    const [first, second, third] = server.asked;
    for (const tool of ["pass", "submit_review", "converged", "ask_human"])
      expect(first?.tools, printed).toContain(`mcp__pairflow__${tool}`);
    const shown = JSON.stringify(first?.body);
    expect(shown).toContain("Your prompt says which role you have in this Pairflow bubble");
    expect(shown, "the skill file is listed").toContain("Work under Pairflow, where one agent builds");
    expect(second?.results.at(-1)?.text).toContain('findings[0].severity must be "P0" or "P1"');
    expect(third?.results.at(-1)?.text).toContain("Your turn is over; end this session.");
    expect(scene.last()).toMatchObject({
      type: "PASS",
      sender: "claude",
      payload: { findings: [{ id: "F1", severity: "P1", title: "Total is 3" }] },
    });
  },
  120_000,
);
