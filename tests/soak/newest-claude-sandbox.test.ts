// The newest Claude Code in the registry, killed inside a command: what its sandbox leaves is known without its names.
// Where the program is named with PAIRFLOW_NEWEST_CLAUDE, that one is tried.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listMissingSandboxPrograms } from "../../src/adapters/agent/claude/sandbox.ts";
import { killInCommand, own } from "../agent-clis/killed-command.ts";

const missing = listMissingSandboxPrograms();
if (missing.length > 0)
  process.stderr.write(`WARNING: no ${missing.join(", ")} here: the newest sandbox is not tested.\n`);

test.skipIf(missing.length > 0)(
  "leaves nothing that the adapter does not know",
  { timeout: 300_000 },
  async () => {
    const { before, after } = await killInCommand(process.env.PAIRFLOW_NEWEST_CLAUDE ?? newest());
    expect(before.length).toBeGreaterThan(own.length);
    expect(after).toEqual(own);
  },
);

function newest(): string {
  const script = join(import.meta.dirname, "..", "..", "scripts", "agent-clis.mjs");
  const code = `import { installNewestClaude } from ${JSON.stringify(script)}; console.log(installNewestClaude());`;
  return execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }).trim();
}
