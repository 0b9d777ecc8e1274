// Turns in tmux panes, against a real tmux on a socket of the test's own: the contract, and what people do to panes.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { buildAttachCommand, createTmuxSeats, type TmuxOptions } from "../../src/adapters/seat/tmux.ts";
import type { Processes } from "../../src/ports/system/process.ts";
import {
  buildSeatContract,
  buildTurnSpec,
  readTextOrEmpty,
  type SeatRig,
  waitUntil,
} from "../../src/testing/contracts/seat.ts";
import { runContract } from "./run-contract.ts";

const processes = createNodeProcesses();
const agents = ["codex", "claude"];
let rig: SeatRig;
let socket: string;
let env: Record<string, string>;

async function tmuxRig(): Promise<SeatRig> {
  const folder = mkdtempSync(join(tmpdir(), "pf-tmux-"));
  socket = basename(folder);
  // tmux leaves the file of its socket behind; so it stands in the folder that is removed.
  env = { PATH: process.env.PATH ?? "", HOME: folder, TMUX_TMPDIR: folder, GIVEN: "yes" };
  const again = () => createTmuxSeats(options());
  const close = async () => {
    for (const bubble of ["abc1", "abc12"]) await again().close(bubble);
    await tmux("kill-server");
    rmSync(folder, { recursive: true, force: true });
  };
  return { seats: again(), again, processes, folder, given: ["GIVEN", "yes"], close };
}

function options(more: Partial<TmuxOptions> = {}): TmuxOptions {
  const status = (bubble: string) => ["/bin/sh", "-c", `echo "status of ${bubble}"; exec sleep 300`];
  return { processes, socket, env, statusCommand: status, ...more };
}

const tmux = (...args: string[]) => processes.exec(["tmux", "-u", "-L", socket, ...args], { env });
const room = () => ({ cwd: rig.folder, agents, title: "A task" });

/** The panes of the bubble as people see them, from left to right and from top to bottom. */
async function panes(bubble = "abc1"): Promise<{ id: string; agent: string; pid: number; dead: string }[]> {
  const format = "#{pane_id} #{pane_pid} #{pane_dead} #{@pairflow_agent}";
  const { stdout } = await tmux("list-panes", "-s", "-t", `=pf-${bubble}:`, "-F", format);
  return stdout
    .trim()
    .split("\n")
    .map((line) => {
      const [id = "", pid = "", dead = "", agent = ""] = line.split(" ");
      return { id, agent, pid: Number(pid), dead };
    });
}

async function paneOf(agent: string) {
  const pane = (await panes()).find((one) => one.agent === agent);
  if (!pane) throw new Error(`no pane for ${agent}`);
  return pane;
}

const screen = async (agent: string) =>
  (await tmux("capture-pane", "-p", "-t", (await paneOf(agent)).id)).stdout;

runContract("tmux seats", buildSeatContract(tmuxRig));

describe("panes", () => {
  beforeEach(async () => {
    rig = await tmuxRig();
  });
  afterEach(() => rig.close());

  test("the room has the status on top and a pane an agent below, in the given order", async () => {
    await rig.seats.open("abc1", room());
    expect((await panes()).map((pane) => pane.agent)).toEqual(["-", "codex", "claude"]);
    const { stdout } = await tmux(
      ...["list-panes", "-s", "-t", "=pf-abc1:"],
      ...["-F", "#{pane_top} #{pane_left} #{pane_width} #{pane_title}"],
    );
    expect(stdout.trim().split("\n")).toEqual(["1 0 200 status", "16 0 99 codex", "16 100 100 claude"]);
    await waitUntil("the status runs", async () => (await screen("-")).includes("status of abc1"));
    await waitUntil("agents wait", async () =>
      (await screen("codex")).includes("codex: waiting for its turn"),
    );
    expect((await tmux("show-options", "-gv", "history-limit")).stdout.trim()).toBe("50000");
  });

  test("opening what stands already changes nothing", async () => {
    await rig.seats.open("abc1", room());
    await rig.seats.start(buildTurnSpec(rig, "sleep 300"));
    // An empty pane's own program has nothing to do and ends a moment later.
    await waitUntil("the empty pane is at rest", async () => (await paneOf("claude")).dead === "1");
    const before = await panes();
    await rig.again().open("abc1", room());
    expect(await panes()).toEqual(before);
  });

  test("two who open the same room at once build it once", async () => {
    await Promise.all([rig.seats.open("abc1", room()), rig.again().open("abc1", room())]);
    expect((await panes()).map((pane) => pane.agent)).toEqual(["-", "codex", "claude"]);
  });

  test("panes that a person closed come back in their place", async () => {
    await rig.seats.open("abc1", room());
    for (const agent of ["codex", "-"]) await tmux("kill-pane", "-t", (await paneOf(agent)).id);
    const seated = await rig.again().start(buildTurnSpec(rig, "sleep 300"));
    expect((await paneOf("codex")).pid).toBe(seated.pid);
    await tmux("kill-pane", "-t", (await paneOf("codex")).id);
    await rig.seats.open("abc1", room());
    expect((await panes()).map((pane) => pane.agent)).toEqual(["-", "codex", "claude"]);
    await waitUntil("the status runs", async () => (await screen("-")).includes("status of abc1"));
  });

  test("a killed tmux server is built again by open, and by start where the room is remembered", async () => {
    await rig.seats.open("abc1", room());
    await tmux("kill-server");
    expect(await rig.seats.isOpen("abc1")).toBe(false);
    const spec = buildTurnSpec(rig, "echo again; sleep 300");
    await expect(rig.again().start(spec)).rejects.toMatchObject({ code: "tmux.closed" });
    const seated = await rig.seats.start(spec);
    expect(await rig.seats.alive(seated)).toBe(true);
    await tmux("kill-server");
    await rig.again().open("abc1", room());
    expect((await panes()).map((pane) => pane.agent)).toEqual(["-", "codex", "claude"]);
    expect(await rig.seats.alive(seated)).toBe(false);
  });

  test("a status process that dies is started again, soon at first and then with patience", async () => {
    await rig.seats.open("abc1", room());
    const seen = new Set<number>();
    for (let death = 1; death <= 3; death += 1) {
      const { pid } = await paneOf("-");
      seen.add(pid);
      process.kill(pid, "SIGKILL");
      await waitUntil("a new status process", async () => !seen.has((await paneOf("-")).pid));
    }
    process.kill((await paneOf("-")).pid, "SIGKILL");
    const deaths = async () =>
      (await tmux("show-options", "-pqv", "-t", (await paneOf("-")).id, "@pairflow_deaths")).stdout.trim();
    await waitUntil("the fourth death is counted", async () => (await deaths()) === "4");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await paneOf("-")).dead).toBe("1");
    await rig.again().open("abc1", room());
    expect((await paneOf("-")).dead).toBe("0");
  });

  test("typing in a pane by hand does no harm to the next turn", async () => {
    await rig.seats.open("abc1", room());
    const type = async () => {
      await tmux("send-keys", "-t", (await paneOf("codex")).id, "echo typed by hand", "Enter");
      await tmux("copy-mode", "-t", (await paneOf("codex")).id);
    };
    await type();
    await rig.seats.start(buildTurnSpec(rig, "sleep 300"));
    await type();
    const next = buildTurnSpec(rig, "read line; echo heard $line", { turn: "t2" });
    await rig.seats.start(next);
    expect(await rig.seats.deliver("abc1", "codex", "hello")).toBe("sent");
    await waitUntil("it heard the notice alone", () => readTextOrEmpty(next.output).includes("heard hello"));
    expect(readTextOrEmpty(next.output)).not.toContain("typed");
  });

  test("a notice leaves copy mode first and stays one line", async () => {
    await rig.seats.open("abc1", room());
    const spec = buildTurnSpec(rig, "while read line; do echo heard $line.; done");
    await rig.seats.start(spec);
    await tmux("copy-mode", "-t", (await paneOf("codex")).id);
    expect(await rig.seats.deliver("abc1", "codex", "one\ntwo\u001b[201~three\n")).toBe("sent");
    await waitUntil("it is heard", () => readTextOrEmpty(spec.output).includes("heard one two [201~three."));
  });

  test("words and folders arrive as they are, whatever stands in them", async () => {
    const cwd = join(rig.folder, "a #{pane_id} %H 'quoted' folder;");
    mkdirSync(cwd);
    const words = ["", "it's", '"', "a;b", ";", "#{pane_id}", "$HOME `id`", "\\n", "line\n  two", "~", "ü"];
    await rig.seats.open("abc1", { ...room(), title: "A #{pane_id} #[fg=red] title\n" });
    const show = 'printf "in %s\n" "$PWD"; printf "<%s>" "$@"; echo done';
    const argv = ["/bin/sh", "-c", show, "sh", ...words];
    const spec = buildTurnSpec(rig, "", { argv, cwd, output: join(cwd, "logs", "out.log") });
    await rig.seats.start(spec);
    await waitUntil("it prints", () => readTextOrEmpty(spec.output).includes("done"));
    const printed = readTextOrEmpty(spec.output).replaceAll("\r\n", "\n");
    expect(printed).toBe(`in ${cwd}\n${words.map((word) => `<${word}>`).join("")}done\n`);
  });

  test("a pane shows how its turn ended, and each turn has an output of its own", async () => {
    await rig.seats.open("abc1", room());
    const first = buildTurnSpec(rig, "echo first; exit 7");
    const seated = await rig.seats.start(first);
    await waitUntil("the turn ends", async () => !(await rig.seats.alive(seated)));
    await waitUntil("the pane says so", async () => (await screen("codex")).includes("ended with 7"));
    const second = buildTurnSpec(rig, "echo second", { turn: "t2" });
    await rig.seats.start(second);
    await waitUntil("the second speaks", () => readTextOrEmpty(second.output).includes("second"));
    expect(readTextOrEmpty(first.output)).toBe("first\r\n");
  });

  test("no variable and no word of a turn stands on tmux's command line", async () => {
    const calls: string[] = [];
    const watched: Processes = {
      ...processes,
      exec: (argv, more) => {
        calls.push(argv.join(" "));
        return processes.exec(argv, more);
      },
    };
    const seats = createTmuxSeats(options({ processes: watched }));
    await seats.open("abc1", room());
    await seats.start(buildTurnSpec(rig, "cat # a-word", { env: { PAIRFLOW_TURN: "s3cret" } }));
    expect(await seats.deliver("abc1", "codex", "a-notice")).toBe("sent");
    expect(calls.filter((call) => /s3cret|a-word|a-notice/.test(call))).toEqual([]);
  });

  test("a pane shows nothing of the shell that attached", async () => {
    await rig.seats.open("abc1", room());
    const shell = { ...env, TERM: "xterm", SSH_AUTH_SOCK: "/of/the/person", DISPLAY: ":7" };
    const attach = buildAttachCommand(socket, "abc1").join(" ");
    // `script` gives the client the terminal it needs; it detaches at once.
    const detach = `sleep 0.5; tmux -L ${socket} detach-client -s =pf-abc1`;
    await processes.exec(["/bin/sh", "-c", `(${detach}) & script -qec "${attach}" /dev/null; wait`], {
      env: shell,
    });
    const spec = buildTurnSpec(rig, "env; echo done");
    await rig.seats.start(spec);
    await waitUntil("it prints", () => readTextOrEmpty(spec.output).includes("done"));
    expect(readTextOrEmpty(spec.output)).not.toMatch(/SSH_AUTH_SOCK|DISPLAY/);
  });

  test("without tmux, opening says how to continue and closing is harmless", async () => {
    const seats = createTmuxSeats(options({ env: { ...env, PATH: rig.folder } }));
    await expect(seats.open("abc1", room())).rejects.toMatchObject({
      code: "tmux.not-found",
      hint: expect.stringContaining("--headless"),
    });
    await seats.close("abc1");
    expect(await seats.isOpen("abc1")).toBe(false);
  });

  test("a turn in a folder that is gone is a failure, not a turn somewhere else", async () => {
    await rig.seats.open("abc1", room());
    const spec = buildTurnSpec(rig, "sleep 300", { cwd: join(rig.folder, "gone") });
    await expect(rig.seats.start(spec)).rejects.toMatchObject({ code: "process.no-folder" });
  });
});
