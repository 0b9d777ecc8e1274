// Whole bubbles: a handoff between panes, fifty at once, eight processes on one, twenty idle ones.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bareEnv, cpuOnce, median } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");

export function bench(name) {
  const folder = mkdtempSync(join(tmpdir(), `pairflow-bench-${name}-`));
  const repo = join(folder, "repo");
  const home = join(folder, "home");
  mkdirSync(repo);
  mkdirSync(home);
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = Bench\n\temail = bench@localhost\n");
  const socket = `pf-bench-${process.pid}-${name}`;
  const env = {
    ...{ ...bareEnv, HOME: home, TERM: "xterm-256color", PAIRFLOW_TMUX_SOCKET: socket },
    // Agents of benches leave their times beside the repository.
    PAIRFLOW_SANDBOX_WRITE: folder,
  };
  const sh = (...argv) =>
    execFileSync(argv[0], argv.slice(1), {
      cwd: repo,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const pairflow = (...args) => sh(process.execPath, bin, ...args);
  sh("git", "init", "-q", "-b", "main");
  writeFileSync(join(repo, "a.txt"), "one\n");
  pairflow("init");
  // The plays of benches are short: what a review must prove is measured apart, by the part of that name.
  writeFileSync(
    join(repo, ".pairflow", "config.yaml"),
    "defaults: { review: { require_evidence: false } }\n",
  );
  sh("git", "add", "-A");
  sh("git", "commit", "-q", "-m", "first");
  const log = (id) =>
    readFileSync(join(repo, ".pairflow/bubbles", id, "transcript.ndjson"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  const status = (id) => JSON.parse(pairflow("bubble", "status", "--id", id, "--json"));
  return {
    folder,
    repo,
    env,
    sh,
    pairflow,
    log,
    status,
    create(id, codex, claude, more = "", flags = ["--test", "true"]) {
      const script = (agent, turns) => {
        const file = join(folder, `${id}-${agent}.json`);
        writeFileSync(file, JSON.stringify({ agent, turns }));
        return file;
      };
      pairflow("bubble", "create", "--id", id, "--task", "Bench", ...flags);
      const toml = join(repo, ".pairflow/bubbles", id, "bubble.toml");
      const agents = ["codex", "claude"].map(
        (agent, i) =>
          `\n[agent.${agent}]\nadapter = "scripted"\nscript = ${JSON.stringify(script(agent, [codex, claude][i]))}\n`,
      );
      writeFileSync(
        toml,
        readFileSync(toml, "utf8").replace("enabled = true", "enabled = false") + agents.join("") + more,
      );
    },
    async until(id, wanted, limitMs = 120_000) {
      for (const end = Date.now() + limitMs; Date.now() < end; await sleep(100))
        if (wanted(status(id))) return;
      throw new Error(`${id}: never came there\n${pairflow("log", "--id", id, "--all")}`);
    },
    close() {
      try {
        execFileSync("tmux", ["-L", socket, "kill-server"], { stdio: "ignore" });
      } catch {
        // There was none.
      }
      // What was just ended may still write its last file.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

const pack = { what: "w", why: "w", risks: "r", test_plan: "t", commit_message: "c" };
export const shortest = (id) => [
  [
    {
      role: "implementer",
      steps: [{ write: { path: `${id}.txt`, text: "two\n" } }, { pass: { summary: "done", ...pack } }],
    },
    { role: "reviewer", steps: [{ converge: { summary: "clean" } }] },
  ],
  [{ role: "reviewer", steps: [{ pass: { summary: "clean", no_findings: true } }] }],
];

/** From the line of the PASS to the spawned process of the next turn, gates excluded: what Pairflow itself takes. */
export async function handoff() {
  const b = bench("handoff");
  try {
    const loops = 6;
    const codex = Array.from({ length: loops }, (_, n) => ({
      role: "implementer",
      steps: [{ write: { path: "b.txt", text: `${n}\n` } }, { pass: { summary: `try ${n}`, ...pack } }],
    }));
    const claude = Array.from({ length: loops }, (_, n) => ({
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: `look ${n}`,
            ...(n === 0 ? {} : { fixed: [`F${n}`] }),
            findings: [`P1:Defect ${n} @ b.txt:1 | ${n}`],
          },
        },
      ],
    }));
    b.create("hand", codex, claude);
    b.pairflow("bubble", "start", "--yes", "--id", "hand");
    await b.until("hand", (status) => status.round > loops - 1 || status.state !== "RUNNING");
    const log = b.log("hand");
    const times = [];
    for (const [i, line] of log.entries()) {
      if (line.type !== "PASS") continue;
      const next = log.slice(i).find((later) => later.type === "TURN_SPAWNED");
      const gates = log.slice(i, next ? log.indexOf(next) : i).find((later) => later.type === "GATES_RESULT");
      const gateMs = gates ? gates.payload.results.reduce((sum, result) => sum + result.duration_ms, 0) : 0;
      if (next) times.push(Date.parse(next.ts) - Date.parse(line.ts) - gateMs);
    }
    const note = `median of ${times.length}, most ${Math.max(...times)} ms`;
    return { title: "Handoff in tmux", figures: [{ key: "handoff.tmux", value: median(times), note }] };
  } finally {
    b.close();
  }
}

/** Bubbles of three turns one after the other, each with everything that it starts: git, gates, agents. */
export async function wholeBubble(count) {
  const b = bench("whole");
  try {
    const [bare, times] = [[], []];
    for (let n = 0; n <= count; n++) {
      const id = `whole${n}`;
      b.create(id, ...shortest(id));
      bare.push(cpuOnce([process.execPath, "-e", "0"]));
      const argv = [process.execPath, bin, "bubble", "start", "--yes", "--id", id, "--headless"];
      times.push(cpuOnce(argv, { cwd: b.repo, env: b.env }));
      if (b.status(id).state !== "READY_FOR_APPROVAL")
        throw new Error(b.pairflow("log", "--id", id, "--all"));
    }
    // The first one also runs the gates on the base, which the others find on record.
    const value = median(times.slice(1)) / median(bare);
    const note = `${median(times.slice(1)).toFixed(0)} ms`;
    return { title: "A whole bubble", figures: [{ key: "bubble.cpu", value, note }] };
  } finally {
    b.close();
  }
}

/** Fifty bubbles, headless, at once. */
export async function fifty() {
  const b = bench("fifty");
  const count = 50;
  try {
    const ids = Array.from({ length: count }, (_, n) => `b${n}`);
    for (const id of ids) b.create(id, ...shortest(id));
    const started = Date.now();
    for (const id of ids) b.pairflow("bubble", "start", "--yes", "--id", id, "--headless", "--detach");
    for (const id of ids) await b.until(id, (status) => status.state === "READY_FOR_APPROVAL", 400_000);
    const seconds = (Date.now() - started) / 1000;
    const wrong = ids.filter((id) =>
      b.log(id).some((line, i) => line.seq !== i + 1 || line.bubble_id !== id),
    );
    if (wrong.length > 0) throw new Error(`lines lost, doubled or strayed: ${wrong.join(", ")}`);
    b.pairflow("verify");
    const note = `${seconds.toFixed(0)} s in all`;
    return { title: "Fifty bubbles at once", figures: [{ key: "fifty", value: count / seconds, note }] };
  } finally {
    b.close();
  }
}

/**
 * Eight processes put commands to one bubble as fast as they can, beside eight that have a bubble each: that is what the
 * cores allow. Refused claims of a turn leave twenty lines at most, so the eight go from one bubble to the next.
 */
export async function contention() {
  const b = bench("eight");
  const writers = 8;
  try {
    const shared = ["hot-1", "hot-2", "hot-3", "hot-4", "hot-5"];
    const own = Array.from({ length: writers }, (_, n) => `own-${n}`);
    for (const id of [...shared, ...own]) await startHanging(b, id);
    const times = { shared: [], own: [] };
    for (const part of [0, 1]) {
      const onOwn = own.map((id) => Array(5).fill(id));
      const onShared = own.map(() => shared);
      times.own.push(await timeWriters(b, onOwn, part));
      times.shared.push(await timeWriters(b, onShared, part));
    }
    for (const id of [...shared, ...own]) checkWritten(b, id, shared.includes(id) ? 2 * writers : 2 * 5);
    const [ms, alone] = [times.shared, times.own].map((list) => list.reduce((sum, one) => sum + one, 0));
    const rate = (2 * 5 * writers * 1000) / ms;
    const note = `${rate.toFixed(0)} commands/s, ${((rate * ms) / alone).toFixed(0)} on bubbles of their own`;
    return {
      title: "Eight processes on one bubble",
      figures: [{ key: "contention", value: alone / ms, note }],
    };
  } finally {
    b.close();
  }
}

/** How long writers take that put one command to each bubble of their list. */
async function timeWriters(b, lists, part) {
  const started = Date.now();
  await Promise.all(lists.map((ids, n) => putCommands(b, ids, `w${n}-${part}`)));
  return Date.now() - started;
}

function checkWritten(b, id, wanted) {
  const log = b.log(id);
  const warnings = log.filter((line) => line.type === "WARNING").length;
  if (!log.every((line, i) => line.seq === i + 1) || warnings !== wanted)
    throw new Error(`${id}: ${warnings} of ${wanted} commands are on the record`);
  b.pairflow("verify", "--id", id);
  b.pairflow("bubble", "stop", "--id", id);
}

/** A bubble whose implementer has the turn and does nothing. */
async function startHanging(b, id) {
  const hang = (role) => [{ role, steps: [{ hang: true }] }];
  b.create(id, hang("implementer"), hang("reviewer"));
  b.pairflow("bubble", "start", "--yes", "--id", id, "--headless", "--detach");
  await b.until(id, (status) => status.turn?.status === "running");
}

/** One process that puts a command to each of these bubbles, one after the other. */
function putCommands(b, ids, word) {
  const claim = 'converged --as reviewer --id "$id" --summary';
  const loop = `n=0; for id in ${ids.join(" ")}; do n=$((n+1)); ${process.execPath} ${bin} ${claim} "${word}-$n" >/dev/null 2>&1; done`;
  return new Promise((resolve) => {
    spawn("bash", ["-c", loop], { cwd: b.repo, env: b.env, stdio: "ignore" }).once("exit", resolve);
  });
}

/** Twenty bubbles in tmux that wait for a human: processor time of their drivers and tmux over ten seconds. */
export async function idle() {
  const b = bench("idle");
  const count = 20;
  try {
    const ids = Array.from({ length: count }, (_, n) => `i${n}`);
    for (const id of ids) b.create(id, ...shortest(id));
    for (const id of ids) b.pairflow("bubble", "start", "--yes", "--id", id);
    for (const id of ids) await b.until(id, (status) => status.state === "READY_FOR_APPROVAL", 400_000);
    await sleep(3000);
    const before = cpuMs(b.repo, b.env.PAIRFLOW_TMUX_SOCKET);
    await sleep(10_000);
    const used = (cpuMs(b.repo, b.env.PAIRFLOW_TMUX_SOCKET) - before) / 10_000;
    return { title: "Idle", figures: [{ key: "idle", value: used * 100 }] };
  } finally {
    b.close();
  }
}

/** Processor time so far of every process whose command line names this repository or this tmux socket. */
function cpuMs(repo, socket) {
  const ticks = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const pids = execFileSync("ps", ["axww", "-o", "pid=,command="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(repo) || line.includes(socket))
    .map((line) => line.trim().split(" ")[0]);
  let sum = 0;
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
      sum += Number(fields[11]) + Number(fields[12]);
    } catch {
      // Ended meanwhile.
    }
  }
  return (sum / ticks) * 1000;
}
