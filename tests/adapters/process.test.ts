// The promises of the process port, on real processes of this machine.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { execWaiting } from "../../src/adapters/process/exec.ts";
import { createNodeProcesses, isWordMissing } from "../../src/adapters/process/node.ts";
import { outputLimits } from "../../src/adapters/process/pump.ts";
import { parsePs } from "../../src/adapters/process/table.ts";
import type { RunSpec } from "../../src/ports/system/process.ts";

const folder = mkdtempSync(join(tmpdir(), "pairflow-process-"));
const processes = createNodeProcesses();
const env = { PATH: process.env.PATH ?? "" };
let count = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function spec(command: string, more: Partial<RunSpec> = {}): RunSpec {
  count += 1;
  const output = join(folder, `${count}.txt`);
  return {
    command,
    cwd: folder,
    env,
    timeoutMs: 10_000,
    output,
    work: `t${process.pid}-${count}.1`,
    ...more,
  };
}

const shell = (command: string) => ["/bin/sh", "-c", command];

async function until<T>(look: () => T | Promise<T>): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    await sleep(10);
  }
}

/** Waits for a pid that a command writes into its output. */
const pidIn = (file: string) =>
  until(() => (existsSync(file) ? Number(/pid (\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0) : 0));

describe("P1 a command runs in its own process group; at its time limit the whole group ends", () => {
  it("reports the exit code and keeps both streams in order", async () => {
    const one = spec("echo out; echo err >&2; exit 3");
    expect(await processes.run(one)).toMatchObject({ status: "exited", exitCode: 3 });
    expect(readFileSync(one.output, "utf8")).toBe("out\nerr\n");
  });

  it("leads a group of its own", async () => {
    const one = spec("cut -d' ' -f1,5 /proc/self/stat > group; echo $$ >> group");
    await processes.run(one);
    const [stat, shellPid] = readFileSync(join(folder, "group"), "utf8").trim().split("\n");
    expect(stat?.split(" ")[1]).toBe(shellPid);
  });

  it("ends grandchildren at the limit, one that left the group and cleared nothing too", async () => {
    const one = spec("sleep 60 & setsid sleep 61 & (sleep 62; echo never) ; echo never", { timeoutMs: 150 });
    expect(await processes.run(one)).toMatchObject({ status: "timeout", exitCode: null });
    expect(await processes.find(one.work)).toEqual([]);
    expect(readFileSync(one.output, "utf8")).toBe("");
  });

  it("kills after two seconds what ignores the polite signal", async () => {
    const one = spec("trap '' TERM; echo pid $$; while :; do sleep 0.1; done", { timeoutMs: 600 });
    const result = await processes.run(one);
    expect(result.status).toBe("timeout");
    expect(result.durationMs).toBeGreaterThan(2000);
    expect(processes.alive(await pidIn(one.output))).toBe(false);
  });

  it("ends a group member that cleared its environment", async () => {
    const one = spec("env -i /bin/sh -c 'echo pid $$; exec sleep 60'", { timeoutMs: 600 });
    await processes.run(one);
    expect(processes.alive(await pidIn(one.output))).toBe(false);
  });

  it("ends at once when the caller gives up", async () => {
    const giveUp = new AbortController();
    setTimeout(() => giveUp.abort(), 50);
    const result = await processes.run(spec("sleep 60", { signal: giveUp.signal }));
    expect(result).toMatchObject({ status: "aborted", exitCode: null });
    expect(result.durationMs).toBeLessThan(2000);
    expect(await processes.run(spec("echo no", { signal: giveUp.signal }))).toMatchObject({
      status: "aborted",
    });
    // Given up while it is being started.
    const early = new AbortController();
    const starting = processes.run(spec("sleep 60", { signal: early.signal }));
    early.abort();
    expect(await starting).toMatchObject({ status: "aborted", exitCode: null });
  });

  it("gives exactly the environment it was told, plus the marker, and no input", async () => {
    const one = spec("cat; env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= -e ^OLDPWD= | sort", {
      env: { PATH: "/usr/bin:/bin", A: "1" },
    });
    await processes.run(one);
    expect(readFileSync(one.output, "utf8")).toBe(`A=1\nPAIRFLOW_WORK=${one.work}\nPATH=/usr/bin:/bin\n`);
  });
});

describe("P2 output is in the file even if the caller dies", () => {
  const script = join(folder, "caller.mjs");
  beforeAll(() => {
    const source = resolve(import.meta.dirname, "../../src/adapters/process/node.ts");
    buildSync({
      stdin: {
        contents: `import { createNodeProcesses } from ${JSON.stringify(source)};
          const { cwd, env, output, work } = JSON.parse(process.argv[2]);
          const argv = ["/bin/sh", "-c", "cat; sleep 0.3; echo finished"];
          await createNodeProcesses().spawn({ argv, cwd, env, output, work, stdin: "given\\n" });
          process.kill(process.pid, "SIGKILL");`,
        resolveDir: folder,
      },
      bundle: true,
      platform: "node",
      format: "esm",
      outfile: script,
    });
  });

  it("though the caller was killed right after the start", async () => {
    const one = spec("");
    const caller = spawnSync(process.execPath, [script, JSON.stringify(one)], { encoding: "utf8" });
    expect(caller.signal).toBe("SIGKILL");
    expect(await processes.find(one.work)).not.toEqual([]);
    await until(() => readFileSync(one.output, "utf8").includes("finished"));
    expect(readFileSync(one.output, "utf8")).toBe("given\nfinished\n");
  });

  it("and appends to what is there", async () => {
    const one = spec("echo second");
    writeFileSync(one.output, "first\n");
    await processes.run(one);
    expect(readFileSync(one.output, "utf8")).toBe("first\nsecond\n");
  });
});

describe("P5 what a run prints takes a few MiB on disk at most", () => {
  const size = (file: string) => statSync(file).size;

  it("though it prints without end, and it is not ended for it", async () => {
    const one = spec("yes 0123456789012345678901234567890123456789 | head -c 300000000; echo last words");
    const running = processes.run(one);
    let largest = 0;
    const looking = setInterval(() => (largest = Math.max(largest, size(one.output))), 5);
    expect(await running).toMatchObject({ status: "exited", exitCode: 0 });
    clearInterval(looking);
    expect(largest).toBeLessThan(outputLimits.most + 1024 * 1024);
    const text = readFileSync(one.output, "utf8");
    expect(text.startsWith("0123456789")).toBe(true);
    expect(text.endsWith("last words\n")).toBe(true);
    const [, left] = /\n\[… (\d+) bytes left out: /.exec(text) ?? [];
    const mark = Buffer.byteLength(/\n\[… .* …\]\n/.exec(text)?.[0] ?? "");
    expect(Number(left) + Buffer.byteLength(text) - mark).toBe(300_000_000 + "last words\n".length);
  });

  it("and no secret is halved by a cut: lines are kept whole, and so are keys", async () => {
    const line = "token=npm_abcdefghijklmnopqrstuvwxyz0123456789";
    const one = spec(`yes '${line}' | head -c 9000000`);
    await processes.run(one);
    const kept = readFileSync(one.output, "utf8")
      .split("\n")
      .filter((text) => text !== "" && !text.startsWith("[…"));
    // The last line is cut by the command itself.
    expect(new Set(kept.slice(0, -1))).toEqual(new Set([line]));
    const long = spec("head -c 9000000 /dev/zero | tr '\\0' x");
    await processes.run(long);
    expect(readFileSync(long.output, "utf8")).not.toContain("xx");
  });

  it("and is whole where it is short, whoever still holds the pipe", async () => {
    const one = spec("echo first; sleep 5 & echo second");
    expect(await processes.run(one)).toMatchObject({ status: "exited", exitCode: 0 });
    expect(readFileSync(one.output, "utf8")).toBe("first\nsecond\n");
    await processes.end(one.work);
    const slow = spec("for i in 1 2 3 4; do echo $i; sleep 0.1; done");
    await processes.run(slow);
    expect(readFileSync(slow.output, "utf8")).toBe("1\n2\n3\n4\n");
  });

  it("and a device of the shell's own works as in a file", async () => {
    const one = spec("echo to stdout > /dev/stdout; echo to stderr > /dev/stderr");
    expect(await processes.run(one)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(one.output, "utf8")).toBe("to stdout\nto stderr\n");
  });
});

describe("P3 a living process is found by its work marker, after reparenting too", () => {
  it("finds a daemon whose parents are gone, and only under its exact name", async () => {
    const one = spec("(setsid sleep 60 &) ; exit 0");
    await processes.run(one);
    const [found] = await processes.find(one.work);
    expect(found).toMatchObject({ work: one.work });
    expect(processes.alive(found!.pid)).toBe(true);
    expect(await processes.find(one.work.slice(0, -1))).toEqual([]);
    expect(await processes.find(`${one.work}0`)).toEqual([]);
    await processes.end(one.work);
  });

  it("finds one that is just becoming another program", async () => {
    for (let nr = 0; nr < 40; nr++) {
      const one = spec("(setsid sleep 60 &) ; exit 0");
      await processes.run(one);
      expect(await processes.find(one.work)).toHaveLength(1);
      await processes.end(one.work);
    }
  });

  it("does not take a zombie for a living process", async () => {
    const one = spec("sleep 0.01 & echo pid $!; exec sleep 60");
    const { pid } = await processes.spawn({ ...one, argv: shell(one.command) });
    const zombie = await pidIn(one.output);
    await until(() => !processes.alive(zombie));
    expect(readFileSync(`/proc/${zombie}/stat`, "utf8")).toContain(") Z ");
    expect(await processes.find(one.work)).toEqual([{ pid, work: one.work }]);
    await processes.end(one.work);
    expect(processes.alive(pid)).toBe(false);
  });

  it("reads the same from ps where there is no /proc", () => {
    const text =
      " 12 10 S+ sleep 5 A=1 PAIRFLOW_WORK=t3.1 B=2\n 13 10 Z (sh)\n14 14 Ss sh XPAIRFLOW_WORK=t4.1\n";
    expect(parsePs(text)).toEqual([
      { pid: 12, group: 10, work: "t3.1" },
      { pid: 14, group: 14, work: undefined },
    ]);
  });
});

describe("P4 end() ends the group and everything that carries the marker, and returns when it is gone", () => {
  it("ends all of one work and nothing of another", async () => {
    const one = spec("sleep 60 & setsid sleep 61 & env -i sleep 62");
    const other = spec("sleep 63");
    const [mine, theirs] = await Promise.all(
      [one, other].map((each) => processes.spawn({ ...each, argv: shell(each.command) })),
    );
    await until(async () => (await processes.find(one.work)).length >= 3);
    await processes.end(one.work);
    expect(await processes.find(one.work)).toEqual([]);
    expect(processes.alive(mine!.pid)).toBe(false);
    expect(processes.alive(theirs!.pid)).toBe(true);
    await processes.end(other.work);
  });

  it("spares the group of a stranger in which a marked process runs", async () => {
    const one = spec(`PAIRFLOW_WORK=inner${process.pid}.1 sleep 60 & exec sleep 61`);
    const { pid } = await processes.spawn({ ...one, argv: shell(one.command) });
    await until(async () => (await processes.find(`inner${process.pid}.1`)).length === 1);
    await processes.end(`inner${process.pid}.1`);
    expect(processes.alive(pid)).toBe(true);
    await processes.end(one.work);
  });

  it("ends every work whose marker begins with a name that ends in a star", async () => {
    const [one, two, other] = ["x/gate-a.1", "x/gate-b.1", "x/turn.1"].map((name) =>
      spec("sleep 60", { work: `${process.pid}${name}` }),
    );
    for (const each of [one!, two!, other!]) await processes.spawn({ ...each, argv: ["sleep", "60"] });
    const all = `${process.pid}x/gate-*`;
    expect((await processes.find(all)).map(({ work }) => work).sort()).toEqual([one!.work, two!.work]);
    await processes.end(all);
    expect(await processes.find(all)).toEqual([]);
    expect(await processes.find(other!.work)).toHaveLength(1);
    await processes.end(other!.work);
  });

  it("is content when there is nothing to end", async () => {
    await processes.end("nobody.1");
  });
});

describe("a missing tool", () => {
  it("is its own outcome of a command", async () => {
    const run = (command: string) => processes.run(spec(command));
    expect(await run("no-such-tool --check")).toMatchObject({ status: "not-found", exitCode: 127 });
    expect(await run("cd . && no-such-tool")).toMatchObject({ status: "not-found" });
    expect(await run("exit 127")).toMatchObject({ status: "exited", exitCode: 127 });
    expect(await run("sh -c deeper-tool-$((1+1))")).toMatchObject({ status: "exited", exitCode: 127 });
  });

  it("is read from every shell's wording", () => {
    expect(isWordMissing("foo x", "sh: 1: foo: not found\n")).toBe(true);
    expect(isWordMissing("foo x", "/bin/sh: line 1: foo: command not found\n")).toBe(true);
    expect(isWordMissing('cd a && "foo"', "sh: foo: command not found\n")).toBe(true);
    expect(isWordMissing("npm test", "sh: 1: vitest: not found\n")).toBe(false);
    expect(isWordMissing("foo x", "module foo: not found\n")).toBe(false);
  });

  it("is a failure of exec and of spawn", async () => {
    await expect(processes.exec(["no-such-tool"])).rejects.toMatchObject({ code: "process.not-found" });
    await expect(processes.exec(["true"], { cwd: "/no/such" })).rejects.toMatchObject({
      code: "process.no-folder",
    });
    const { command: _, ...rest } = spec("");
    await expect(processes.spawn({ ...rest, argv: ["no-such-tool"] })).rejects.toMatchObject({
      code: "process.not-found",
    });
  });
});

describe.each([
  ["exec", processes.exec],
  ["exec that waits", execWaiting],
] as const)("%s", (_, run) => {
  it("collects both streams, hands over input and inherits nothing", async () => {
    const result = await run(shell("cat; echo oops >&2; env | cut -d= -f1 | sort; exit 4"), {
      input: "in\n",
    });
    expect(result).toMatchObject({ code: 4, stderr: "oops\n" });
    const names = result.stdout
      .split("\n")
      .filter((name) => name && !["_", "SHLVL", "OLDPWD"].includes(name));
    expect(names).toEqual(["in", "HOME", "LANG", "PATH", "PWD"]);
  });

  it("ends at its time limit and at its size limit", async () => {
    await expect(run(["sleep", "60"], { timeoutMs: 50 })).rejects.toMatchObject({
      code: "process.timeout",
      retryable: true,
    });
    await expect(run(["yes"], { maxBytes: 1000 })).rejects.toMatchObject({
      code: "process.too-much-output",
    });
  });

  it("tells a missing program from a missing folder, and a death by signal has a code", async () => {
    await expect(run(["no-such-tool"])).rejects.toMatchObject({ code: "process.not-found" });
    await expect(run(["true"], { cwd: "/no/such" })).rejects.toMatchObject({ code: "process.no-folder" });
    expect(await run(shell("kill -9 $$"))).toMatchObject({ code: 128 });
  });

  it("keeps bytes that are no text, and takes a program that reads nothing", async () => {
    const found = await run(shell("printf '\\377\\000a'"), { encoding: "latin1" });
    expect(found.stdout).toBe("\u00ff\0a");
    expect(await run(["true"], { input: "x".repeat(1_000_000) })).toMatchObject({ code: 0 });
  });
});

describe("exec", () => {
  it("ends the whole group at its time limit", async () => {
    await expect(processes.exec(shell("sleep 60 & sleep 60"), { timeoutMs: 50 })).rejects.toMatchObject({
      code: "process.timeout",
    });
  });

  it("does not wait for a daemon that keeps its pipes", async () => {
    const result = await processes.exec(shell("echo started; sleep 5 &"));
    expect(result).toMatchObject({ code: 0, stdout: "started\n" });
  });

  it("survives a program that does not read its input", async () => {
    const input = "x".repeat(1_000_000);
    expect(await processes.exec(["true"], { input })).toMatchObject({ code: 0 });
  });
});
