// What a command costs over bare node: status and pass with few and with many messages, and a list of 1,000 bubbles.
import { execFileSync, spawnSync } from "node:child_process";
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
import { bareEnv, compare, compareCpu } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");

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

export async function commands(lab, repo, rounds) {
  const small = await lab.write(repo, "small", 100);
  const large = await lab.write(repo, "large", 100_000);
  // What was just written is on the disk before anything is measured: a pass syncs its log, and would pay for all of it.
  execFileSync("sync", ["--file-system", repo.repo]);
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
  const version = () => ({ argv: [process.execPath, bin, "--version"] });
  const few = { version, status: status("small"), pass: pass(small) };
  const cpu = compareCpu({ ...few, "long status": status("large"), "long pass": pass(large) }, rounds);
  const clock = compare(few, rounds);
  const inAll = (name) => `${clock[name].ms.toFixed(0)} ms by the clock, ${clock[name].ratio.toFixed(2)} ×`;
  const figures = [
    ...["version", "status", "pass"].map((name) => ({
      key: `${name}.cpu`,
      value: cpu[name].ratio,
      note: inAll(name),
    })),
    { key: "status.over-version", value: cpu.status.ratio - cpu.version.ratio },
    { key: "status.growth", value: cpu["long status"].ms / cpu.status.ms },
    { key: "pass.growth", value: cpu["long pass"].ms / cpu.pass.ms },
    { key: "status.memory", value: peakMemory(repo) },
  ];
  return { title: `Commands (lower quartile of ${rounds})`, figures };
}

/** In megabytes, of a status call on the long bubble. */
function peakMemory({ repo }) {
  const script = `process.argv.splice(1,0,"x");process.on("exit",()=>process.stderr.write(String(process.resourceUsage().maxRSS)));require(${JSON.stringify(bin)})`;
  const argv = ["-e", script, "bubble", "status", "--id", "large", "--repo", repo, "--json"];
  const { stderr } = spawnSync(process.execPath, argv, { env: bareEnv, encoding: "utf8" });
  const mb = Number(stderr.trim()) / 1024;
  if (!(mb > 0)) throw new Error(`no peak memory: ${stderr}`);
  return mb;
}

export async function listing(lab, repo, rounds) {
  for (let n = 0; n < 1000; n++) await lab.write(repo, `list-${n}`, 12);
  const { list } = compareCpu(
    { list: () => ({ argv: [process.execPath, bin, "bubble", "list", "--repo", repo.repo, "--json"] }) },
    rounds,
  );
  return {
    title: "Listing",
    figures: [{ key: "list.cpu", value: list.ratio, note: `${list.ms.toFixed(0)} ms` }],
  };
}

export function folding(lab, repo) {
  return { title: "Folding", figures: [{ key: "folding", value: Math.round(lab.foldSpeed(repo, 100_000)) }] };
}
