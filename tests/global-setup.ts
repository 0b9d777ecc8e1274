// Builds the command before any test unless it is newer than all sources, so that tests of the CLI meet them as they are now;
// then plays one bubble with it, so that V8's compiled form of the bundle holds what a driver needs. Each driver of the
// suite, and there are thousands, then compiles a sixth less.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
  const compiled: string = launcher.compiledPath(join(root, "dist", "main.cjs"));
  const cache = join(root, "node_modules", ".cache", "pairflow");
  const played = join(cache, "played");
  if (existsSync(compiled) && existsSync(played) && readFileSync(played, "utf8") === compiled) return;
  await playOnce(compiled);
  mkdirSync(cache, { recursive: true });
  writeFileSync(played, compiled);
}

/** A command that finds no compiled form leaves what it needed itself. */
async function playOnce(compiled: string): Promise<void> {
  const tool = rig({ node: process.execPath });
  try {
    await createScripted(tool, "played", shortest);
    rmSync(compiled, { force: true });
    await tool.ok("bubble", "start", "--id", "played", "--headless");
  } finally {
    await tool.close();
  }
}
