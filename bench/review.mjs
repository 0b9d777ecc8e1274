// What judging a review costs: each step of it in one process, and the whole as a command beside bare node, with
// evidence and where none is asked for.
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareEnv, compare, median, report, share, timeOnce } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");
const rounds = Number(process.env.BENCH_ROUNDS ?? 15);
/** 50 ms where bare node takes 28: beside it, so that other work on the machine weighs on both. */
const limitRatio = 50 / 28;

const within = (ratio) => ({ limit: `${limitRatio.toFixed(2)} ×`, ok: ratio <= limitRatio });

/** `lab`: bench/review.ts; `folder`: where the repository is made. */
export async function review(lab, folder) {
  const repo = join(folder, "reviewed");
  const commits = lab.makeRepository(repo);
  const make = (bubble, applying, evidence = true) =>
    lab.makeBubble(repo, commits, { bubble, applying, evidence });
  const few = await make("few", 20);
  const many = await make("many", 200);
  const trusting = await make("trusting", 20, false);
  const rows = [
    ...(await inProcess(lab, few, { name: "20 of 200 SOPs apply", isLimited: true })),
    // Nobody answers two hundred rules about one change; it shows how the cost grows.
    ...(await inProcess(lab, many, { name: "all 200 SOPs apply", isLimited: false })),
  ];
  const inside = report(`Judging a review of 30 changed files in 5,000 (median of ${rounds})`, rows);
  return asCommand({ few, many, trusting }) && inside;
}

async function inProcess(lab, bubble, { name, isLimited }) {
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
  const all = middle("all");
  const ratio = all / median(bare);
  const worst = share(
    runs.map((times) => times.all),
    0.95,
  );
  return [
    {
      what: `${name}: all steps ÷ node -e 0`,
      figure: `${ratio.toFixed(2)} ×  (${all.toFixed(0)} ms, 95 %: ${worst.toFixed(0)}; bare node ${median(bare).toFixed(0)})`,
      ...(isLimited ? within(ratio) : {}),
    },
    ...Object.keys(runs[0])
      .filter((step) => step !== "all")
      .map((step) => ({ what: `  ${step}`, figure: `${middle(step).toFixed(1)} ms` })),
  ];
}

function asCommand({ few, many, trusting }) {
  const times = compare(
    {
      "pass, no evidence asked for": passing(trusting, ["--summary", "LGTM", "--no-findings"]),
      "pass, 20 SOPs": passing(few),
      "pass, 200 SOPs": passing(many),
    },
    rounds,
  );
  const bare = times["node -e 0"].ms;
  const without = times["pass, no evidence asked for"];
  const row = (name, isLimited) => {
    const more = times[name].ms - without.ms;
    return {
      what: `${name}: what evidence adds ÷ node -e 0`,
      figure: `${(more / bare).toFixed(2)} ×  (${more.toFixed(0)} ms; ${times[name].ratio.toFixed(2)} × in all)`,
      ...(isLimited ? within(more / bare) : {}),
    };
  };
  return report(`The same as a command (median of ${rounds}, bare node ${bare.toFixed(0)} ms)`, [
    {
      what: "pass, no evidence asked for ÷ node -e 0",
      figure: `${without.ratio.toFixed(2)} ×  (${without.ms.toFixed(0)} ms)`,
    },
    row("pass, 20 SOPs", true),
    row("pass, 200 SOPs", false),
  ]);
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
    rmSync(folder, { recursive: true, force: true });
    cpSync(kept, folder, { recursive: true, preserveTimestamps: true });
    return { argv, options: { env: { ...bareEnv, ...env }, cwd: repo } };
  };
}
