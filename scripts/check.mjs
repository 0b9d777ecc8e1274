// Everything a change must pass, in the order in which it fails fastest. The first failure ends it.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const steps = [
  ["ready", process.execPath, "scripts/setup.mjs", "--test"],
  ["format", "npm", "run", "--silent", "format:check"],
  ["lint", "npm", "run", "--silent", "lint"],
  ["types", "npm", "run", "--silent", "types"],
  ["rooms", "npm", "run", "--silent", "rooms"],
  ["dead code", "npm", "run", "--silent", "deadcode"],
  ["docs", "npm", "run", "--silent", "docs", "--", "--check"],
  ["tests", process.execPath, "scripts/test.mjs"],
];

for (const [name, command, ...args] of steps) {
  console.log(`\n== ${name}`);
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (done.status !== 0) {
    console.error(`\ncheck: ${name} failed.`);
    process.exit(done.status ?? 1);
  }
}
console.log("\ncheck: all passed.");
