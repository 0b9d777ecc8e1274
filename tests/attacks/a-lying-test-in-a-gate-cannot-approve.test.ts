// A gate runs the agent's code. Inside its sandbox that code reaches neither the record nor a key, nor git's settings, nor
// a socket of another program, nor the network; and it stays a gate: what it needs of the machine works.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cli, type Rig, rig } from "../acceptance/rig.ts";
import { bubble, configure, finalRuns, implementing, runs, writes } from "../cli/gates-scene.ts";
import { readArtifact } from "../helpers/operator.ts";
import { canConfine } from "../helpers/sandbox.ts";

let tool: Rig;
let server: Server;
let port: number;
beforeAll(async () => {
  const made = rig();
  mkdirSync(join(made.folder, "shared"));
  tool = made.with({ PAIRFLOW_SANDBOX_WRITE: join(made.folder, "shared") });
  server = createServer((socket) => socket.end("reached\n"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as { port: number }).port;
  execFileSync("tmux", ["-L", tool.socket, "-f", "/dev/null", "new-session", "-d", "-s", "own", "sleep 600"]);
});
afterAll(async () => {
  server.close();
  await tool.close();
});

const report = () => join(tool.folder, "shared", "report");

/** What the lying test tries, each of which succeeds for a program with the rights of the person. */
function attempts(): Record<string, string> {
  const { repo, key, folder } = tool;
  const record = join(repo, ".pairflow/bubbles/lies/transcript.ndjson");
  return {
    "approve with the key": `${process.execPath} ${cli} bubble approve --id lies --repo ${repo} --operator-key ${key}`,
    "read the key": `cat ${key}`,
    "read the record": `cat ${record}`,
    "write the record": `echo forged >> ${record}`,
    "replace the record's folder": `test -d ${repo}/.pairflow/bubbles && rm -rf ${repo}/.pairflow/bubbles`,
    "write git's configuration": `git config core.fsmonitor ./evil`,
    "write the configuration file": `echo '[core] pager = evil' >> ${repo}/.git/config`,
    "write a hook": `echo evil > ${repo}/.git/hooks/pre-commit`,
    "write an exclude": `echo '*.evil' >> ${repo}/.git/info/exclude`,
    "move main": `git update-ref refs/heads/main HEAD`,
    "move the referee's refs": `git update-ref refs/pairflow/lies/latest HEAD`,
    "redirect the worktree's git folder": `echo /tmp > "$(git rev-parse --git-dir)/commondir"`,
    "replace the worktree's git link": `mv .git .git-old`,
    "write the main checkout": `echo evil > ${repo}/README.md`,
    "read what lies in the home": `cat ${folder}/home/.secret`,
    "leave a login script": `echo evil >> ${folder}/home/.profile && test -f ${folder}/home/.secret`,
    "type into a pane": `tmux -L ${tool.socket} send-keys -t own evil`,
    "reach a server of the machine": `node -e "require('net').connect(${port},'127.0.0.1').on('data',()=>process.exit(0)).on('error',()=>process.exit(1))"`,
    "undo a mount": `umount ${repo}/.pairflow`,
    "see processes of the machine": `test -d /proc/${process.pid} && test "$(readlink /proc/${process.pid}/exe)" = "${process.execPath}"`,
  };
}

/** What an honest test needs. */
const needs: Record<string, string> = {
  "write the worktree": "echo x > made.tmp && rm made.tmp",
  "write a temporary file": 'echo x > "$(mktemp)" && echo x > /tmp/plain && echo x > "$TMPDIR/file"',
  "write its home": "mkdir -p ~/.cache/tool && echo x > ~/.cache/tool/file",
  "use git": "git status --porcelain >/dev/null && git log -1 >/dev/null && git rev-parse HEAD >/dev/null",
  "know who the person is to git": 'test "$(git config user.name)" = Tester',
  "make a repository of its own":
    "d=$(mktemp -d) && git init -q $d && git -C $d commit -q --allow-empty -m x",
  "write objects and read them": 'git cat-file -e "$(echo x | git hash-object -w --stdin)"',
  "serve and be asked on loopback": `node -e "const s=require('net').createServer(c=>c.end('x')).listen(0,'127.0.0.1',()=>require('net').connect(s.address().port,'127.0.0.1').on('data',()=>process.exit(0)))"`,
  "start programs": "node -e 0 && sh -c true",
};

const script = (lines: Record<string, string>) =>
  Object.entries(lines)
    .map(
      ([name, line]) =>
        `if (${line}) >/dev/null 2>&1; then echo "did: ${name}"; else echo "could not: ${name}"; fi`,
    )
    .join("\n");

describe.runIf(canConfine())("the lying test file of an agent", () => {
  it("reaches nothing that approves, and the gate that runs it works as before", async () => {
    writeFileSync(join(tool.folder, "home", ".secret"), "secret\n");
    configure(tool, `gates: { additional: [{ name: check, command: sh test.sh }] }`);
    const lies = `${script({ ...needs, ...attempts() })}\n`;
    const text = `echo evil > ../evil.txt\n(\n${lies}) >> ${report()}\nexit 0\n`;
    const config = readFileSync(join(tool.repo, ".git/config"), "utf8");
    const status = await bubble(tool, "lies", implementing([writes("test.sh", text)]));
    expect(status.state, JSON.stringify(status.questions)).toBe("READY_FOR_APPROVAL");
    const said = readFileSync(report(), "utf8").trim().split("\n");
    const did = new Set(said.filter((line) => line.startsWith("did: ")).map((line) => line.slice(5)));
    // What the checkout of the final run may do to itself: its git folder is its own and is thrown away.
    const own = ["redirect the worktree's git folder", "move main", "move the referee's refs"];
    const reached = Object.keys(attempts()).filter((name) => did.has(name));
    expect(reached.filter((name) => !own.includes(name))).toEqual([]);
    const rounds = said.slice(0, Object.keys({ ...needs, ...attempts() }).length);
    for (const name of own) expect(rounds).toContain(`could not: ${name}`);
    for (const name of Object.keys(needs)) expect(said).not.toContain(`could not: ${name}`);
    expect(readFileSync(join(tool.repo, ".git/config"), "utf8")).toBe(config);
    expect(existsSync(join(tool.repo, ".git/hooks/pre-commit"))).toBe(false);
    expect(existsSync(join(tool.folder, "home", ".profile"))).toBe(false);
    expect(existsSync(join(tool.worktree("lies"), "..", "evil.txt"))).toBe(false);
    expect((await tool.run("verify", "--id", "lies")).code).toBe(0);
    for (const [result] of [...runs(tool, "lies"), ...finalRuns(tool, "lies").map(({ results }) => results)])
      expect(result?.sandbox).toBe("bubblewrap");
  });

  it("is named where nothing confines it", async () => {
    configure(tool, "gates: { additional: [{ name: check, command: 'true' }] }");
    const open = tool.with({ PAIRFLOW_SANDBOX: "off" });
    expect((await bubble(open, "open")).state).toBe("READY_FOR_APPROVAL");
    expect(readArtifact(open, "open", "done-package.md")).toContain("gates ran without a sandbox: check");
    expect(await open.ok("bubble", "status", "--id", "open")).toContain("no sandbox");
    expect(runs(open, "open")[0]?.[0]?.sandbox).toBe("none");
  });

  it("gets what the settings list of the home, and the network where its gate may have it", async () => {
    mkdirSync(join(tool.folder, "home", ".tool"), { recursive: true });
    writeFileSync(join(tool.folder, "home", ".tool", "settings"), "listed\n");
    const ask = attempts()["reach a server of the machine"];
    const gates = [
      { name: "listed", command: "grep -q listed ~/.tool/settings && ! echo x >> ~/.tool/settings" },
      { name: "online", command: ask, network: "on" },
    ];
    configure(tool, `gates: ${JSON.stringify({ additional: gates })}`);
    const listed = readFileSync(join(tool.repo, ".pairflow/config.yaml"), "utf8").replace(
      "defaults: {",
      "defaults: { sandbox_home: [.tool],",
    );
    tool.write(".pairflow/config.yaml", listed);
    tool.git("commit", "-q", "-am", "home");
    expect((await bubble(tool, "listed")).state).toBe("READY_FOR_APPROVAL");
    const ends = runs(tool, "listed")[0]?.map(({ name, status }) => `${name} ${status}`);
    expect(ends).toEqual(["listed passed", "online passed"]);
  });
});
