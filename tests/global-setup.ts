// Builds the command before any test unless it is newer than all sources, so that tests of the CLI meet them as they are now;
// then plays one bubble with it, so that no two drivers of the suite, and there are thousands, compile the bundle at once.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { createScripted, rig, shortest } from "./acceptance/rig.ts";

const root = resolve(import.meta.dirname, "..");

export default async function prepareCommand(): Promise<void> {
  execFileSync(process.execPath, [join(root, "scripts", "setup.mjs"), "--build"], {
    cwd: root,
    stdio: "inherit",
  });
  const launcher = createRequire(import.meta.url)("../bin/launch.js");
  const compiled: string = launcher.compiledPath(join(root, "dist", "main.cjs"), "drive.");
  if (!existsSync(compiled)) await playOnce();
}

/** A driver that finds no compiled form leaves what it needed itself. */
async function playOnce(): Promise<void> {
  const tool = rig({ node: process.execPath });
  try {
    await createScripted(tool, "played", shortest);
    await tool.ok("bubble", "start", "--id", "played", "--headless");
  } finally {
    await tool.close();
  }
}
