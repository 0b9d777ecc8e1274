// What the real Claude Code can and cannot touch: an implementer is kept in its worktree, a reviewer changes nothing
// that is there, and what the other agent wrote into the worktree gets no power.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listMissingSandboxPrograms } from "../../src/adapters/agent/claude/sandbox.ts";
import type { TurnRequest } from "../../src/ports/agent/adapter.ts";
import { answers, type ClaudeRig, claudeRig } from "./claude-rig.ts";
import { killInCommand, own } from "./killed-command.ts";

const missing = listMissingSandboxPrograms();
if (missing.length > 0) {
  process.stderr.write(`WARNING: no ${missing.join(", ")} here: the sandbox of Claude Code is not tested.\n`);
}

/** Lets the agent run these commands one after the other, and returns what it was shown of each. */
async function commands(rig: ClaudeRig, lines: string[], changes?: Partial<TurnRequest>): Promise<string[]> {
  queue = lines;
  const end = await rig.run(rig.request(changes)).end();
  expect(end).toMatchObject({ outcome: "answered" });
  return rig.server.asked.at(-1)?.results.map(({ text }) => text) ?? [];
}

let queue: string[] = [];
const model = (asked: { results: readonly unknown[] }) => {
  const command = queue[asked.results.length];
  if (command === undefined) return answers("done");
  return { calls: [{ tool: "Bash", input: { command, description: "a test" } }] };
};

describe("the real Claude Code in its sandbox", { timeout: 180_000 }, () => {
  test.skipIf(missing.length > 0 && !process.env.CI)(
    "an implementer writes its worktree and what it hands in, and nothing else",
    async () => {
      await using rig = await claudeRig({ model });
      await mkdir(join(rig.repository, ".pairflow"));
      const [inside, outside, record, pinned] = await commands(rig, [
        `echo hi > new.txt && echo b >> src/a.txt && echo done > ${join(rig.folder, "out", "x")} && echo all written`,
        `echo hi > ${join(rig.folder, "outside.txt")}`,
        `echo hi > ${join(rig.repository, ".pairflow", "transcript.ndjson")}`,
        "git update-ref refs/pairflow/x HEAD; git log --oneline; printenv ANTHROPIC_API_KEY",
      ]);
      expect(inside).toContain("all written");
      expect(outside).toMatch(/read-only file system/i);
      expect(record).toMatch(/read-only file system/i);
      expect(pinned).toContain("cannot lock ref");
      expect(pinned).toContain("start");
      expect(pinned).not.toContain("dummy-key");
      expect(readFileSync(join(rig.worktree, "src", "a.txt"), "utf8")).toBe("a\nb\n");
      expect(existsSync(join(rig.folder, "outside.txt"))).toBe(false);
      expect(untracked(rig)).toEqual(["new.txt"]);
    },
  );

  test.skipIf(missing.length > 0 && !process.env.CI)(
    "a reviewer reads everything and changes nothing that is there",
    async () => {
      await using rig = await claudeRig({ model });
      const [read, change, add, remove] = await commands(
        rig,
        ["cat src/a.txt; git diff --stat", "echo b >> src/a.txt", "touch src/b.txt", "rm src/a.txt"],
        { readOnly: true, role: "reviewer" },
      );
      expect(read).toBe("a");
      for (const refused of [change, add, remove]) expect(refused).toMatch(/read-only file system/i);
      const tools = rig.server.asked[0]?.tools ?? [];
      expect(tools).toContain("Read");
      expect(tools.filter((tool) => /Edit|Write/.test(tool))).toEqual([]);
      expect(execFileSync("git", ["-C", rig.worktree, "status", "--porcelain"], { encoding: "utf8" })).toBe(
        "",
      );
    },
  );

  test.skipIf(missing.length > 0 && !process.env.CI)(
    "what a killed command leaves behind is known, and the project's own empty files are not",
    async () => {
      const { before, after, left } = await killInCommand();
      expect(before.length).toBeGreaterThan(own.length);
      expect(left.some((file) => file.endsWith("/.git/config.lock"))).toBe(true);
      expect(after).toEqual(own);
    },
  );

  test("a reviewer reads what its prompt refers to without asking anybody", async () => {
    await using rig = await claudeRig({
      settings: { sandbox: "off" },
      model: (asked) =>
        asked.results.length === 0
          ? {
              calls: [
                { tool: "Read", input: { file_path: join(rig.folder, "artifacts", "round-001.diff") } },
              ],
            }
          : answers(asked.results[0]?.text ?? ""),
    });
    await writeFile(join(rig.folder, "artifacts", "round-001.diff"), "+one line more\n");
    const end = await rig.run(rig.request({ readOnly: true, role: "reviewer" })).end();
    expect(JSON.stringify(end)).toContain("+one line more");
    // It knows every tool that it must not use: otherwise a crash would be told with that complaint as its last words.
    expect(readFileSync(join(rig.folder, "run-1.err"), "utf8")).toBe("");
  });

  test("a hook that was written into the worktree is not run, and CLAUDE.md is read", async () => {
    await using rig = await claudeRig({ settings: { sandbox: "off" }, model: () => answers("done") });
    const trap = join(rig.folder, "trapped");
    const hooks = { SessionStart: [{ hooks: [{ type: "command", command: `touch ${trap}` }] }] };
    await mkdir(join(rig.worktree, ".claude"));
    await writeFile(join(rig.worktree, ".claude", "settings.json"), JSON.stringify({ hooks }));
    await writeFile(join(rig.worktree, "CLAUDE.md"), "Words to the project's agents.\n");
    await rig.run(rig.request()).end();

    expect(existsSync(trap)).toBe(false);
    expect(JSON.stringify(rig.server.asked[0]?.body)).toContain("Words to the project's agents.");
  });
});

function untracked({ worktree }: ClaudeRig): string[] {
  const out = execFileSync("git", ["-C", worktree, "ls-files", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  return out.split("\n").filter(Boolean);
}
