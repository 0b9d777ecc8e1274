// Two secrets on their way through a whole bubble: one that an agent has in its environment, one that only looks like a
// credential. Both are said, asked, found, handed in, printed and written into the tree; neither reaches the record.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { samples, some } from "../core/redaction-samples.ts";
import { createScripted, fullPackage, type Rig, rig } from "./rig.ts";

const id = "keys";
// Quotes for JSON, and what tmux would expand wherever it reads a value as a format.
const variable = `deploy"#{pane_id}#(id)${some(16)}`;
const [token = ""] = samples["github-token"] ?? [];
const both = `${variable} and ${token}`;
const person = {
  DEPLOY_KEY: variable,
  OTHER_TOKEN: `other-${some(16)}`,
  ANTHROPIC_API_KEY: `key-${some(16)}`,
};

let tool: Rig;
let bare: Rig;

/** Every file below a folder of the repository, with its text. */
function filesBelow(folder: string): { path: string; text: string }[] {
  return readdirSync(join(tool.repo, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path: path.slice(tool.repo.length + 1), text: readFileSync(path, "utf8") }));
}

const holds = (text: string) =>
  [variable, JSON.stringify(variable).slice(1, -1), token].some((secret) => text.includes(secret));
const rawOutput = (path: string) => path.startsWith(`.pairflow/runtime/${id}/`);
const names = (agent: string) =>
  readFileSync(join(tool.folder, `${agent}.names`), "utf8")
    .trim()
    .split("\n");
const dump = (agent: string) => ({
  run: `env | sed -n 's/=.*//p' | sort > ${join(tool.folder, `${agent}.names`)}`,
});
const checked = ["src/cart.txt:1 total is 2"];

const turns = () => ({
  implementer: [
    {
      role: "implementer",
      steps: [
        dump("codex"),
        { run: 'test -n "$DEPLOY_KEY" && echo "$DEPLOY_KEY"' },
        { ask: `Is ${both} right?` },
        { run: `test "$DEPLOY_KEY" = '${variable}'` },
        { write: { path: "src/cart.txt", text: "total: 3\n" } },
        { write: { path: "src/deploy.txt", text: `one\n${variable}\n` } },
        {
          pass: {
            summary: `used ${both}`,
            ...fullPackage,
            why: `for ${both}`,
            commit_message: `fix: the total is right\n\nwith ${both}`,
            refs: [join(tool.folder, "notes.txt"), join(tool.folder, "notes.json")],
          },
        },
      ],
    },
    {
      role: "implementer",
      steps: [
        { write: { path: "src/cart.txt", text: "total: 2\n" } },
        { delete: "src/deploy.txt" },
        { pass: { summary: "F1 fixed" } },
      ],
    },
    { role: "reviewer", steps: [{ converge: { summary: "nothing found", checked } }] },
  ],
  reviewer: [
    {
      role: "reviewer",
      steps: [
        dump("claude"),
        {
          pass: {
            summary: `saw ${both}`,
            findings: [`P1:Total is 3, key ${both} @ src/cart.txt:1 | quoted ${both}`],
          },
        },
      ],
    },
    { role: "reviewer", steps: [{ pass: { summary: "fixed", fixed: ["F1"], no_findings: true, checked } }] },
  ],
});

/** The driver dies; in panes tmux starts it again, and it needs what its predecessor knew. */
async function loseDriver(): Promise<void> {
  const { pid } = (await tool.status(id)).driver;
  if (pid === undefined) throw new Error("nobody drives");
  process.kill(pid, "SIGKILL");
  await tool.until(id, ({ driver }) => driver.alive && driver.pid !== pid, "another driver", 60_000);
}

describe.each([
  { seat: "panes", flags: [] },
  { seat: "the background", flags: ["--headless", "--detach"] },
])("secrets in $seat", ({ seat, flags }) => {
  beforeAll(async () => {
    bare = rig();
    tool = bare.with(person);
    writeFileSync(join(tool.folder, "notes.txt"), `handed in: ${both}\n`);
    writeFileSync(join(tool.folder, "notes.json"), JSON.stringify({ key: variable, token }));
    await createScripted(tool, id, turns(), "--test", `cat ${join(tool.folder, "notes.txt")}`);
    const settings = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
    const codex = '\n[agent.codex]\nadapter = "scripted"\n';
    const text = readFileSync(settings, "utf8");
    writeFileSync(settings, text.replace(codex, `${codex}variables = ["DEPLOY_KEY"]\n`));
    await tool.ok("bubble", "start", "--id", id, ...flags);
    await tool.until(id, (status) => status.state === "WAITING_HUMAN", "the agent has asked", 60_000);
    if (seat === "panes") await loseDriver();
    await tool.ok("bubble", "reply", "--id", id, "--message", `Yes, ${both}`);
    await tool.until(id, (status) => status.state === "READY_FOR_APPROVAL", "ready for approval", 120_000);
  }, 240_000);
  afterAll(() => bare?.close());

  it("reach no file of the record: transcript, artifacts, caches, inbox", () => {
    const holding = filesBelow(".pairflow").filter(({ path, text }) => !rawOutput(path) && holds(text));
    expect(holding.map(({ path }) => path)).toEqual([]);
    const said = tool.log(id).find((envelope) => envelope.type === "PASS");
    expect(said?.payload).toMatchObject({ summary: "used [redacted:env] and [redacted:github-token]" });
    const artifacts = filesBelow(`.pairflow/bubbles/${id}/artifacts`).filter(({ text }) =>
      text.includes("[redacted:env]"),
    );
    const stored = artifacts.map(({ path }) => path.split("/artifacts/")[1]);
    for (const name of [
      "refs/notes.txt",
      "refs/notes.json",
      "round-001.diff",
      "round-001.tests.txt",
      "done-package.md",
    ])
      expect(stored).toContain(name);
    expect(stored.some((name) => name?.startsWith("prompts/"))).toBe(true);
    expect(stored.some((name) => name?.startsWith("messages/"))).toBe(true);
  });

  it("may be in raw output, which only its owner can read", () => {
    const raw = filesBelow(".pairflow").filter(({ path }) => rawOutput(path) && path.endsWith(".log"));
    expect(raw.some(({ text }) => holds(text))).toBe(true);
    for (const { path } of raw) expect(statSync(join(tool.repo, path)).mode & 0o077, path).toBe(0);
  });

  it("in the tree are told by place, without the value", () => {
    const warning = tool.log(id).find((envelope) => envelope.type === "WARNING");
    expect(warning?.payload).toMatchObject({ code: "secret.in-tree", details: ["src/deploy.txt:2 (env)"] });
  });

  it("that an agent is not given by name are not in its environment", () => {
    const own = names("codex").filter((name) => !/^(PAIRFLOW_|LC_|XDG_|TMUX|_$)/.test(name));
    const usual =
      "COLORTERM DEPLOY_KEY HOME LANG OLDPWD PATH PWD SHELL SHLVL TERM TERM_PROGRAM TMPDIR TERM_PROGRAM_VERSION TZ".split(
        " ",
      );
    expect(own.filter((name) => !usual.includes(name))).toEqual([]);
    expect(own).toContain("DEPLOY_KEY");
    expect(names("claude").filter((name) => name in person)).toEqual([]);
  });

  it("leave the approved bytes, the commit and the record's hashes in order", async () => {
    await tool.ok("bubble", "approve", "--id", id, "--yes", "--operator-key", tool.key);
    await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
    expect(tool.git("log", "-1", "--format=%B", `bubble/${id}`).trim()).toBe(
      "fix: the total is right\n\nwith [redacted:env] and [redacted:github-token]",
    );
    expect((await tool.run("verify", "--id", id)).code).toBe(0);
  });

  it("in settings are refused, since those must stay exact", async () => {
    const refused = await tool.run(
      "bubble",
      "create",
      "--id",
      "other",
      "--task",
      "x",
      "--test",
      `curl -u ${token} localhost`,
    );
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("config.secret") });
    expect(holds(refused.stderr)).toBe(false);
    expect(filesBelow(".pairflow").some(({ path }) => path.includes("/other/"))).toBe(false);
  });

  it("are gone with the bubble: nothing of it is left that holds one", async () => {
    await tool.ok("bubble", "delete", "--id", id);
    const holding = filesBelow(".pairflow").filter(({ text }) => holds(text));
    expect(holding.map(({ path }) => path)).toEqual([]);
  });
});
