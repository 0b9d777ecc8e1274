// What the steps of a workflow cost over the bare writes they rest on, and a list of ten thousand open runs.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { compare, median, report } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");
const limit = 4;
const rounds = 5;
const listLimitMs = 600;

/** Each run has bare writes of the same bytes on the same disk in its midst. */
export async function workflowSteps(bench, folder) {
  const repo = join(folder, "steps");
  mkdirSync(join(repo, ".git"), { recursive: true });
  const measure = async (count, kind) => {
    const runs = [];
    for (let round = -1; round < rounds; round++) {
      const run = await bench.runSteps(repo, count, kind);
      if (round >= 0) runs.push(run);
    }
    return runs;
  };
  const row = (what, runs, limit) => {
    const step = median(runs.map(({ ms, steps }) => ms / steps));
    const bare = median(runs.map((run) => run.bare));
    const ratio = median(runs.map((run) => run.ms / run.steps / run.bare));
    return {
      what,
      figure: `${ratio.toFixed(2)} ×  (${step.toFixed(2)} ms a step, bare ${bare.toFixed(2)} ms, ${runs[0].appends} appends)`,
      ...(limit === undefined ? {} : { limit: `${limit} ×`, ok: ratio <= limit }),
    };
  };
  const together = await measure(1000, "emit");
  const alone = await measure(200, "wait");
  return report(`Steps of a workflow ÷ a bare write and its fsync in the same run (median of ${rounds})`, [
    row("1,000 steps that need nobody, a step", together, limit),
    row("200 steps, each left by a command of its own, a step", alone),
  ]);
}

export async function workflowList(lab, repo) {
  const count = 10_000;
  for (let n = 0; n < count; n++) await lab.write(repo, `run-${n}`, 1);
  const list =
    (...more) =>
    () => ({
      argv: [process.execPath, bin, "bubble", "list", "--repo", repo.repo, ...more],
    });
  const times = compare({ text: list(), json: list("--json") }, rounds);
  const row = (name) => ({
    what: `bubble list over ${count.toLocaleString("en")} open runs, ${name} ÷ node -e 0`,
    figure: `${times[name].ratio.toFixed(1)} ×  (${times[name].ms.toFixed(0)} ms)`,
    limit: `${listLimitMs} ms`,
    ok: times[name].ms <= listLimitMs,
  });
  return report(`A long list (bare node ${times["node -e 0"].ms.toFixed(0)} ms)`, [row("text"), row("json")]);
}
