// Before any agent is started, the gates run once on a clean checkout of the base. What cannot run there is a human's
// question, what is red there is said, and a path that makes right code red is named with the setting that fixes it.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getUserFolder } from "../../src/app/host/user-folder.ts";
import { cli, execute, type Rig, rig } from "../acceptance/rig.ts";
import {
  baseRuns,
  bubble,
  configure,
  equipped,
  implementing,
  install,
  questions,
  runs,
  writes,
} from "../cli/gates-scene.ts";
import { readArtifact } from "../helpers/operator.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig({ files: { ".gitignore": "node_modules/\n" } });
});
afterAll(() => tool.close());

const gate = (command: string, more: object = {}) =>
  configure(tool, `gates: ${JSON.stringify({ additional: [{ name: "check", command, ...more }] })}`);
const total = () => implementing([writes("src/cart.txt", "total: 2\n")]);
const types = (id: string): string[] => tool.log(id).map(({ type }) => type);
const asks = (id: string) =>
  tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "approval is asked for");
const replies = (id: string, choice: string) =>
  tool.ok("bubble", "reply", "--id", id, "--choose", choice, "--message", "x", "--operator-key", tool.key);

describe("a green base", () => {
  it("is judged before the first turn, and not again for the next bubble on it", async () => {
    const count = join(tool.folder, "count");
    gate(`echo ran >> ${count}`);
    expect((await bubble(tool, "first", total())).state).toBe("READY_FOR_APPROVAL");
    expect(types("first").indexOf("GATES_RESULT")).toBeLessThan(types("first").indexOf("TURN_STARTED"));
    const [first] = baseRuns(tool, "first");
    expect(first).toMatchObject({ base: {}, clean: { included: [] }, results: [{ status: "passed" }] });
    const before = readFileSync(count, "utf8").split("\n").length;
    expect((await bubble(tool, "second", total())).state).toBe("READY_FOR_APPROVAL");
    const [second] = baseRuns(tool, "second");
    expect(second?.base?.ran_at).toMatch(/^\d{4}-/);
    // One run of the round and the final one; none on the base.
    expect(readFileSync(count, "utf8").split("\n").length - before).toBe(2);
    expect(await tool.ok("log", "--id", "second")).toContain("from the cache, run at");
  });
});

describe("a red base", () => {
  it("warns and stops nobody: the producer, the status and the package say what was red", async () => {
    gate("grep -q 2 src/cart.txt");
    expect((await bubble(tool, "red", total())).state).toBe("READY_FOR_APPROVAL");
    expect(baseRuns(tool, "red")[0]?.results[0]?.status).toBe("failed");
    expect(runs(tool, "red")[0]?.[0]?.status).toBe("passed");
    expect(questions(tool, "red")).toEqual([]);
    expect(readArtifact(tool, "red", "prompts/t1.1-codex.md")).toContain("red before you began");
    expect(await tool.ok("bubble", "status", "--id", "red")).toContain("red before you began: check");
    expect(readArtifact(tool, "red", "done-package.md")).toContain(
      "red before anybody began, on the untouched base: check",
    );
  });
});

describe("a base that gates cannot judge", () => {
  it("is asked about while a tool is missing, and continues when it is there", async () => {
    gate("frobnicate --all");
    const equippedTool = equipped(tool);
    expect((await bubble(equippedTool, "lacking", total())).state).toBe("WAITING_HUMAN");
    expect(types("lacking")).not.toContain("TURN_STARTED");
    expect(questions(tool, "lacking")).toEqual([expect.stringContaining("frobnicate is not installed")]);
    install(tool, "frobnicate", "exit 0");
    await equippedTool.ok(
      ...["bubble", "reply", "--id", "lacking", "--choose", "again", "--message", "it is there"],
      ...["--operator-key", tool.key],
    );
    await asks("lacking");
  });

  it("is asked about when setup fails, and set up again when that is fixed", async () => {
    const store = join(tool.folder, "store");
    gate("test -f node_modules/made");
    const setup = ["--setup", `mkdir -p node_modules && cp ${store} node_modules/made`];
    await expect(bubble(tool, "unprepared", total(), setup)).rejects.toThrow("workspace.setup-failed");
    await tool.run("bubble", "start", "--id", "unprepared", "--headless");
    await tool.ok("bubble", "start", "--id", "unprepared", "--headless");
    expect((await tool.status("unprepared")).state).toBe("WAITING_HUMAN");
    expect(types("unprepared")).not.toContain("TURN_STARTED");
    expect(questions(tool, "unprepared")).toEqual([expect.stringContaining("setup command failed (exit 1)")]);
    writeFileSync(store, "packages\n");
    await replies("unprepared", "again");
    await asks("unprepared");
    expect(existsSync(join(tool.worktree("unprepared"), "node_modules/made"))).toBe(true);
    expect(runs(tool, "unprepared")[0]?.[0]?.status).toBe("passed");
  });
});

describe("a gate that needs the network", () => {
  const server = createServer((_asked, answer) => answer.end("packages"));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => server.close());
  const asksServer = () => {
    const { port } = server.address() as AddressInfo;
    return `${process.execPath} -e "fetch('http://127.0.0.1:${port}').then(() => {}, () => process.exit(1))"`;
  };

  it("is told apart from a red base, gets it by one answer, and the next bubble is asked before it is made", async () => {
    gate(asksServer());
    expect((await bubble(tool, "reaching", total())).state).toBe("WAITING_HUMAN");
    expect(types("reaching")).not.toContain("TURN_STARTED");
    expect(baseRuns(tool, "reaching")[0]?.base).toEqual({ needs_network: ["check"] });
    expect(questions(tool, "reaching")[0]).toContain("{ name: check, network: on }");
    expect((await tool.run("bubble", "reply", "--id", "reaching", "--choose", "network")).code).toBe(1);
    await replies("reaching", "network");
    await asks("reaching");
    expect(readArtifact(tool, "reaching", "done-package.md")).toContain(
      "gates that may reach the network: check",
    );

    const unheard = rig({ trusts: false });
    try {
      // Whoever never confirmed this is shown it, network and all, and nothing is made.
      cpSync(join(tool.repo, ".pairflow", "base-runs"), join(unheard.repo, ".pairflow", "base-runs"), {
        recursive: true,
      });
      const made = ["bubble", "create", "--id", "next", "--task", "x", "--no-setup"];
      configure(
        unheard,
        `gates: ${JSON.stringify({ additional: [{ name: "check", command: asksServer() }] })}`,
      );
      const { code, stderr } = await unheard.run(...made);
      expect(code).toBe(2);
      expect(stderr).toContain("(with network)");
    } finally {
      await unheard.close();
    }
  });

  it("is not confirmed by the word alone: what nobody was shown stays so", async () => {
    gate(`${asksServer()} # another command than the one before`);
    expect((await bubble(tool, "unseen", total())).state).toBe("WAITING_HUMAN");
    const [file = ""] = readdirSync(join(getUserFolder(tool.env), "trust"));
    rmSync(join(getUserFolder(tool.env), "trust", file));
    const words = [
      "bubble",
      "reply",
      "--id",
      "unseen",
      "--choose",
      "network",
      "--message",
      "x",
      "--operator-key",
      tool.key,
    ];
    const said = await execute([process.execPath, cli, ...words], { cwd: tool.repo, env: tool.env });
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining("trust.unconfirmed") });
    const kept = join(getUserFolder(tool.env), "trust", file);
    expect(existsSync(kept) ? readFileSync(kept, "utf8") : "").not.toContain("with network");
  });

  it("that is only flaky is not given it", async () => {
    const count = join(tool.folder, "flaky");
    gate(`echo x >> ${count}; test $(wc -l < ${count}) -gt 1`);
    await bubble(tool, "flaky", total());
    expect(baseRuns(tool, "flaky")[0]?.base).toEqual({});
  });
});

describe("a program that refuses to work below a folder with a dot", () => {
  const refusesDots = 'case "$PWD" in */.*) echo "403: dot folder" >&2; exit 1;; esac';

  it("is told apart from wrong code, with the setting to paste", async () => {
    gate(refusesDots);
    expect((await bubble(tool, "dotted", total())).state).toBe("WAITING_HUMAN");
    expect(types("dotted")).not.toContain("TURN_STARTED");
    expect(baseRuns(tool, "dotted")[0]?.base).toEqual({ red_in_worktree: ["check"] });
    const [asked] = questions(tool, "dotted");
    expect(asked).toContain("--worktrees ../worktrees");
    expect(asked).toContain("defaults: { worktrees: ../worktrees }");
    await replies("dotted", "reject");
  });

  it("works with the setting as it was proposed", async () => {
    gate(refusesDots);
    const { state } = await bubble(tool, "plain", total(), ["--worktrees", "../worktrees"]);
    expect(state).toBe("READY_FOR_APPROVAL");
    const line = tool.log("plain").find(({ type }) => type === "WORKSPACE_READY");
    expect(line).toMatchObject({
      payload: { path: expect.stringContaining(join(tool.folder, "worktrees", "shop")) },
    });
  });

  it("works in isolated gates, which stand below a plain path too", async () => {
    gate(`${refusesDots} && test -f node_modules/made`, { isolated: true });
    const setup = ["--setup", "mkdir -p node_modules && touch node_modules/made"];
    expect((await bubble(tool, "isolated", total(), setup)).state).toBe("READY_FOR_APPROVAL");
    expect(questions(tool, "isolated")).toEqual([]);
  });
});

describe("where somebody switched it off", () => {
  it("nothing runs on the base", async () => {
    gate("true");
    expect((await bubble(tool, "off", total(), ["--base-gates", "off"])).state).toBe("READY_FOR_APPROVAL");
    expect(baseRuns(tool, "off")).toEqual([]);
  });
});
