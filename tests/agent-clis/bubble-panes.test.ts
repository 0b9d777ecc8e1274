// The same bubble in tmux with both real screens, as npm installs them: the agents use the MCP tools, Codex reviews read-only, the person's
// settings are not touched, and every turn is one process.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Said } from "../models/model.ts";
import { asNpmInstalls, handoff, type Play, playing, realRig, wrongTotal } from "./bubble-rig.ts";

const id = "total";
const minutes = (count: number) => ({ timeout: count * 60_000 });

/** A tool of Pairflow's MCP server, as both CLIs name it. */
const tool = (name: string, input: object): Said => ({
  calls: [{ tool: `mcp__pairflow__${name}`, input }],
  usage: { input: 50, output: 5 },
});
const rests: Said = { text: "My turn is over.", usage: { input: 60, output: 6 } };
const shell = (cmd: string): Said => ({ calls: [{ tool: "exec_command", input: { cmd } }] });

const checked = [{ file: "src/cart.txt", line: 1, why: "the total is 2, as the task asks" }];
const p1 = { severity: "P1", title: wrongTotal.title, file: wrongTotal.file, line: 1, evidence: "total: 3" };

const play: Play = {
  "implementer 1": [
    shell("printf 'total: 3\\n' > src/cart.txt"),
    tool("pass", { summary: "The total is set", package: handoff("").package }),
    rests,
  ],
  "reviewer 1": [tool("submit_review", { summary: "Wrong total", findings: [p1] }), rests],
  "implementer 2": [
    shell("printf 'total: 2\\n' > src/cart.txt"),
    tool("pass", { summary: "F1 is fixed" }),
    rests,
  ],
  "reviewer 2": [
    tool("submit_review", {
      summary: "Fixed",
      findings: [],
      answers: [{ id: "F1", status: "fixed" }],
      checked,
    }),
    rests,
  ],
  "reviewer 3": [
    // A reviewer cannot write: neither the tree nor the record.
    shell('echo x > src/cart.txt; echo x > "$PAIRFLOW_REPO/.pairflow/planted"'),
    tool("converged", { summary: "Nothing found", checked }),
    rests,
  ],
};

describe("a whole bubble in tmux with both real screens", minutes(4), () => {
  test("goes from the task to the commit, with a read-only Codex as the last reviewer", async () => {
    await using real = await realRig(playing(play), {}, asNpmInstalls());
    const { tool, server } = real;
    const create = ["bubble", "create", "--id", id, "--task", "Make the total right"];
    await tool.ok(...create, "--test", "grep -q total src/cart.txt");
    const configuration = readFileSync(join(tool.env.CODEX_HOME ?? "", "config.toml"), "utf8");
    await tool.ok("bubble", "start", "--id", id);

    const status = await tool.until(
      id,
      ({ state }) => state === "READY_FOR_APPROVAL" || state === "WAITING_HUMAN",
      "ready for approval",
      150_000,
    );
    expect(status.state, await tool.ok("log", "--id", id, "--all")).toBe("READY_FOR_APPROVAL");
    const started = tool.log(id).flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload] : []));
    expect(
      started.map(({ agent, role, fresh }) => `${agent} ${role} ${fresh ? "fresh" : "resumed"}`),
    ).toEqual([
      "codex implementer fresh",
      "claude reviewer fresh",
      "codex implementer resumed",
      "claude reviewer fresh",
      "codex reviewer fresh",
    ]);
    expect(started.every(({ seat }) => seat === "tmux")).toBe(true);
    // The session that Codex chose was told by its hook, and the fix was made in it.
    const notices = server.asked
      .filter((asked) => asked.api === "responses")
      .map((asked) => asked.texts.filter((text) => text.startsWith("[pairflow]")).length);
    expect(Math.max(...notices)).toBe(2);
    expect(existsSync(join(tool.repo, ".pairflow", "planted"))).toBe(false);
    expect(readFileSync(join(tool.env.CODEX_HOME ?? "", "config.toml"), "utf8")).toContain(configuration);
    expect(status.usage.by_agent).toMatchObject({ codex: { input: expect.any(Number) } });

    const digest = status.approval?.digest ?? "";
    await tool.ok("bubble", "approve", "--id", id, "--digest", digest, "--operator-key", tool.key);
    await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
    expect(tool.git("show", `bubble/${id}:src/cart.txt`)).toBe("total: 2\n");
    await tool.ok("verify", "--id", id);
  });
});
