// What a sandbox costs a gate and a turn: the same program plain and confined, in turn, so that figures are ratios.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bareEnv, median, report, timeOnce } from "./measure.mjs";

const bin = join(import.meta.dirname, "..", "bin", "pairflow");

const rounds = 20;
const limit = 2;

export async function sandbox() {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-bench-sandbox-"));
  let driver;
  try {
    const [gate, turn] = [wordsFor(folder, "gate"), wordsFor(folder, "turn")];
    if (spawnSync(gate[0], [...gate.slice(1), "true"]).status !== 0)
      return report("sandbox", [{ what: "bubblewrap does not work here", figure: "–" }]);
    const node = [process.execPath, "-e", "0"];
    const socket = join(folder, "s");
    driver = spawn(process.execPath, [join(import.meta.dirname, "driver-socket.mjs"), socket]);
    await once(driver.stdout, "data");
    const verb = [process.execPath, bin, "pass", "--summary", "done"];
    const env = {
      ...bareEnv,
      PAIRFLOW_TURN: "b1:t1.1:secret",
      PAIRFLOW_REPO: folder,
      PAIRFLOW_VERBS: socket,
    };
    const times = { plain: [], gate: [], turn: [], "pass by the socket": [] };
    for (let n = 0; n < rounds; n += 1) {
      times.plain.push(timeOnce(node));
      times.gate.push(timeOnce([...gate, ...node]));
      times.turn.push(timeOnce([...turn, ...node]));
      times["pass by the socket"].push(timeOnce(verb, { env }));
    }
    return report(
      "a sandbox around node -e 0, and a verb inside one, against node -e 0",
      Object.keys(times)
        .slice(1)
        .map((name) => {
          const ratio = median(times[name]) / median(times.plain);
          return { what: name, figure: `${ratio.toFixed(2)} x`, limit: `${limit} x`, ok: ratio <= limit };
        }),
    );
  } finally {
    driver?.kill();
    rmSync(folder, { recursive: true, force: true });
  }
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
