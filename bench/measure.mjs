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

/** Processor time of a command in milliseconds, its own and the system's for it: what else the machine does counts less. */
export function cpuOnce(argv, options = {}) {
  const script = '"$@" >/dev/null 2>&1; code=$?; times; exit $code';
  // With a socket for its input bash takes itself for a remote shell and reads its user's settings, at a cost of their own.
  const done = spawnSync("bash", ["--norc", "-c", script, "bash", ...argv], {
    env: bareEnv,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
  });
  if (done.status !== (options.expect ?? 0)) throw new Error(`${argv.join(" ")} exited ${done.status}`);
  const ofChildren = done.stdout.trim().split("\n")[1] ?? "";
  return [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000,
    0,
  );
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** The value that this share of all values does not exceed. */
export const share = (values, part) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
};

/** What the machine makes of bare node at this moment, beside which times can be read. */
export function bareNode() {
  const times = Array.from({ length: 9 }, () => timeOnce([process.execPath, "-e", "0"]));
  return `bare node ${median(times).toFixed(0)} ms`;
}

/** What the gates took, by the record, after a turn and before the next one. */
export function gatesBetween(log, before, after) {
  const at = (turn) => log.findIndex(({ type, payload }) => type === "TURN_SPAWNED" && payload.turn === turn);
  return log
    .slice(at(before), at(after))
    .filter(({ type }) => type === "GATES_RESULT")
    .flatMap(({ payload }) => payload.results)
    .reduce((sum, { duration_ms: ms }) => sum + ms, 0);
}

/** Gaps between turns, each with the role it comes after, as figures: the median, and the slow ones beside it. */
export function gapFigures(gaps, { producer, critic }) {
  const keys = { implementer: producer, reviewer: critic };
  return Object.entries(keys).flatMap(([role, key]) => {
    const times = gaps.filter((gap) => gap.role === role).map(({ ms }) => ms);
    if (times.length === 0) throw new Error(`no turn came after one of the ${role}`);
    const note = `median of ${times.length}, 95 %: ${share(times, 0.95).toFixed(0)} ms`;
    return [{ key, value: median(times), note }];
  });
}

/** As `compare`, in processor time. The lower quartile: others at work make some runs dearer, and none cheaper. */
export const compareCpu = (cases, rounds) =>
  compare(cases, rounds, { once: cpuOnce, middle: (values) => share(values, 0.25) });

/**
 * Runs every case once a round, bare node among them, and returns their middle and its ratio to bare node.
 * `cases`: { name: () => argv | { argv, options } }
 */
export function compare(cases, rounds, { once = timeOnce, middle = median } = {}) {
  const names = Object.keys(cases);
  const times = Object.fromEntries(["node -e 0", ...names].map((name) => [name, []]));
  for (let round = -1; round < rounds; round++) {
    const bare = once([process.execPath, "-e", "0"]);
    if (round >= 0) times["node -e 0"].push(bare);
    for (const name of names) {
      const { argv, options } = cases[name](round);
      const ms = once(argv, options);
      if (round >= 0) times[name].push(ms);
    }
  }
  const base = middle(times["node -e 0"]);
  return Object.fromEntries(
    Object.entries(times).map(([name, list]) => [name, { ms: middle(list), ratio: middle(list) / base }]),
  );
}

export function machine() {
  const cpu = execFileSync("sh", ["-c", "nproc; uname -sr; cat /proc/loadavg"], { encoding: "utf8" })
    .trim()
    .split("\n");
  const load = cpu[2]?.split(" ")[0];
  return `${cpu[0]} cores, ${cpu[1]}, Node ${process.versions.node}, load ${load}, ${bareNode()}`;
}
