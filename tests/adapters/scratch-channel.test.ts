// Lines sent to a process through a named pipe: each once, whole and in order, whoever drives.
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createFileScratch } from "../../src/adapters/scratch/file.ts";

const folder = mkdtempSync(join(tmpdir(), "pairflow-channel-"));
const scratch = createFileScratch();
const processes = createNodeProcesses();
const opened: number[] = [];
let count = 0;

afterEach(() => {
  for (const fd of opened.splice(0)) closeSync(fd);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fresh(): string {
  count += 1;
  return join(folder, `${count}.log`);
}

/** A turn's output with its pipe, and a reader that holds the other end. */
async function piped(): Promise<{ output: string; read(bytes: number): string; unread(): string }> {
  const output = fresh();
  await processes.pipe(`${output}.in`);
  const fd = openSync(`${output}.in`, constants.O_RDWR | constants.O_NONBLOCK);
  opened.push(fd);
  const read = (bytes: number) => {
    const chunk = Buffer.alloc(bytes);
    try {
      return chunk.toString("latin1", 0, readSync(fd, chunk, 0, bytes, null));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") return "";
      throw error;
    }
  };
  return { output, read, unread: () => read(60_000) };
}

describe("a channel to a process", () => {
  it("sends lines in their order, each with its newline", async () => {
    const { output, unread } = await piped();
    const channel = scratch.channel(output);
    channel.send('{"a":1}');
    channel.send('{"b":2}');
    await channel.close();
    expect(unread()).toBe('{"a":1}\n{"b":2}\n');
  });

  it("never sends the same line twice", async () => {
    const { output, unread } = await piped();
    const channel = scratch.channel(output);
    for (const line of ["hello", "again", "hello", "again", "hello "]) channel.send(line);
    await channel.close();
    expect(unread()).toBe("hello\nagain\nhello \n");
  });

  it("never sends what an earlier driver has sent", async () => {
    const { output, unread } = await piped();
    const first = scratch.channel(output);
    first.send("begin");
    first.send("größer 中");
    await first.close();
    unread();
    const second = scratch.channel(output);
    for (const line of ["begin", "größer 中", "new"]) second.send(line);
    await second.close();
    expect(unread()).toBe("new\n");
  });

  it("has written a line down before the process can have read it", async () => {
    const { output } = await piped();
    const channel = scratch.channel(output);
    channel.send("secret answer");
    expect(readFileSync(`${output}.sent`, "utf8")).toBe("secret answer\n");
    expect(statSync(`${output}.sent`).mode & 0o777).toBe(0o600);
    await channel.close();
  });

  it("brings lines of a megabyte whole and in order to a process that reads slowly", async () => {
    const { output, read } = await piped();
    const channel = scratch.channel(output);
    const lines = ["a", "b", "c"].map((letter) => letter.repeat(1024 * 1024));
    for (const line of [...lines, "end"]) channel.send(line);
    let arrived = "";
    while (!arrived.endsWith("end\n")) {
      const more = read(16 * 1024);
      arrived += more;
      await (more === "" ? sleep(1) : new Promise(setImmediate));
    }
    expect(arrived === `${[...lines, "end"].join("\n")}\n`).toBe(true);
    await channel.close();
  });

  it("does not wait for ever when it is closed and nobody reads any more", async () => {
    const { output } = await piped();
    const channel = scratch.channel(output);
    channel.send("x".repeat(1024 * 1024));
    await channel.close();
    expect(existsSync(`${output}.sent`)).toBe(true);
  });

  it("says nothing where no process has a pipe", async () => {
    const output = fresh();
    const channel = scratch.channel(output);
    channel.send("to nobody");
    await channel.close();
    expect(existsSync(`${output}.in`)).toBe(false);
  });

  it("sends everything again after it was told to forget", async () => {
    const { output, unread } = await piped();
    const channel = scratch.channel(output);
    channel.send("begin");
    channel.noted("asked 1");
    channel.forget();
    channel.send("begin");
    await channel.close();
    expect(unread()).toBe("begin\nbegin\n");
    const next = scratch.channel(output);
    expect(next.noted("asked 1")).toBe(false);
    await next.close();
  });

  it("remembers words about the conversation, for the next driver too, and sends none of them", async () => {
    const { output, unread } = await piped();
    const channel = scratch.channel(output);
    expect(channel.noted("asked 1")).toBe(false);
    channel.note("asked 1");
    channel.note("asked 1");
    expect([channel.noted("asked 1"), channel.noted("asked 2")]).toEqual([true, false]);
    await channel.close();
    const next = scratch.channel(output);
    expect([next.noted("asked 1"), next.noted("asked 3")]).toEqual([true, false]);
    next.send("asked 1");
    await next.close();
    expect(unread()).toBe("asked 1\n");
  });

  it("reaches a real process, which ends when it has read its last line", async () => {
    const output = fresh();
    await processes.pipe(`${output}.in`);
    const heard = `${output}.heard`;
    const command = `exec <>"${output}.in"; while read -r line; do echo "$line" >>"${heard}"; [ "$line" = end ] && exit 0; done`;
    const running = processes.run({
      command,
      cwd: folder,
      env: { PATH: process.env.PATH ?? "" },
      timeoutMs: 20_000,
      output,
      work: `scratch-${process.pid}.1`,
    });
    // The pipe holds what is sent only while somebody has it open.
    while (!existsSync(heard)) {
      const channel = scratch.channel(output);
      channel.forget();
      channel.send("ready?");
      await channel.close();
      await sleep(20);
    }
    const channel = scratch.channel(output);
    for (const line of ["one", "two", "end"]) channel.send(line);
    expect(await running).toMatchObject({ status: "exited", exitCode: 0 });
    await channel.close();
    const said = readFileSync(heard, "utf8")
      .split("\n")
      .filter((line) => line !== "ready?");
    expect(said).toEqual(["one", "two", "end", ""]);
  });
});
