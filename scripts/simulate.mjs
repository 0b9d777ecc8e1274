// npm run simulate -- [--bubbles N] [--hosts N] [--seeds N] [--from N]: many bubbles on many machines in one process, with faults from
// a seed (tests/simulation), and what it cost. Without flags: three seeds of 10,000 bubbles on 100 machines. Exit 1 when something
// happened that never may.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { imported } from "../bench/bundle.mjs";

const number = (value) => ({ type: "string", default: String(value) });
const { values } = parseArgs({
  options: { bubbles: number(10_000), hosts: number(100), seeds: number(3), from: number(1) },
});
const [bubbles, hosts, seeds, from] = ["bubbles", "hosts", "seeds", "from"].map(readCount);

function readCount(name) {
  const count = Number(values[name]);
  if (Number.isInteger(count) && count > 0) return count;
  console.error(`Error: --${name} takes a whole number above 0, not ${values[name]}.`);
  return process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "pairflow-simulate-"));
const { simulate } = await imported("../tests/simulation/simulate.ts", folder);
rmSync(folder, { recursive: true, force: true });
let isSound = true;
for (let seed = from; seed < from + seeds; seed += 1) {
  const before = process.cpuUsage();
  const { digest, violations, counts } = await simulate({ seed, bubbles, hosts });
  const { user, system } = process.cpuUsage(before);
  const seconds = ((user + system) / 1e6).toFixed(1);
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  const told = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  console.log(
    `seed ${seed}  ${digest.slice(0, 12)}  ${told.join("  ")}  ${seconds} s of a core  ${megabytes} MB`,
  );
  for (const violation of violations.slice(0, 20)) console.log(`  never: ${violation}`);
  isSound &&= violations.length === 0;
}
process.exitCode = isSound ? 0 : 1;
