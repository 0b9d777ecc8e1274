// What judging a review costs: each step of it in one process, and the whole as a command beside bare node, with
// evidence and where none is asked for.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareEnv, compareCpu, median, timeOnce } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");

/** `lab`: bench/review.ts; `folder`: where the repository is made. */
export async function review(lab, folder, rounds) {
  const repo = join(folder, "reviewed");
  const commits = lab.makeRepository(repo);
  const make = (bubble, applying, evidence = true) =>
    lab.makeBubble(repo, commits, { bubble, applying, evidence });
  const few = await make("few", 20);
  // Nobody answers two hundred rules about one change; it shows how the cost grows.
  const many = await make("many", 200);
  const trusting = await make("trusting", 20, false);
  const figures = [
    await inProcess(lab, few, "review.steps", rounds),
    await inProcess(lab, many, "review.steps-200", rounds),
    ...asCommand({ few, many, trusting }, rounds),
  ];
  return { title: "Judging a review of 30 changed files in 5,000", figures };
}

async function inProcess(lab, bubble, key, rounds) {
  const runs = [];
  const bare = [];
  for (let round = -2; round < rounds; round++) {
    const ms = timeOnce([process.execPath, "-e", "0"]);
    const times = await lab.judgeOnce(bubble);
    if (round < 0) continue;
    bare.push(ms);
    runs.push(times);
  }
  const middle = (step) => median(runs.map((times) => times[step]));
  const steps = Object.keys(runs[0]).filter((step) => step !== "all");
  const note = steps.map((step) => `${step} ${middle(step).toFixed(1)} ms`).join(", ");
  return { key, value: middle("all") / median(bare), note };
}

function asCommand({ few, many, trusting }, rounds) {
  const times = compareCpu(
    {
      trusting: passing(trusting, ["--summary", "LGTM", "--no-findings"]),
      few: passing(few),
      many: passing(many),
    },
    rounds,
  );
  const figure = (key, name) => {
    const value = times[name].ratio - times.trusting.ratio;
    return { key, value, note: `${times[name].ratio.toFixed(2)} × in all` };
  };
  return [figure("review.pass", "few"), figure("review.pass-200", "many")];
}

/** A pass changes its bubble: before each run the bubble is put back as it was. */
function passing({ repo, bubble, env, review: text }, words) {
  const folder = join(repo, ".pairflow", "bubbles", bubble);
  const kept = join(repo, "..", `${bubble}-kept`);
  const file = join(repo, "..", `${bubble}.json`);
  writeFileSync(file, text);
  cpSync(folder, kept, { recursive: true, preserveTimestamps: true });
  const argv = [process.execPath, bin, "pass", ...(words ?? ["--review-file", file])];
  return () => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    cpSync(kept, folder, { recursive: true, preserveTimestamps: true });
    return { argv, options: { env: { ...bareEnv, ...env }, cwd: repo } };
  };
}
