// What a command costs over bare node: status and pass with few and with many messages, and a list of 1,000 bubbles.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { bareEnv, compare, compareCpu, report } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");
const rounds = Number(process.env.BENCH_ROUNDS ?? 15);

/** A verb that changes its bubble is undone after each run, so that every run is the same. */
function undoable(bubble) {
  const { size, atime, mtime } = statSync(bubble.transcript);
  const cache = readFileSync(bubble.state);
  return () => {
    truncateSync(bubble.transcript, size);
    utimesSync(bubble.transcript, atime, mtime);
    writeFileSync(bubble.state, cache);
    for (const name of existsSync(bubble.messages) ? readdirSync(bubble.messages) : [])
      rmSync(join(bubble.messages, name), { force: true });
  };
}

export async function commands(lab, repo) {
  const small = await lab.write(repo, "small", 100);
  const large = await lab.write(repo, "large", 100_000);
  const status = (id) => () => ({
    argv: [process.execPath, bin, "bubble", "status", "--id", id, "--repo", repo.repo, "--json"],
  });
  const pass = (bubble) => {
    const undo = undoable(bubble);
    return () => {
      undo();
      return {
        argv: [process.execPath, bin, "pass", "--summary", "done"],
        options: { env: { ...bareEnv, ...bubble.env } },
      };
    };
  };
  const onSmall = { "status, 100 messages": status("small"), "pass, 100 messages": pass(small) };
  const times = compare(
    { ...onSmall, "status, 100,000 messages": status("large"), "pass, 100,000 messages": pass(large) },
    rounds,
  );
  const version = () => ({ argv: [process.execPath, bin, "--version"] });
  const cpu = compareCpu({ version, ...onSmall }, rounds);
  const row = (name, limit) => ({
    what: `${name} ÷ node -e 0`,
    figure: `${times[name].ratio.toFixed(2)} ×  (${times[name].ms.toFixed(0)} ms)`,
    limit: `${limit} ×`,
    ok: times[name].ratio <= limit,
  });
  const growth = (verb) => {
    const ratio = times[`${verb}, 100,000 messages`].ms / times[`${verb}, 100 messages`].ms;
    return {
      what: `${verb}: 100,000 messages ÷ 100 messages`,
      figure: `${ratio.toFixed(2)} ×`,
      limit: "1.2 ×",
      ok: ratio <= 1.2,
    };
  };
  return report(`Commands (median of ${rounds}, bare node ${times["node -e 0"].ms.toFixed(0)} ms)`, [
    row("status, 100 messages", 2),
    row("pass, 100 messages", 2),
    growth("status"),
    growth("pass"),
    ...cpuRows(cpu),
    memory(repo),
  ]);
}

/** What a start and the two everyday verbs cost in processor time. */
function cpuRows(cpu) {
  const row = (name, most, limit = `${most} ×`) => ({
    what: `processor time: ${name} ÷ node -e 0`,
    figure: `${cpu[name].ratio.toFixed(2)} ×  (${cpu[name].ms.toFixed(0)} ms)`,
    limit,
    ok: cpu[name].ratio <= most,
  });
  return [
    row("version", 1.3),
    row("status, 100 messages", cpu.version.ratio + 0.2, "version + 0.2"),
    row("pass, 100 messages", 1.8),
  ];
}

/** Peak memory of a status call on the long bubble. */
function memory(repo) {
  const done = spawnSync(
    "/usr/bin/env",
    [
      "bash",
      "-c",
      `exec ${process.execPath} -e 'process.argv.splice(1,0,"x");process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)));require(${JSON.stringify(bin)})' bubble status --id large --repo ${repo.repo} --json`,
    ],
    { env: bareEnv, encoding: "utf8" },
  );
  const mb = Number(done.stderr.trim()) / 1024;
  return {
    what: "peak memory of status, 100,000 messages",
    figure: `${mb.toFixed(0)} MB`,
    limit: "120 MB",
    ok: mb > 0 && mb < 120,
  };
}

export async function listing(lab, repo) {
  for (let n = 0; n < 1000; n++) await lab.write(repo, `list-${n}`, 12);
  const times = compare(
    { list: () => ({ argv: [process.execPath, bin, "bubble", "list", "--repo", repo.repo, "--json"] }) },
    rounds,
  );
  return report("Listing", [
    {
      what: "bubble list over 1,000 bubbles ÷ node -e 0",
      figure: `${times.list.ratio.toFixed(2)} ×  (${times.list.ms.toFixed(0)} ms)`,
      limit: "3 ×",
      ok: times.list.ratio <= 3,
    },
  ]);
}

export function folding(lab, repo) {
  const speed = lab.foldSpeed(repo, 100_000);
  return report("Folding", [
    {
      what: "envelopes folded a second in core",
      figure: Math.round(speed).toLocaleString("en"),
      limit: "200,000",
      ok: speed >= 200_000,
    },
  ]);
}
