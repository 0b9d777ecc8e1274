// A gate, a setup or a hook may start a program that leaves its group and clears its environment. It ends with the run: what
// was judged is not changed afterwards.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { bubble, configure, finalRuns, runs } from "../cli/gates-scene.ts";
import { canConfine } from "../helpers/sandbox.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

/** Leaves its group, its session and its environment behind, says that it lives, and waits to do harm. */
const daemon = (name: string, seconds: number) =>
  `setsid env -i /bin/sh -c 'echo $$ > ${tool.folder}/${name}; sleep ${seconds}; echo evil >> src/cart.txt; sleep 60' >/dev/null 2>&1 & ` +
  `for i in $(seq 200); do test -s ${tool.folder}/${name} && break; sleep 0.05; done`;

const sleepers = () =>
  execFileSync("ps", ["axww", "-o", "command="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => /sleep 77[45]\d/.test(line));

describe.runIf(canConfine())("a daemon with a clean environment", () => {
  it("of a gate, a setup or a hook is gone when the run is over", async () => {
    configure(
      tool,
      `gates: ${JSON.stringify({ additional: [{ name: "check", command: daemon("gate", 7741) }] })}`,
    );
    // Only now: it would run in the commit of the configuration too.
    const hook = join(tool.repo, ".git", "hooks", "pre-commit");
    mkdirSync(join(tool.repo, ".git", "hooks"), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\n${daemon("hook", 7751)}\n`, { mode: 0o755 });
    const status = await bubble(tool, "left", undefined, ["--setup", daemon("setup", 7745)]);
    expect(status.state, JSON.stringify(status.questions)).toBe("READY_FOR_APPROVAL");
    for (const name of ["gate", "setup", "hook"])
      expect(existsSync(join(tool.folder, name)), name).toBe(true);
    expect(sleepers()).toEqual([]);
    expect(readFileSync(join(tool.worktree("left"), "src/cart.txt"), "utf8")).not.toContain("evil");
    const ran = [...runs(tool, "left").flat(), ...finalRuns(tool, "left").flatMap(({ results }) => results)];
    expect(new Set(ran.map(({ sandbox, status: end }) => `${sandbox} ${end}`))).toEqual(
      new Set(["bubblewrap passed"]),
    );
  });
});
