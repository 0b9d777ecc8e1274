// The power is cut at the acknowledgement of every kind of command, and at moments in between while agents work: what is
// left on the disk is a record that verifies, with every acknowledged line, and a git that holds everything it names.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRecordWorld } from "../../src/app/record/world.ts";
import { verifyBubble } from "../../src/app/verify/record.ts";
import { createScripted, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { processesOf } from "../faults/leftovers.ts";
import { type Disk, makeDisk, whyNoDisk } from "./power.ts";

const id = "b1";
const why = whyNoDisk();
if (why)
  process.stderr.write(`NOT TESTED: that a power cut loses nothing on a real file system. Here ${why}.\n`);

const [, converge] = shortest.implementer;
const [review] = shortest.reviewer;
const stopped = "b2";
const archive = join(".pairflow", "archive", stopped, "transcript.ndjson");

interface Cut {
  readonly at: string;
  readonly copy: string;
  /** The records as they were acknowledged, by bubble. */
  readonly acknowledged: Readonly<Record<string, string>>;
  /** The same of the record that was put away. */
  readonly archived?: string;
}

/** The agents stage their files themselves: git has the objects then, and has not synced them. */
const writing = (text: string, ...before: unknown[]) => ({
  role: "implementer",
  steps: [
    ...before,
    { write: { path: "src/cart.txt", text } },
    { run: "git add -A" },
    { pass: { summary: "done", ...fullPackage } },
  ],
});
const script = {
  implementer: [writing("total: 2\n", { ask: "Which total?" }), converge, review],
  reviewer: [review, writing("total: two\n"), converge],
};

/** Where the work is done, how git keeps what was there before, and whether it syncs anything: before 2.36 it did not. */
const kinds = [
  { name: "a worktree of a git that syncs nothing", flags: [], isPacked: false, isOldGit: true },
  { name: "a clone of a packed repository", flags: ["--mode", "clone"], isPacked: true, isOldGit: false },
];

/** The same rig with a git in front of the PATH that never syncs. */
function withOldGit(tool: Rig): Rig {
  const folder = join(tool.folder, "old-git");
  mkdirSync(folder);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\nGIT_TEST_FSYNC=0 exec ${real} "$@"\n`;
  writeFileSync(join(folder, "git"), script, { mode: 0o755 });
  return tool.with({ PATH: `${folder}:${tool.env.PATH}` });
}

describe.skipIf(why).each(kinds)("after a power cut in $name", ({ flags, isPacked, isOldGit }) => {
  let disk: Disk;
  let tool: Rig;
  const cuts: Cut[] = [];
  const key = () => ["--operator-key", tool.key];

  /** Cuts the power now; what the records hold was acknowledged, unless somebody is just writing. */
  const cut = (at: string, isAcknowledged = true) => {
    const there = [id, stopped].filter((bubble) => existsSync(tool.transcript(bubble)));
    const texts = there.map((bubble) => [
      bubble,
      isAcknowledged ? readFileSync(tool.transcript(bubble), "utf8") : "",
    ]);
    // An answer starts a driver again: what it writes during the copy is in one half of it.
    whileStopped(tool, () => cuts.push({ at, copy: disk.cut(), acknowledged: Object.fromEntries(texts) }));
  };
  const ready = (more: number) => {
    const most = cuts.length + more;
    let length = tool.log(id).length;
    return tool.until(
      id,
      ({ state, driver }) => {
        const lines = tool.log(id).length;
        if (lines > length + 3 && cuts.length < most) cut(`while agents work, at line ${lines}`, false);
        length = Math.max(length, lines);
        return state === "READY_FOR_APPROVAL" && !driver.alive;
      },
      "ready for approval, and nobody drives",
      60_000,
    );
  };

  beforeAll(async () => {
    disk = makeDisk();
    const before = process.env.TMPDIR;
    process.env.TMPDIR = disk.path;
    try {
      tool = isOldGit ? withOldGit(rig()) : rig();
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
    // What the user had before is the user's; the commit the bubble starts from was made just now, and is not synced.
    execFileSync("sync", ["-f", disk.path]);
    tool.write("src/late.txt", "committed a moment ago\n");
    tool.git("add", "-A");
    tool.git("commit", "-q", "-m", "late");
    if (isPacked) {
      tool.git("repack", "-adq");
      tool.git("pack-refs", "--all");
    }
    await createScripted(tool, id, script as never, ...flags);
    cut("create");
    await tool.ok("bubble", "start", "--id", id, "--headless");
    expect((await tool.status(id)).state).toBe("WAITING_HUMAN");
    cut("start and ask-human");
    await tool.ok("bubble", "reply", "--id", id, "--message", "Two");
    cut("reply", false);
    await ready(2);
    cut("pass, handoff, gates, converged and package");
    await tool.ok("bubble", "request-rework", "--id", id, "--message", "In words");
    cut("request-rework", false);
    await ready(1);
    await tool.ok("bubble", "approve", "--id", id, "--yes", ...key());
    cut("approve");
    await tool.ok("bubble", "commit", "--id", id, ...key());
    cut("commit");
    await createScripted(tool, stopped, script as never, ...flags);
    await tool.ok("bubble", "start", "--id", stopped, "--headless");
    await tool.ok("bubble", "stop", "--id", stopped);
    cut("stop");
    await tool.ok("bubble", "delete", "--id", stopped, "--discard");
    const archived = readFileSync(join(tool.repo, archive), "utf8");
    cuts.push({ at: "delete", copy: disk.cut(), acknowledged: {}, archived });
  }, 120_000);
  afterAll(async () => {
    await tool?.close();
    disk?.remove();
  });

  it("the record and git hold everything that was acknowledged, at each kind of command and in between", async () => {
    expect(cuts.length).toBeGreaterThanOrEqual(8);
    for (const { at, copy, acknowledged, archived } of cuts) {
      await disk.afterwards(copy, async (root) => {
        const repo = tool.repo.replace(disk.path, root);
        if (archived) expect(readFileSync(join(repo, archive), "utf8"), at).toBe(archived);
        for (const [bubble, before] of Object.entries(acknowledged)) {
          const transcript = join(repo, ".pairflow", "bubbles", bubble, "transcript.ndjson");
          const left = readFileSync(transcript, "utf8");
          expect(left.startsWith(before), `${at}: every acknowledged line`).toBe(true);
          const { errors } = await verifyBubble(createRecordWorld(repo), repo, bubble);
          const said = errors.map(({ message }) => message);
          expect(said, `${at}: verify`).toEqual([]);
          expect(unreadable(repo, bubble, left), `${at}: git`).toEqual([]);
          const lines = left.split("\n").slice(0, -1);
          if (lines.some((line) => line.includes('"type":"COMMITTED"')))
            expect(checkedOut(repo)).toBe("total: two\n");
        }
      });
    }
  }, 120_000);
});

/** Copying takes a moment, and a power cut none: nobody of the bubble writes meanwhile. */
function whileStopped(tool: Rig, work: () => void): void {
  const family = () => {
    const rows = execFileSync("ps", ["axo", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
    const all = new Set(processesOf(tool).map(({ pid }) => pid));
    for (const row of rows) {
      const [pid = 0, parent = 0] = row.trim().split(/\s+/).map(Number);
      if (all.has(parent)) all.add(pid);
    }
    return all;
  };
  const signal = (pids: Iterable<number>, name: "SIGSTOP" | "SIGCONT") => {
    for (const pid of pids)
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
  };
  const stopped = new Set<number>();
  for (let more = family(); more.size > stopped.size; more = new Set([...stopped, ...family()])) {
    signal(more, "SIGSTOP");
    for (const pid of more) stopped.add(pid);
  }
  try {
    work();
  } finally {
    signal(stopped, "SIGCONT");
  }
}

/** What git cannot read of all that the lines name and the bubble's refs reach; each object whole, not only there. */
function unreadable(repo: string, id: string, transcript: string): string[] {
  const git = (args: string[], input = "") =>
    execFileSync("git", args, {
      cwd: repo,
      input,
      encoding: "latin1",
      maxBuffer: 1e8,
      stdio: ["pipe", "pipe", "pipe"],
    });
  const named = [...transcript.matchAll(/"(?:commit|tree|base_commit)":"([0-9a-f]{40})"/g)].map(
    ([, one]) => one ?? "",
  );
  try {
    const pins = git([
      "for-each-ref",
      "--format=%(objectname)",
      `refs/pairflow/${id}/`,
      `refs/heads/bubble/${id}`,
    ]);
    const wanted = [...new Set([...named, ...pins.split("\n").filter(Boolean)])].join("\n");
    const all = git(["rev-list", "--objects", "--no-object-names", "--stdin"], `${wanted}\n`);
    const read = git(["cat-file", "--batch", "--buffer"], all);
    git(["fsck", "--connectivity-only", "--no-dangling"]);
    return read.split("\n").filter((line) => / missing$/.test(line));
  } catch (error) {
    return [String((error as { stderr?: unknown }).stderr ?? error)];
  }
}

/** The committed file, from a checkout of the bubble's branch elsewhere. */
function checkedOut(repo: string): string {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-after-"));
  try {
    cpSync(join(repo, ".git"), join(folder, ".git"), { recursive: true });
    execFileSync("git", ["checkout", "-q", "-f", "--detach", `bubble/${id}`], { cwd: folder, stdio: "pipe" });
    return readFileSync(join(folder, "src", "cart.txt"), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
