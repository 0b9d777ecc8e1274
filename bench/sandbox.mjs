// What a sandbox costs a gate and a turn: the same program plain and confined, in turn, so that figures are ratios.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareEnv, median, timeOnce } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");

export async function sandbox(rounds) {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-sandbox-"));
  let driver;
  try {
    const [gate, turn] = [wordsFor(folder, "gate"), wordsFor(folder, "turn")];
    if (spawnSync(gate[0], [...gate.slice(1), "true"]).status !== 0)
      return { title: "Sandbox: bubblewrap does not work here", figures: [] };
    const node = [process.execPath, "-e", "0"];
    driver = await openDriver(folder);
    const times = { plain: [], gate: [], turn: [], pass: [] };
    for (let n = 0; n < rounds; n += 1) {
      times.plain.push(timeOnce(node));
      times.gate.push(timeOnce([...gate, ...node]));
      times.turn.push(timeOnce([...turn, ...node]));
      times.pass.push(driver.timePass());
    }
    const ratio = (name) => median(times[name]) / median(times.plain);
    const figures = ["gate", "turn", "pass"].map((name) => ({ key: `sandbox.${name}`, value: ratio(name) }));
    return { title: "Sandbox", figures };
  } finally {
    driver?.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** A driver that answers, and the time that a verb of one of its turns takes. */
export async function openDriver(folder) {
  const socket = join(folder, "s");
  const driver = spawn(process.execPath, [join(import.meta.dirname, "driver-socket.mjs"), socket]);
  await once(driver.stdout, "data");
  const verb = [process.execPath, bin, "pass", "--summary", "done"];
  const turn = { PAIRFLOW_TURN: "b1:t1.1:secret", PAIRFLOW_REPO: folder, PAIRFLOW_VERBS: socket };
  return {
    timePass: () => timeOnce(verb, { env: { ...bareEnv, ...turn } }),
    end: () => driver.kill(),
  };
}

/** As the adapter says it, with as many mounts as an ordinary gate or turn has. */
function wordsFor(folder, kind) {
  const shown = ["/usr/bin", "/usr/lib", "/etc"].flatMap((path) => ["--ro-bind", path, path]);
  return [
    ...["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...["--tmpfs", "/run", "--bind", folder, "/var/tmp", "--bind", folder, folder, ...shown],
    ...["--remount-ro", "/run", "--unshare-pid", "--unshare-ipc"],
    ...(kind === "gate" ? ["--unshare-net", "--die-with-parent"] : []),
    "--",
  ];
}
