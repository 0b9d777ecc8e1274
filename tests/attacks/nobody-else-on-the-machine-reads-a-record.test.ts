// Records hold prompts, answers and keys' hashes: every file of them is its owner's alone, every folder too, whatever the
// umask of whoever typed the command.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createScripted, execute, type Rig, rig, shortest } from "../acceptance/rig.ts";

const id = "b1";
let tool: Rig;
beforeAll(async () => {
  tool = rig();
  await createScripted(tool, id, shortest);
  // A person whose files are everybody's.
  const start = `umask 000; exec "$0" "$@"`;
  const words = [
    tool.node,
    join(import.meta.dirname, "../../bin/pairflow"),
    "bubble",
    "start",
    "--id",
    id,
    "--headless",
  ];
  const done = await execute(["/bin/sh", "-c", start, ...words], { cwd: tool.repo, env: tool.env });
  if (done.code !== 0) throw new Error(done.stderr);
  await tool.ok("bubble", "approve", "--id", id, "--yes", "--operator-key", tool.key);
  await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
}, 120_000);
afterAll(() => tool?.close());

/** Everything below a folder that others may read, write or pass through; links are what they lead to. */
function open(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }) as string[];
  return [".", ...names].flatMap((name) => {
    const found = lstatSync(join(folder, name));
    const isOpen = !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
    return isOpen ? [`${name} ${(found.mode & 0o777).toString(8)}`] : [];
  });
}

it("every file of the record is 0600 or less, every folder 0700", () => {
  expect(open(join(tool.repo, ".pairflow", "bubbles"))).toEqual([]);
});

it.each(["runtime", "locks"])("nobody else gets into .pairflow/%s", (name) => {
  expect(lstatSync(join(tool.repo, ".pairflow", name)).mode & 0o077).toBe(0);
});

it("after the bubble is deleted its archived record as well", async () => {
  await tool.ok("bubble", "delete", "--id", id);
  expect(open(join(tool.repo, ".pairflow", "archive"))).toEqual([]);
});
