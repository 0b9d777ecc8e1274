// Builds the command before any test unless it is newer than all sources, so that tests of the CLI meet them as they are now.
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

export default function buildOnce(): void {
  const root = resolve(import.meta.dirname, "..");
  execFileSync(process.execPath, [join(root, "scripts", "setup.mjs"), "--build"], {
    cwd: root,
    stdio: "inherit",
  });
}
