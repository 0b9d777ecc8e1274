// Colours: only on a terminal that can show them.

import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

let tool: Rig;
beforeAll(async () => {
  tool = rig();
  await createScripted(tool, "seen", shortest);
});
afterAll(() => tool.close());

/** What the command writes to a terminal of its own. */
function onTerminal(env: Record<string, string>): string {
  const line = `'${process.execPath}' '${cli}' bubble status --id seen`;
  return execFileSync("/bin/sh", ["-c", `script -qec "${line}" /dev/null`], {
    cwd: tool.repo,
    env: { ...tool.env, ...env },
    encoding: "utf8",
  });
}

it("are there on a terminal, and not under TERM=dumb or NO_COLOR", () => {
  const colour = "\u001b[";
  expect(onTerminal({})).toContain(colour);
  expect(onTerminal({ TERM: "dumb" })).not.toContain(colour);
  expect(onTerminal({ NO_COLOR: "1" })).not.toContain(colour);
});
