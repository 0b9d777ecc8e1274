// Every operator verb in every state it is not for: a code, a sentence, a way out, and nothing on the record.
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { grant, runAt, runHeadless } from "../helpers/operator.ts";

let tool: Rig;
const asks = {
  ...shortest,
  implementer: [
    { role: "implementer", steps: [{ ask: "Which total?" }, { pass: { summary: "x", ...fullPackage } }] },
  ],
};

beforeAll(async () => {
  tool = rig();
  await Promise.all([
    createScripted(tool, "created", shortest),
    runHeadless(tool, "waiting", asks),
    runHeadless(tool, "ready", shortest),
    runHeadless(tool, "done", shortest),
  ]);
  for (const verb of ["approve", "commit"]) {
    const yes = verb === "approve" ? ["--yes"] : [];
    expect(await grant(tool, "bubble", verb, "--id", "done", ...yes)).toMatchObject({ code: 0 });
  }
}, 60_000);
afterAll(() => tool.close());

const needs: Record<string, string[]> = {
  reply: ["--message", "x"],
  approve: ["--yes", "--operator-key", "KEY"],
  "request-rework": ["--message", "x"],
  commit: ["--operator-key", "KEY"],
};
const verbOn = (verb: string, id: string) =>
  tool.run(
    "bubble",
    verb,
    "--id",
    id,
    ...(needs[verb] ?? []).map((word) => (word === "KEY" ? tool.key : word)),
  );

/** The record without the settings that the rig wrote into bubble.toml, which the next command takes over. */
const decisions = (id: string) => tool.log(id).filter((envelope) => envelope.type !== "CONFIGURED");

describe("in the wrong state", () => {
  it.each([
    ["created", "reply", "reply.no-question", "bubble inbox --id created"],
    ["created", "approve", "approve.wrong-state", "bubble start --id created"],
    ["created", "request-rework", "request-rework.wrong-state", "bubble start --id created"],
    ["created", "commit", "commit.wrong-state", "bubble start --id created"],
    ["created", "resume", "resume.wrong-state", "bubble start --id created"],
    ["created", "open", "open.no-worktree", "bubble start --id created"],
    ["created", "attach", "attach.no-session", "bubble start --id created"],
    ["waiting", "start", "start.already", "bubble resume --id waiting"],
    ["waiting", "approve", "approve.wrong-state", "bubble status --id waiting"],
    ["waiting", "request-rework", "request-rework.wrong-state", "bubble status --id waiting"],
    ["waiting", "commit", "commit.not-approved", "bubble status --id waiting"],
    ["waiting", "attach", "attach.no-panes", "bubble resume --id waiting --tmux"],
    ["waiting", "delete", "delete.not-ended", "bubble stop --id waiting"],
    ["ready", "start", "start.already", "bubble resume --id ready"],
    ["ready", "reply", "reply.no-question", "bubble inbox --id ready"],
    ["ready", "commit", "commit.not-approved", "bubble approve --id ready"],
    ["ready", "resume", "resume.wrong-state", "bubble status --id ready"],
    ["ready", "delete", "delete.not-ended", "bubble stop --id ready"],
    ["done", "start", "bubble.ended", ""],
    ["done", "reply", "bubble.ended", "bubble status --id done"],
    ["done", "approve", "bubble.ended", "bubble status --id done"],
    ["done", "request-rework", "bubble.ended", "bubble status --id done"],
    ["done", "resume", "bubble.ended", "bubble status --id done"],
    ["done", "stop", "bubble.ended", "bubble status --id done"],
  ])("%s: %s says %s and what to type", async (id, verb, code, hint) => {
    const before = decisions(id);
    const refused = await verbOn(verb, id);
    expect(refused).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining(`(${code})`) });
    expect(refused.stderr).toMatch(/^Refused: /);
    expect(refused.stderr).toMatch(new RegExp(`Hint: .*${hint}`));
    expect(decisions(id)).toEqual(before);
  });

  it("the watchdog by hand is no error where no agent has a turn", async () => {
    for (const id of ["created", "waiting", "ready"]) {
      const looked = await tool.run("bubble", "watchdog", "--id", id, "--json");
      expect(looked.code).toBe(0);
      expect(JSON.parse(looked.stdout)).toMatchObject({ escalated: false });
    }
  });
});

const verbs = ["start", "status", "inbox", "reply", "approve", "request-rework", "commit", "open"].concat([
  ...["stop", "resume", "watchdog", "attach", "delete"],
]);

it("start without tmux is refused before anything is on the record, and --headless is the way out", async () => {
  const bin = join(tool.folder, "no-tmux");
  mkdirSync(bin);
  for (const program of ["git", "node"]) {
    const folder = (process.env.PATH ?? "").split(":").find((one) => existsSync(join(one, program))) ?? "";
    symlinkSync(join(folder, program), join(bin, program));
  }
  const refused = await tool.with({ PATH: bin }).run("bubble", "start", "--id", "created");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("tmux.not-found") });
  expect(refused.stderr).toContain("Hint: pairflow bubble start --id created --headless");
  const { stdout } = await tool.run("bubble", "status", "--id", "created", "--json");
  expect(JSON.parse(stdout)).toMatchObject({ state: "CREATED" });
});

describe("without a bubble", () => {
  it("one whose name is nearly right is named", async () => {
    const refused = await tool.run("bubble", "status", "--id", "waitnig");
    expect(refused.stderr).toContain("did you mean waiting?");
    expect(refused.stderr).toContain("Hint: pairflow bubble status --id waiting");
  });

  it.each(verbs)("%s of one that does not exist says so", async (verb) => {
    const refused = await verbOn(verb, "nobody");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("bubble.unknown") });
    expect(refused.stderr).toContain("Hint: pairflow bubble list");
  });

  it("none named, and none around, is a question", async () => {
    const refused = await tool.run("bubble", "status");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("bubble.not-given") });
    expect(refused.stderr).toMatch(/Hint: pairflow bubble status \w+/);
  });

  it("outside a repository the way in is named", async () => {
    const refused = await runAt(tool, { cwd: tool.folder }, "bubble", "status", "--id", "ready");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("repo.not-found") });
    const found = await runAt(
      tool,
      { cwd: tool.folder },
      ...["bubble", "status", "--id", "ready", "--repo", tool.repo],
    );
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining("READY_FOR_APPROVAL") });
  });
});

describe("without a person", () => {
  it.each(["waive", "accept"])(
    "reply --choose %s to a question that does not offer it is refused as such",
    async (choice) => {
      const refused = await tool.run(
        "bubble",
        "reply",
        "--id",
        "waiting",
        "--choose",
        choice,
        "--message",
        "x",
      );
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.unknown-choice") });
    },
  );

  it.each([
    ["approve", ["bubble", "approve", "--id", "ready", "--yes"]],
    ["commit", ["bubble", "commit", "--id", "ready"]],
  ])("%s needs a terminal or a key", async (_what, args) => {
    const refused = await tool.run(...args);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("operator.no-terminal") });
    expect(refused.stderr).toContain("pairflow init --operator-key <file>");
  });

  it("a key that was never registered, or is no key, opens nothing", async () => {
    tool.write("../other.key", "x".repeat(40));
    for (const key of [`${tool.folder}/other.key`, `${tool.folder}/no-such-file`]) {
      const refused = await tool.run("bubble", "approve", "--id", "ready", "--yes", "--operator-key", key);
      expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("operator.unknown-key") });
    }
  });

  it("approve by key without --yes or --digest shows the package and signs nothing", async () => {
    const shown = await grant(tool, "bubble", "approve", "--id", "ready");
    expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining("approve.not-asked") });
    expect(shown.stderr).toMatch(/ready asks for approval\s+digest/);
    const { approval } = await tool.status("ready");
    expect(shown.stderr).toContain(`--digest ${approval?.digest.slice(0, 12)}`);
    expect(approval?.decision).toBeNull();
  });
});

it("a folder for worktrees that cannot be one is told as such, and is no bug", async () => {
  await createScripted(tool, "nowhere", shortest, "--worktrees", join(tool.key, "x"));
  const started = await tool.run("bubble", "start", "--id", "nowhere", "--headless");
  expect(started).toMatchObject({ code: 3, stderr: expect.stringContaining("(disk.bad-path)") });
});
