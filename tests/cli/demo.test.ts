// The demo: a whole bubble with built-in scripted agents, to the commit, without anybody at a terminal.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cli, execute } from "../acceptance/rig.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pairflow-demo-test-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("goes from a task to a commit, with a question, a finding, two clean passes and a signature", async () => {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, LANG: "C.UTF-8" };
  const ran = await execute([process.execPath, cli, "demo"], { cwd: folder, env });
  expect(ran.code, ran.stderr + ran.stdout).toBe(0);
  const said = ran.stderr + ran.stdout;
  expect(said).toContain("A discount above 100 gives a negative total");
  expect(said).toMatch(/\n {2}committed [0-9a-f]{10} on bubble\/fix-discount\n/);
  expect(said).not.toMatch(/warning +review\./);
  const [shop] = execFileSync("find", [folder, "-name", "shop", "-maxdepth", "2"], {
    encoding: "utf8",
  }).split("\n");
  const log = execFileSync("git", ["-C", shop ?? "", "log", "-1", "--format=%s", "bubble/fix-discount"], {
    encoding: "utf8",
  });
  expect(log.trim()).toBe("fix(cart): take the discount off before tax");
}, 60_000);
