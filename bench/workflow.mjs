// What the steps of a workflow cost over the bare writes they rest on, and a list of ten thousand open runs.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { compareCpu, median } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");
const rounds = 5;

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
  const figure = (key, runs) => {
    const step = median(runs.map(({ ms, steps }) => ms / steps));
    const bare = median(runs.map((run) => run.bare));
    const note = `${step.toFixed(2)} ms a step, bare ${bare.toFixed(2)} ms, ${runs[0].appends} appends`;
    return { key, value: median(runs.map((run) => run.ms / run.steps / run.bare)), note };
  };
  const together = figure("steps.together", await measure(1000, "emit"));
  const alone = figure("steps.alone", await measure(200, "wait"));
  return { title: "Steps of a workflow", figures: [together, alone] };
}

export async function workflowList(lab, repo) {
  const count = 10_000;
  for (let n = 0; n < count; n++) await lab.write(repo, `run-${n}`, 1);
  const list =
    (...more) =>
    () => ({
      argv: [process.execPath, bin, "bubble", "list", "--repo", repo.repo, ...more],
    });
  const { text, json } = compareCpu({ text: list(), json: list("--json") }, rounds);
  const figures = [
    { key: "list.long", value: text.ms, note: `${text.ratio.toFixed(1)} × bare node` },
    { key: "list.long-json", value: json.ms, note: `${json.ratio.toFixed(1)} × bare node` },
  ];
  return { title: "A long list", figures };
}
