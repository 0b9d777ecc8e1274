// Timing of whole commands, interleaved with bare node in one run, so that figures are ratios and not weather.
import { execFileSync, spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";

/** The smallest environment a command runs in. */
export const bareEnv = { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", LANG: "C.UTF-8" };

export function timeOnce(argv, options = {}) {
  const started = performance.now();
  const done = spawnSync(argv[0], argv.slice(1), { env: bareEnv, stdio: "ignore", ...options });
  const ms = performance.now() - started;
  if (done.status !== (options.expect ?? 0)) throw new Error(`${argv.join(" ")} exited ${done.status}`);
  return ms;
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Runs every case once a round, bare node among them, and returns the medians and their ratio to bare node.
 * `cases`: { name: () => argv | { argv, options } }
 */
export function compare(cases, rounds) {
  const names = Object.keys(cases);
  const times = Object.fromEntries(["node -e 0", ...names].map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    const bare = timeOnce([process.execPath, "-e", "0"]);
    if (round >= 0) times["node -e 0"].push(bare);
    for (const name of names) {
      const { argv, options } = cases[name](round);
      const ms = timeOnce(argv, options);
      if (round >= 0) times[name].push(ms);
    }
  }
  const base = median(times["node -e 0"]);
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, { ms: median(list), ratio: median(list) / base }]),
  );
}

export function report(title, rows) {
  console.log(`\n${title}`);
  for (const row of rows)
    console.log(
      `  ${row.ok === undefined ? " " : row.ok ? "✓" : "✗"} ${row.what.padEnd(64)} ${row.figure}${row.limit ? `   limit ${row.limit}` : ""}`,
    );
  return rows.every((row) => row.ok !== false);
}

export function machine() {
  const cpu = execFileSync("sh", ["-c", "nproc; uname -sr; cat /proc/loadavg"], { encoding: "utf8" })
    .trim()
    .split("\n");
  return `${cpu[0]} cores, ${cpu[1]}, node ${process.versions.node}, load ${cpu[2]?.split(" ").slice(0, 1)}`;
}
