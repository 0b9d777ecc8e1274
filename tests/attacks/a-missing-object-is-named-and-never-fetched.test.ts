// A partial clone has commits without all of their files. What a bubble needs and is not there is named with the line that
// fetches it; git's transport, which a remote's settings name, is never started by the referee.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli, execute, type Ran, type Rig, rig } from "../acceptance/rig.ts";

let tool: Rig;
let clone: string;
let mark: string;
beforeAll(async () => {
  tool = rig({ files: { "src/large.txt": "large\n".repeat(100) } });
  clone = join(tool.folder, "partial");
  mark = join(tool.folder, "fetched");
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: tool.folder, env: tool.env, stdio: "pipe" });
  tool.git("config", "uploadpack.allowFilter", "true");
  git("clone", "-q", "--no-checkout", "--filter=blob:none", `file://${tool.repo}`, clone);
  // The transport is a program that leaves a mark: whoever fetches runs it.
  const program = join(tool.folder, "upload-pack.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\nexit 1\n`, { mode: 0o755 });
  git("-C", clone, "config", "remote.origin.uploadpack", program);
  await at("init");
}, 60_000);
afterAll(() => tool.close());

const at = (...words: string[]): Promise<Ran> =>
  execute([tool.node, cli, ...words], { cwd: clone, env: tool.env });

it("a bubble in a partial clone ends with a code and the line that fetches, and fetches nothing", async () => {
  const created = await at(
    "bubble",
    "create",
    "--id",
    "b1",
    "--task",
    "x",
    "--test",
    "true",
    "--base",
    "main",
  );
  const started = created.code === 0 ? await at("bubble", "start", "--id", "b1", "--headless") : created;
  expect(started.code).toBe(3);
  expect(started.stderr).toMatch(/\(git\.object-missing\)/);
  expect(started.stderr).toMatch(/Hint: git .*fetch/);
  expect(started.stderr).not.toContain("This is a bug");
  expect(existsSync(mark)).toBe(false);
}, 60_000);
