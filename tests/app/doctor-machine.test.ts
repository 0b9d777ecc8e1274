// Single judgements of the doctor: room on the disk, who can read keys, what a sandbox needs, what a server offers.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkSandboxes } from "../../src/app/doctor/agents/sandbox.ts";
import { checkSpace } from "../../src/app/doctor/disk/file-system.ts";
import { checkKeys } from "../../src/app/doctor/keys.ts";
import { checkGit, checkTmux } from "../../src/app/doctor/machine.ts";
import { listToolNames } from "../../src/app/doctor/own-command.ts";
import { checkRepository } from "../../src/app/doctor/repository.ts";
import { findVersion, isOlder } from "../../src/app/host/check.ts";
import { findProgram, installLine } from "../../src/app/host/programs.ts";
import { getUserFile } from "../../src/app/host/user-folder.ts";
import { quoteShellWord } from "../../src/core/model/value/shell-word.ts";
import { type Bench, openBench, probing, wanting } from "./doctor-rig.ts";

let bench: Bench;
beforeEach(() => {
  bench = openBench();
  // Only programs of the test, and a shell to run them.
  vi.stubEnv("PATH", bench.bin);
});
afterEach(() => {
  vi.unstubAllEnvs();
  bench.close();
});

describe("programs", () => {
  it("are files that may be run, found in the order of the PATH", () => {
    mkdirSync(join(bench.bin, "singer"));
    writeFileSync(join(bench.folder, "singer"), "", { mode: 0o644 });
    const path = [bench.bin, bench.folder, bench.repo].join(":");
    expect(findProgram("singer", "/", path)).toBeUndefined();
    const found = bench.program("singer", "exit 0", bench.repo);
    expect(findProgram("singer", "/", path)).toBe(found);
    expect(findProgram("./singer", bench.repo, "")).toBe(found);
  });

  it("are installed with the package manager that is here", () => {
    expect(installLine("tmux")).toBe("sudo apt-get install -y tmux");
    bench.program("dnf", "exit 0");
    expect(installLine("bubblewrap", "socat")).toBe("sudo dnf install -y bubblewrap socat");
  });
});

describe("git", () => {
  it("that is too old, missing or hangs is an error with the line that installs it", async () => {
    const fix = "sudo apt-get install -y git";
    expect(await checkGit()).toMatchObject({
      status: "error",
      says: "not installed, or not on the PATH",
      fix,
    });
    bench.program("git", 'echo "git version 2.20.1"');
    expect(await checkGit()).toMatchObject({
      status: "error",
      says: "2.20.1 is too old; 2.38 is needed",
      fix,
    });
    bench.program("git", "exec /bin/sleep 300");
    expect(await checkGit()).toMatchObject({
      status: "error",
      says: "git --version did not end in 5 s",
      fix,
    });
  });

  it("that refuses a stranger's repository says how to trust it, and is asked nothing more", async () => {
    bench.program(
      "git",
      `echo "fatal: detected dubious ownership in repository at '${bench.repo}'" >&2; exit 128`,
    );
    expect(await checkRepository(bench.repo)).toEqual([
      {
        name: "repository",
        status: "error",
        says: `${bench.repo} belongs to another user, so git refuses to work in it`,
        fix: `git config --global --add safe.directory ${bench.repo}`,
      },
    ]);
  });
});

describe("tmux", () => {
  it("that is missing or old stops nobody", async () => {
    expect(await checkTmux(undefined)).toMatchObject({
      status: "warning",
      says: "not installed, or not on the PATH; without it: pairflow bubble start --headless",
      fix: "sudo apt-get install -y tmux",
    });
    bench.program("tmux", 'echo "tmux 2.9a"');
    expect(await checkTmux(undefined)).toMatchObject({
      status: "warning",
      says: expect.stringContaining("2.9a is too old; 3.2 is needed"),
    });
  });

  it("that cannot open a pane is a warning in its own words", async () => {
    bench.program(
      "tmux",
      'case "$*" in -V) echo "tmux 3.3a";; *) echo "error creating /tmp/tmux-1/x (Permission denied)" >&2; exit 1;; esac',
    );
    expect(await checkTmux(undefined)).toMatchObject({
      status: "warning",
      says: "it cannot open a pane: error creating /tmp/tmux-1/x (Permission denied)",
      fix: expect.stringMatching(/^tmux -L pairflow-doctor-\d+ /),
    });
  });

  it("whose server of this repository speaks another version is named with the line that ends it", async () => {
    bench.program(
      "tmux",
      'case "$*" in -V) echo "tmux 3.3a";; *new-session*) echo "/none/$3";; *) echo "protocol version mismatch" >&2; exit 1;; esac',
    );
    vi.stubEnv("PAIRFLOW_TMUX_SOCKET", "of-the-shop");
    expect(await checkTmux(bench.repo)).toMatchObject({
      status: "warning",
      says: "the server with this repository's panes does not answer: protocol version mismatch",
      fix: "tmux -L of-the-shop kill-server",
    });
  });
});

describe("the sandbox of claude", () => {
  const look = (agent: string, platform: NodeJS.Platform = "linux", settings: object = {}) => {
    const probe = { program: bench.program(agent, "exit 0"), versionArgs: [], install: "x" };
    const wanted = { ...wanting(agent), settings: { adapter: agent, ...settings } };
    return checkSandboxes(bench.repo, [wanted], { [agent]: probing(agent, probe) }, platform);
  };

  it("needs two packages, and says how to get those that are missing", async () => {
    expect(await look("claude")).toMatchObject([
      {
        name: "sandbox claude",
        status: "warning",
        says: "the commands of claude are not confined without bubblewrap and socat",
        fix: "sudo apt-get install -y bubblewrap socat",
      },
    ]);
    bench.program("bwrap", "exit 0");
    expect(await look("claude")).toMatchObject([{ fix: "sudo apt-get install -y socat" }]);
    bench.program("socat", "exit 0");
    expect(await look("claude")).toMatchObject([{ status: "ok", says: "bubblewrap and socat" }]);
  });

  it("is tried, for many systems forbid it, and then no turn would start", async () => {
    bench.program("socat", "exit 0");
    bench.program("bwrap", 'echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
    expect(await look("claude")).toMatchObject([
      {
        status: "error",
        says: "bubblewrap cannot make a sandbox for claude here: bwrap: setting up uid map: Permission denied",
        fix: expect.stringMatching(/^sudo /),
      },
    ]);
  });

  it("is nothing to others, to whom switched it off, nor on systems that have their own", async () => {
    expect(await look("claude", "linux", { sandbox: "off" })).toEqual([]);
    expect(await look("codex")).toEqual([]);
    expect(await look("claude", "darwin")).toEqual([]);
  });
});

describe("operator keys", () => {
  const place = (path: string, mode: number): string => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "x");
    chmodSync(path, mode);
    return path;
  };
  const list = () => getUserFile("operator-keys", bench.repo, { HOME: bench.folder });
  const key = () => join(bench.folder, ".config", "pairflow", "operator.key");

  it("are no subject where there are none", () => {
    expect(checkKeys(bench.repo, bench.folder)).toEqual([]);
  });

  it("are well when nobody else can read or add one", () => {
    place(list(), 0o600);
    place(key(), 0o600);
    expect(checkKeys(bench.repo, bench.folder)).toMatchObject([{ status: "ok" }]);
  });

  it("in a list of the repository itself do not count, and that is said", () => {
    place(join(bench.repo, ".pairflow", "runtime", "operator-keys"), 0o600);
    expect(checkKeys(bench.repo, bench.folder)).toMatchObject([
      { status: "warning", says: expect.stringContaining("is not read any more") },
    ]);
  });

  it("that others can read, and a list that others can write, are errors", () => {
    place(list(), 0o664);
    place(key(), 0o640);
    expect(checkKeys(bench.repo, bench.folder)).toMatchObject([
      { status: "error", fix: `chmod 600 ${list()}` },
      { status: "error", fix: `chmod 600 ${key()}` },
    ]);
  });
});

it("judges the room on the disk", () => {
  const megabytes = (number: number) => checkSpace("/srv/my shop", number * 1024 * 1024);
  expect(megabytes(50_000)).toEqual({ name: "space", status: "ok", says: "48 GB are free" });
  expect(megabytes(2_000)).toMatchObject({ status: "ok", says: "2000 MB are free" });
  expect(megabytes(600)).toMatchObject({ status: "warning", says: "only 600 MB are free" });
  expect(megabytes(60)).toMatchObject({
    status: "error",
    fix: "du -xh -d 2 '/srv/my shop' | sort -h | tail",
  });
  expect(checkSpace("/", undefined)).toMatchObject({ status: "ok" });
});

it("reads the tools out of what a server says, whatever else it prints", () => {
  const answer = { jsonrpc: "2.0", id: 2, result: { tools: [{ name: "pass" }, { name: "ask_human" }] } };
  expect(listToolNames(`starting\n{"id":1,"result":{}}\n${JSON.stringify(answer)}\n`)).toEqual([
    "pass",
    "ask_human",
  ]);
  expect(listToolNames('{"id":2,"error":{"code":-1}}\n')).toEqual([]);
});

it("compares versions by their numbers", () => {
  expect(isOlder("2.1.99", "2.1.197")).toBe(true);
  expect(isOlder("2.1.197", "2.1.197")).toBe(false);
  expect(isOlder("2.2", "2.1.197")).toBe(false);
  expect(isOlder("2.1", "2.1.1")).toBe(true);
  expect(isOlder("3.3a", "3.3")).toBe(false);
  expect(isOlder("0.166.0-alpha.2", "0.166.0")).toBe(false);
  expect(findVersion("codex-cli 0.166.0")).toBe("0.166.0");
  expect(findVersion("no number")).toBeUndefined();
});

it("quotes what a shell would take apart", () => {
  expect(quoteShellWord("/srv/shop-2/a_b.c")).toBe("/srv/shop-2/a_b.c");
  expect(quoteShellWord("/srv/my shop")).toBe("'/srv/my shop'");
  expect(quoteShellWord("it's")).toBe("'it'\\''s'");
  expect(quoteShellWord("$(x)")).toBe("'$(x)'");
});
