// An agent's CLI that dies before it has begun a session: the next attempt begins one, it resumes nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { edit } from "../helpers/operator.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

it.each(["claude", "codex"])(
  "%s",
  async (adapter) => {
    const words = join(tool.folder, `${adapter}-words`);
    const program = join(tool.folder, adapter);
    writeFileSync(program, `#!/bin/sh\necho "$@" >> ${words}\nexit 1\n`, { mode: 0o700 });
    await createScripted(tool, adapter, shortest);
    edit(tool, adapter, (text) =>
      text.replace(
        /(\[agent\.codex\]\nadapter = )"scripted"\nscript = .*/,
        `$1"${adapter}"\nprogram = "${program}"`,
      ),
    );
    const { stdout } = await tool.run("bubble", "start", "--id", adapter, "--headless", "--yes");
    expect(stdout).toContain("WAITING_HUMAN");
    const attempts = tool
      .log(adapter)
      .flatMap((line) => (line.type === "TURN_STARTED" ? [line.payload] : []));
    expect(attempts.map(({ fresh }) => fresh)).toEqual([true, true, true]);
    expect(new Set(attempts.map(({ session }) => session)).size).toBe(3);
    expect(readFileSync(words, "utf8")).not.toMatch(/resume/);
  },
  60_000,
);
