// Ordinary shell of the real Claude Code, as npm installs it, in its sandbox: nobody is asked about it, and what leaves the sandbox fails.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listMissingSandboxPrograms } from "../../src/adapters/agent/claude/sandbox.ts";
import type { TurnEvent } from "../../src/ports/agent/adapter.ts";
import { answers, claudeRig } from "./claude-rig.ts";

const lacksSandbox = listMissingSandboxPrograms().length > 0 && !process.env.CI;

/** What any agent types in its first minutes. */
const ordinary = [
  "for f in src/*.txt; do echo seen $f; done",
  "X=$(cat src/a.txt); echo seen $X",
  "find src -name '*.txt' -exec wc -l {} \\;",
  "cat > notes.txt <<'EOF'\nseen notes\nEOF",
  "cat notes.txt | grep -c seen && rm notes.txt",
  "i=0; while [ $i -lt 2 ]; do i=$((i+1)); echo seen $i; done",
  "(cd src && ls) && echo `pwd` seen",
  "test -f src/a.txt && { echo seen; } || exit 1",
  "f() { echo seen $1; }; f one; unset -f f",
];

const runs = (lines: readonly string[]) => (asked: { results: readonly unknown[] }) => {
  const command = lines[asked.results.length];
  if (command === undefined) return answers("done");
  return { calls: [{ tool: "Bash", input: { command, description: "a test" } }] };
};

const of = (events: readonly TurnEvent[], type: TurnEvent["type"]) =>
  events.filter((event) => event.type === type);

describe.skipIf(lacksSandbox)("the real Claude Code in its sandbox", { timeout: 120_000 }, () => {
  test("uses a shell as everybody does, and nobody is asked", async () => {
    const outside = "for f in x; do echo $f > ../outside.txt; done";
    await using rig = await claudeRig({ model: runs([...ordinary, outside]), program: "claudeNpm" });
    const run = rig.run(rig.request());
    expect(await run.end()).toMatchObject({ outcome: "answered" });
    const shown = rig.server.asked.at(-1)?.results.map(({ text }) => text) ?? [];
    expect(of(run.events, "asked"), shown.join("\n---\n")).toEqual([]);
    expect(of(run.events, "refused-tool")).toEqual([]);
    expect(shown[0]).toContain("seen src/a.txt");
    expect(shown.at(-1)).toMatch(/read-only file system/i);
    expect(existsSync(join(rig.folder, "outside.txt"))).toBe(false);
  });

  test("is refused the network where nobody sits, and told so", async () => {
    const command = "curl -sS -m 20 http://registry.example.test/ping; echo ended $?";
    await using rig = await claudeRig({ model: runs([command]) });
    const run = rig.run(rig.request());
    expect(await run.end()).toMatchObject({ outcome: "answered" });
    const [shown] = rig.server.asked.at(-1)?.results.map(({ text }) => text) ?? [];
    expect(shown).toContain("blocked by network allowlist");
    expect(of(run.events, "refused-tool")).toMatchObject([
      { tool: "SandboxNetworkAccess", why: expect.stringContaining("registry.example.test") },
    ]);
    expect(JSON.stringify(rig.server.asked[0]?.body)).toContain("A host that its settings do not name");
    expect(of(run.events, "asked")).toEqual([]);
  });
});
