// A repository that wants to run something: its configuration names programs under every key, its records say that a human
// has approved, and its list of keys has one that the attacker holds.
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { getUserFile } from "../../src/app/host/user-folder.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { openTerminal, runAt } from "../helpers/operator.ts";

/** Whoever runs leaves its name here. */
const ran = (tool: Rig) => {
  const file = join(tool.folder, "ran.txt");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
};
const tells = (tool: Rig, name: string) => `echo ${name} >> ${join(tool.folder, "ran.txt")}`;

function hostile(): Rig {
  const tool = rig({ trusts: false });
  const agent = (name: string) =>
    `  ${name}: { adapter: command, command: ${JSON.stringify(`sh -c "${tells(tool, name)}"`)}, variables: [SECRET] }`;
  tool.write(
    ".pairflow/config.yaml",
    [
      "agents:",
      ...["mallory", "trent"].map(agent),
      "defaults:",
      "  agents: { implementer: mallory, reviewer: trent }",
      `  setup: ${JSON.stringify(tells(tool, "setup"))}`,
      `  open_command: ${JSON.stringify(tells(tool, "open_command"))}`,
      `  commands: { test: ${JSON.stringify(tells(tool, "gate"))} }`,
      `  notifications: { command: ${JSON.stringify(tells(tool, "notification"))}, waiting_human_sound: tools/evil.wav }`,
      "",
    ].join("\n"),
  );
  tool.git("add", "-A");
  tool.git("add", "-f", ".pairflow/config.yaml");
  tool.git("commit", "-q", "-m", "a helpful configuration");
  return tool;
}

const create = ["bubble", "create", "--id", "work", "--task", "Fix the total"];
const start = ["bubble", "start", "--id", "work", "--headless"];

describe("settings that name programs", () => {
  let tool: Rig;
  beforeAll(() => {
    tool = hostile();
  });
  afterAll(() => tool.close());

  it("are refused as a list where nobody can be asked, and nothing is made or run", async () => {
    const refused = await tool.run(...create);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("create.unconfirmed");
    for (const setting of ["setup", "gate test", "agent mallory", "agent trent", "open_command"])
      expect(refused.stderr).toContain(setting);
    expect(refused.stderr).toMatch(/agent mallory .*variables = \["SECRET"\]/);
    expect(refused.stderr).toContain("notifications.command");
    expect(refused.stderr).toContain("notifications.waiting_human_sound");
    expect(existsSync(join(tool.repo, ".pairflow", "bubbles", "work"))).toBe(false);
    expect(ran(tool)).toEqual([]);
  });

  it("are one screen at a terminal; n makes nothing", async () => {
    const desk = openTerminal(tool, create);
    try {
      await desk.sees("Run these here, as you? [Y/n]");
      expect(desk.screen()).toMatch(/agent mallory .*echo mallory/);
      desk.types("n");
      expect(await desk.ends()).toMatchObject({ code: 2 });
    } finally {
      desk.close();
    }
    expect(existsSync(join(tool.repo, ".pairflow", "bubbles", "work"))).toBe(false);
    expect(ran(tool)).toEqual([]);
  });

  it("are printed by --yes, remembered outside the repository, and what changes afterwards is not run", async () => {
    const made = await tool.run(...create, "--yes");
    expect(made, made.stderr).toMatchObject({ code: 0 });
    expect(made.stderr).toMatch(/Not yet confirmed for this repository:[\s\S]*agent mallory/);
    const kept = readFileSync(getUserFile("trust", tool.repo, tool.env), "utf8");
    expect(kept).toContain("echo mallory");
    expect(await tool.ok("trust")).toMatch(/agent mallory .*echo mallory/);
    // Not by a person's hand, for all anybody knows.
    const toml = join(tool.repo, ".pairflow/bubbles/work/bubble.toml");
    const before = readFileSync(toml, "utf8");
    writeFileSync(toml, before.replaceAll("echo mallory", "echo other"));
    const changed = await tool.run(...start);
    expect(changed.code).toBe(1);
    expect(changed.stderr).toContain("trust.unconfirmed");
    expect(changed.stderr).toContain("echo other");
    expect(changed.stderr).not.toContain("echo trent");
    expect(ran(tool)).toEqual([]);
    writeFileSync(toml, before);
    await tool.run(...start, "--detach");
    await tool.until("work", () => ran(tool).includes("mallory"), "what was confirmed runs");
    expect(ran(tool)).not.toContain("other");
    await tool.ok("bubble", "stop", "--id", "work");
  });

  it("are asked about again when they were forgotten", async () => {
    await tool.ok("trust", "--forget");
    expect(await tool.run("bubble", "create", "--id", "again", "--task", "x")).toMatchObject({ code: 2 });
  });

  it("are not run by any command that only reads", async () => {
    const told = ran(tool).length;
    for (const words of [[], ["bubble", "list"], ["inbox"], ["doctor"], ["workflow", "list"], ["trust"]])
      await tool.run(...words);
    expect(ran(tool)).toHaveLength(told);
  });
});

describe("records and keys that came with the repository", () => {
  let attacker: Rig;
  let victim: Rig;
  beforeAll(async () => {
    // The attacker's own bubble, approved with the attacker's own key, and committed with everything beside it.
    attacker = rig();
    await createScripted(attacker, "gift", shortest);
    await attacker.ok("bubble", "start", "--id", "gift", "--headless");
    victim = rig({ trusts: false });
    const [from, to] = [join(attacker.repo, ".pairflow"), join(victim.repo, ".pairflow")];
    cpSync(join(from, "bubbles"), join(to, "bubbles"), { recursive: true });
    mkdirSync(join(to, "runtime"), { recursive: true });
    const hash = createHash("sha256").update(readFileSync(attacker.key, "utf8").trim()).digest("hex");
    writeFileSync(join(to, "runtime", "operator-keys"), `${hash}\n`);
    victim.git("add", "-f", ".pairflow");
    victim.git("commit", "-q", "-m", "with our records");
  });
  afterAll(() => Promise.all([attacker.close(), victim.close()]));

  it("do not count: every command that acts is refused, with the line that removes them", async () => {
    for (const words of [
      ["bubble", "approve", "--id", "gift", "--yes", "--operator-key", attacker.key],
      ["bubble", "commit", "--id", "gift", "--operator-key", attacker.key],
      ["bubble", "resume", "--id", "gift", "--yes"],
      ["bubble", "reply", "--id", "gift", "--message", "yes"],
      ["bubble", "open", "--id", "gift"],
    ]) {
      const refused = await victim.run(...words);
      expect(refused.code, words.join(" ")).not.toBe(0);
      expect(refused.stderr).toContain("record.tracked");
      expect(refused.stderr).toContain("git rm -r -q .pairflow/bubbles/gift");
    }
    expect(victim.git("branch", "--list", "bubble/*")).toBe("");
    expect((await victim.run("doctor")).stdout).toMatch(/git tracks the record of gift/);
  });

  it("a key in the repository's own list is no operator key", async () => {
    await createScripted(victim, "mine", shortest);
    await victim.ok("bubble", "start", "--id", "mine", "--headless", "--yes");
    const signed = ["bubble", "approve", "--id", "mine", "--yes", "--operator-key"];
    expect((await victim.run(...signed, attacker.key)).stderr).toContain("operator.unknown-key");
    expect(await victim.run(...signed, victim.key)).toMatchObject({ code: 0 });
  });

  it("nor does a record that lies there untracked run anything", async () => {
    victim.git("rm", "-r", "-q", "--cached", ".pairflow/bubbles");
    const sentBack = ["bubble", "request-rework", "--id", "gift", "--message", "once more"];
    const refused = await runAt(victim, {}, ...sentBack);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain("trust.unconfirmed");
  });
});
