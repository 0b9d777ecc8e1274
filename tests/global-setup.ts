// Builds the command once before any test, so that tests of the CLI meet the sources as they are now.
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";

export default function buildOnce(): void {
  const root = resolve(import.meta.dirname, "..");
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs")], { cwd: root, stdio: "inherit" });
}
