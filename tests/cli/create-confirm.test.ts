// Creation with a person before the terminal, with a project that has rules of its own, and with a document to follow.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { documentPath, documentTurns } from "../helpers/document.ts";
import { edit, grant, openTerminal, readArtifact, runHeadless, type Terminal } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

let tool: Rig;
let desk: Terminal | undefined;
beforeAll(() => {
  tool = rig({
    files: { "package.json": '{"name":"shop","scripts":{"test":"node --test"}}' },
  });
});
afterEach(() => desk?.close());
afterAll(() => tool.close());

const create = (...flags: string[]) => tool.run("bubble", "create", ...flags);

describe("at a terminal", () => {
  /** Each with a folder of its own for what was confirmed, so that each is asked. */
  const ask = (id: string, user = id) => {
    const env = { ...tool.env, PAIRFLOW_HOME: join(tool.folder, "users", user) };
    desk = openTerminal(tool, ["bubble", "create", "--id", id, "--task", "Fix the total"], { env });
    return desk;
  };

  it.each([
    ["y", "confirms", "said-yes"],
    ["", "is yes too, as [Y/n] says: Enter confirms", "said-enter"],
  ])("%j %s", async (key, _does, id) => {
    const person = ask(id);
    await person.sees(
      /Gates found \(javascript\), .*sandbox.*:\n {2}test {2}required {2}npm run test\nUse them\? \[Y\/n\]/,
    );
    person.types(key);
    const { code, screen } = await person.ends();
    expect(code).toBe(0);
    expect(screen).toContain(`Created ${id}: branch bubble/${id} from main`);
    expect(tool.log(id)[0]).toMatchObject({ payload: { profile: { confirmed: true } } });
  });

  it("what was confirmed once is not asked about again", async () => {
    const person = ask("once-more", "said-yes");
    const { code, screen } = await person.ends();
    expect(code).toBe(0);
    expect(screen).not.toContain("Use them?");
    expect(tool.log("once-more")[0]).toMatchObject({ payload: { profile: { confirmed: true } } });
  });

  it("shows the gates as they will run, each with what is special about it", async () => {
    const scripts = { lint: "node --check src/cart.js", test: "node --test" };
    const files = {
      "package.json": JSON.stringify({ name: "shop", scripts }),
      "tasks/cart.md": "# The total\n",
    };
    const shop = rig({ files });
    const typecheck = ["--gate", "typecheck=cd finder && npx tsc --noEmit", "--yes"];
    const words = ["bubble", "create", "--id", "fix-cart", "--task", "tasks/cart.md", ...typecheck];
    desk = openTerminal(shop, words, { columns: 80 });
    const { code, screen } = await desk.ends();
    expect(code, screen).toBe(0);
    expectShown("docs/gates.md", "$ pairflow bubble create --id fix-cart", screen);
    const toml = join(shop.repo, ".pairflow", "bubbles", "fix-cart", "bubble.toml");
    expectShown("docs/gates.md", "[commands]", readFileSync(toml, "utf8"));
    await shop.close();
  });

  it("n makes nothing and says how to name other commands", async () => {
    const person = ask("said-no");
    await person.sees("Use them? [Y/n]");
    person.types("what?");
    await person.sees(/Press one of the keys y, n\.\nUse them\? \[Y\/n\] *\n*$/);
    person.types("n");
    const { code, screen } = await person.ends();
    expect(code).toBe(2);
    expect(screen).toMatch(/create\.unconfirmed[\s\S]*--test <command>/);
    expect(await tool.run("bubble", "status", "--id", "said-no")).toMatchObject({ code: 1 });
  });
});

describe("agents that nobody can start", () => {
  it("whose installation is known are what comes next, and no file to edit", async () => {
    // Neither of the usual agents is on this PATH, only what a bubble is made with.
    const bare = tool.with({ PATH: "/usr/bin:/bin" });
    const made = await bare.ok("create", "x", "--id", "bare", "--yes", "--no-tests", "--reason", "none");
    expect(made).toContain(
      "\nNext: npm install -g @openai/codex && npm install -g @anthropic-ai/claude-code\nNext: pairflow bubble start --id bare\n",
    );
    expect(made).not.toContain("edit ");
  });

  it("are named at creation, and the bubble does not start until they can be", async () => {
    const made = await tool.ok(
      "bubble",
      "create",
      "--id",
      "lost",
      "--task",
      "x",
      "--yes",
      "--reviewer",
      "nobody",
    );
    expect(made).toMatch(/nobody: nobody is not on the PATH/);
    expect(made).toContain("Next: edit .pairflow/bubbles/lost/bubble.toml");
    const refused = await tool.run("bubble", "start", "--id", "lost", "--headless");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("agent.not-ready") });
    expect(refused.stderr).toContain(`${tool.repo}/.pairflow/bubbles/lost/bubble.toml`);
    expect((await tool.status("lost")).state).toBe("CREATED");
    const script = tool.script("lost", shortest.implementer);
    const settings = ["codex", "nobody"].map(
      (agent) => `\n[agent.${agent}]\nadapter = "scripted"\nscript = "${script}"\n`,
    );
    edit(tool, "lost", (text) => text + settings.join(""));
    edit(tool, "lost", (text) => text.replace(/script = "(.*)"/, 'scirpt = "$1"'));
    const typo = await tool.run("bubble", "start", "--id", "lost", "--headless");
    expect(typo.stderr).toMatch(/adapter scripted has no setting scirpt.*script/);
    edit(tool, "lost", (text) => text.replace("scirpt", "script"));
    expect(await tool.run("bubble", "start", "--id", "lost", "--headless", "--detach")).toMatchObject({
      code: 0,
    });
    await tool.ok("bubble", "stop", "--id", "lost");
  });
});

describe("a document to follow", () => {
  it("--implements is refused for an unknown bubble, one that is no document, and one nobody approved", async () => {
    await createScripted(tool, "code", shortest);
    await createScripted(tool, "prd", documentTurns, "--kind", "document", "--document", documentPath);
    const following = (source: string) =>
      create("--id", "follower", "--task", "x", "--yes", "--implements", source);
    expect(await following("nothing")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("document.unknown"),
    });
    expect(await following("code")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("document.not-a-document"),
    });
    const early = await following("prd");
    expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining("document.not-approved") });
    expect(early.stderr).toContain("document bubble prd is CREATED");
    await tool.ok("bubble", "start", "--id", "prd", "--headless");
    expect((await following("prd")).stderr).toContain("document bubble prd is WAITING_HUMAN");
    const understood = [
      "--choose",
      "understood",
      "--message",
      "carts of signed-in shoppers are kept for 90 days",
    ];
    expect(await grant(tool, "bubble", "reply", "--id", "prd", ...understood)).toMatchObject({ code: 0 });
    await tool.until("prd", ({ state }) => state === "READY_FOR_APPROVAL", "the document is understood");
    expect(await grant(tool, "bubble", "approve", "--id", "prd", "--yes")).toMatchObject({ code: 0 });
    expect(await following("prd")).toMatchObject({ code: 0 });
    const [first] = tool.log("follower");
    expect(first).toMatchObject({ payload: { config: { implements: "prd" } } });
    // What the document promises is what its implementation is judged by.
    const criteria = first?.type === "BUBBLE_CREATED" ? first.payload.task.criteria : [];
    expect(criteria[0]).toContain("Three lines added in a browser appear in the app");
    expect(criteria.length).toBeGreaterThan(1);
  });
});

describe("a project's own configuration", () => {
  const configure = (yaml: string) => {
    tool.write(".pairflow/config.yaml", yaml);
    tool.git("add", "-f", ".pairflow/config.yaml");
    tool.git("commit", "-q", "-m", "configure");
  };

  it("counts as it was committed: defaults, commands, agents, and flags win over it", async () => {
    configure(
      "agents:\n  mia: {adapter: command, command: 'true'}\ndefaults:\n  max_rounds: 3\n  agents: {implementer: mia}\n  commands: {lint: ls}\n",
    );
    tool.write(".pairflow/config.yaml", "defaults:\n  max_rounds: 99\n");
    await tool.ok("bubble", "create", "--id", "project", "--task", "x", "--yes");
    expect(tool.log("project")[0]).toMatchObject({
      payload: {
        config: {
          max_rounds: 3,
          agents: { implementer: "mia", reviewer: "claude" },
          agent: { mia: { command: "true" } },
        },
        profile: { gates: [{ name: "test" }, { name: "lint", command: "ls" }] },
      },
    });
    await tool.ok("bubble", "create", "--id", "flagged", "--task", "x", "--yes", "--max-rounds", "5");
    expect(tool.log("flagged")[0]).toMatchObject({ payload: { config: { max_rounds: 5 } } });
  });

  it("require_document makes --implements a duty for code, not for documents", async () => {
    configure("defaults:\n  require_document: true\n");
    const refused = await create("--id", "free", "--task", "x", "--yes");
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("document.required") });
    expect(refused.stderr).toContain("add --implements <document bubble>");
    expect(
      (await create("--id", "paper", "--task", "x", "--kind", "document", "--document", "docs/paper.md"))
        .code,
    ).toBe(0);
    expect((await create("--id", "bound", "--task", "x", "--yes", "--implements", "prd")).code).toBe(0);
  });

  it("with a wrong key is an error with line and the nearest word", async () => {
    configure("defaults:\n  max_round: 3\n");
    const refused = await create("--id", "wrong", "--task", "x", "--yes");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("config.unknown-key") });
    expect(refused.stderr).toMatch(/config\.yaml:2:\d+.*max_round\b.*max_rounds/s);
    configure("");
  });
});

it("criteria stand in the TASK, in the briefing and in the package", async () => {
  const proven = ["C1 src/cart.txt:1 the only line says two", "src/cart.txt:1 total is 2"];
  const turns = {
    implementer: [
      shortest.implementer[0],
      { role: "reviewer", steps: [{ converge: { summary: "nothing found", checked: proven } }] },
    ],
    reviewer: [
      {
        role: "reviewer",
        steps: [{ pass: { summary: "nothing found", no_findings: true, checked: proven } }],
      },
    ],
  };
  const ready = await runHeadless(tool, "criteria", turns, "--criterion", "the total is two");
  expect(ready.state).toBe("READY_FOR_APPROVAL");
  const task = tool.log("criteria").find((envelope) => envelope.type === "TASK");
  expect(task).toMatchObject({ payload: { criteria: ["the total is two"] } });
  for (const prompt of ["t1.1-codex", "t2.1-claude", "t3.1-codex"]) {
    expect(readArtifact(tool, "criteria", `prompts/${prompt}.md`)).toMatch(
      /## Acceptance criteria\n\n- (\*\*C1\*\* )?the total is two/,
    );
  }
  expect(readArtifact(tool, "criteria", "done-package.md")).toContain("the total is two");
  const shown = await grant(tool, "bubble", "approve", "--id", "criteria");
  expect(shown.stderr).toMatch(/wanted\s+C1 the total is two \(evidence by claude, codex\)/);
});
