// Conventions are learned: from a critic's verdict through a human's consent to the critic of a later bubble.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { InboxItem } from "../../src/core/views/bubble/inbox.ts";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
import { grant, readArtifact, readLastPrompt } from "../helpers/operator.ts";
import { quality_checks } from "../helpers/quality.ts";
import { expectShown } from "../helpers/shown.ts";
import {
  cents,
  committed,
  implementer,
  listed,
  notices,
  plain,
  reviewed,
  signs,
} from "./conventions-scene.ts";
import { configure, makes } from "./workflow-scene.ts";

// Four whole bubbles one after the other: a busy machine takes its time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const sop = "---\napplies_to: src/**\nseverity: info\n---\nNo floats in totals.\n";
const inbox = async (tool: Rig): Promise<InboxItem[]> =>
  JSON.parse(await tool.ok("inbox", "--json")).items.filter((item: InboxItem) => item.kind === "convention");
const fileOf = (tool: Rig, name: string) => join(tool.repo, ".pairflow", name);

describe("the whole way", () => {
  let tool: Rig;
  beforeAll(() => {
    tool = rig({ files: { ".pairflow/sops/totals.md": sop } });
  });
  afterAll(() => tool.close());

  it("counts what approving reviewers noticed once the work is committed, and asks nobody before the third", async () => {
    await reviewed(tool, "fix-total", cents, plain);
    expect(await listed(tool)).toEqual([]);
    await signs(tool, "fix-total");
    await committed(tool, "round-total", { ...cents, name: "totals in cents" });
    expectShown("docs/knowledge.md", "$ pairflow conventions list", await tool.ok("conventions", "list"));
    expect(await listed(tool)).toMatchObject([
      {
        name: "Totals in cents",
        status: "counted",
        evidence: [
          { bubble: "fix-total", agent: "claude" },
          { bubble: "round-total", agent: "claude" },
        ],
      },
      { name: "Plain text carts", status: "counted" },
    ]);
    expect(await inbox(tool)).toEqual([]);
  });

  it("asks in the one inbox and on the home screen, and rings once", async () => {
    const told = join(tool.folder, "told.txt");
    await createScripted(tool, "show-total", {
      implementer,
      reviewer: [notices({ ...cents, pattern: "Money is counted in whole cents" })],
    });
    const toml = join(tool.repo, ".pairflow", "bubbles", "show-total", "bubble.toml");
    const command = `printf '%s\\\\n' \\"$PAIRFLOW_TEXT\\" >> ${told}`;
    writeFileSync(
      toml,
      readFileSync(toml, "utf8").replace(
        /^\[notifications\]$[^[]*/m,
        `[notifications]\nenabled = true\ncommand = "${command}"\n\n`,
      ),
    );
    await tool.ok("bubble", "start", "--id", "show-total", "--headless");
    await signs(tool, "show-total");
    await tool.ok("conventions", "list");
    const rung = readFileSync(told, "utf8").split("\n");
    expect(rung.filter((line) => line.includes("A convention?"))).toEqual([
      "Totals in cents: critics of 3 bubbles noticed it. A convention?",
    ]);

    expect(await inbox(tool)).toMatchObject([
      {
        bubble: null,
        kind: "convention",
        from: "claude",
        command: 'pairflow conventions accept "Totals in cents"',
        convention: { ...cents, applies_to: ["src/**"] },
      },
    ]);
    const shown = await tool.ok("inbox");
    expectShown("docs/knowledge.md", "$ pairflow inbox", shown);
    expect(shown).toMatch(/^project {3}convention {3}.* ago {3}from claude$/m);
    expect(shown).toContain("Totals in cents: Amounts are whole numbers of cents (src/**)");
    expect(shown).toMatch(/· fix-total: claude approved tree [0-9a-f]{12}, \d{4}-\d\d-\d\d/);
    expect(shown).toContain('pairflow conventions dismiss "Totals in cents"');
    const home = await tool.ok();
    expect(home).toMatch(/needs you\n {4}project +convention +"Totals in cents: /);
    expect(JSON.parse(await tool.ok("home", "--json")).inbox).toMatchObject([{ kind: "convention" }]);
  });

  it("tells nobody before a human has consented, and no agent can", async () => {
    const agent = tool.with({ PAIRFLOW_TURN: "show-total/t1" });
    expect(await agent.run("conventions", "accept", "Totals in cents")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(operator.inside-agent)"),
    });
    expect(await agent.run("conventions", "list")).toMatchObject({ code: 1 });
    expect((await agent.run("inbox")).stdout).not.toContain("cents");
    expect(await tool.run("conventions", "accept", "Totals in cents")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(operator.no-terminal)"),
    });
    expect(existsSync(fileOf(tool, "conventions.ndjson"))).toBe(false);
  });

  it("accepted and committed it reaches the next reviewer behind SOPs, and not the implementer", async () => {
    const reason = ["--reason", "it never pays to round"];
    const accepted = await grant(tool, "conventions", "accept", "totals in c", ...reason);
    expect(accepted).toMatchObject({ code: 0 });
    expectShown("docs/knowledge.md", "$ pairflow conventions accept", accepted);
    expect(accepted.stdout).toBe(
      'Accepted "Totals in cents" for src/**, by Tester (operator-key)\nBubbles read it from their base commit: git add -f .pairflow/conventions.ndjson && git commit -m conventions .pairflow/conventions.ndjson\n',
    );
    expect(JSON.parse(readFileSync(fileOf(tool, "conventions.ndjson"), "utf8"))).toEqual({
      ...cents,
      applies_to: ["src/**"],
      accepted_by: "Tester (operator-key)",
      accepted_at: expect.stringMatching(/^\d{4}-/),
      evidence: [
        expect.stringMatching(/^fix-total: claude approved tree /),
        expect.stringMatching(/^round-total: /),
        expect.stringMatching(/^show-total: /),
        "accepted because: it never pays to round",
      ],
    });
    expect(await inbox(tool)).toEqual([]);
    expect((await tool.run("conventions", "list")).stderr).toContain(
      "Not committed, so it does not count yet",
    );
    tool.git("add", "-f", ".pairflow/conventions.ndjson");
    tool.git("commit", "-q", "-m", "conventions");
    expect((await tool.run("conventions", "list")).stderr).toBe("");

    const doubts = {
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: "doubts",
            findings: ["P3:A comment is missing @ src/cart.txt:1 | total: 2"],
            checked: ["src/cart.txt:1 says the total that the task asks for"],
          },
        },
      ],
    };
    const asks = { role: "reviewer", steps: [{ ask: { question: "May I?" } }] };
    await createScripted(tool, "four", { implementer: [implementer[0], asks], reviewer: [doubts, asks] });
    await tool.ok("bubble", "start", "--id", "four", "--headless");
    const words = ["--choose", "waive", "--message", "Comments are not asked for"];
    const waived = await grant(tool, "bubble", "reply", "--id", "four", ...words);
    expect(waived, waived.stderr).toMatchObject({ code: 0 });
    await tool.until("four", ({ questions }) => questions[0]?.kind === "agent", "the next reviewer asks");
    const told = readLastPrompt(tool, "four");
    const titles = ["SOPs you must answer for", "Decided by a human before", "Conventions of this project"];
    const places = titles.map((title) => told.indexOf(`## ${title}`));
    expect(places.every((place) => place > 0)).toBe(true);
    expect([...places].sort((a, b) => a - b)).toEqual(places);
    expectShown("docs/knowledge.md", "## Conventions of this project", told);
    expect(readArtifact(tool, "four", "prompts/t1.1-codex.md")).not.toContain("cents");
  });

  it("retired it leaves the file and is not asked about again", async () => {
    expect(await tool.run("conventions", "retire", "1")).toMatchObject({ code: 2 });
    await tool.ok("conventions", "retire", "1", "--reason", "the ledger keeps cents now");
    expect(readFileSync(fileOf(tool, "conventions.ndjson"), "utf8")).toBe("");
    const all = await tool.run("conventions", "list", "--all");
    expectShown("docs/knowledge.md", "$ pairflow conventions list --all", `${all.stderr}${all.stdout}`);
    expect((await listed(tool)).filter(({ name }) => name === cents.name)).toMatchObject([
      {
        status: "retired",
        decision: { kind: "retired", by: "Tester (cli)", reason: "the ledger keeps cents now" },
      },
    ]);
    expect(await inbox(tool)).toEqual([]);
  });
});

describe("what does not count", () => {
  let tool: Rig;
  beforeAll(() => {
    tool = rig();
  });
  afterAll(() => tool.close());

  it("is a bubble that was stopped, whatever its critics said", async () => {
    await reviewed(tool, "stopped", cents);
    await tool.ok("bubble", "stop", "--id", "stopped");
    expect(await listed(tool)).toEqual([]);
  });

  it("is a bubble that was counted before: the same commit again changes nothing", async () => {
    await committed(tool, "kept", cents);
    const before = readFileSync(fileOf(tool, "learned.ndjson"), "utf8");
    expect(await grant(tool, "bubble", "commit", "--id", "kept")).toMatchObject({ code: 0 });
    expect(readFileSync(fileOf(tool, "learned.ndjson"), "utf8")).toBe(before);
  });

  it("is counted all the same when the commit was cut off behind its line", async () => {
    const points = join(tool.folder, "points");
    const commit = (id: string, env: Record<string, string> = {}) =>
      grant(tool.with({ PAIRFLOW_CRASH_FILE: points, ...env }), "bubble", "commit", "--id", id);
    for (const id of ["whole", "cut"]) {
      await reviewed(tool, id, { ...cents, name: `Of ${id}`, pattern: `Of ${id}` });
      expect(await grant(tool, "bubble", "approve", "--id", id, "--yes")).toMatchObject({ code: 0 });
    }
    expect(await commit("whole")).toMatchObject({ code: 0 });
    const at = readFileSync(points, "utf8").split("\n").indexOf("commit.recorded") + 1;
    expect(at).toBeGreaterThan(1);
    rmSync(points);
    expect((await commit("cut", { PAIRFLOW_CRASH_AT: String(at) })).code).not.toBe(0);
    expect(readFileSync(`${points}.killed`, "utf8")).toBe("commit.recorded");
    expect(readFileSync(fileOf(tool, "learned.ndjson"), "utf8")).not.toContain("Of cut");
    expect((await tool.status("cut")).state).toBe("DONE");
    expect((await listed(tool)).map(({ name }) => name)).toEqual(["Totals in cents", "Of whole", "Of cut"]);
  });

  it("is what a person said no to: it is shown with --all, and asked about never", async () => {
    expect(await tool.ok("conventions", "dismiss", "of w", "--reason", "only once")).toBe(
      'Dismissed "Of whole": it is not asked again\n',
    );
    const short = await tool.ok("conventions", "list");
    expect(short).not.toContain("Of whole");
    expect(short).toContain("1 dismissed or retired one: pairflow conventions list --all");
    expect(await tool.ok("conventions", "list", "--all")).toMatch(
      /^dismissed\n {2}2 +Of whole +\S+ by Tester \(cli\) +src\/\*\* +Of whole\n +because: only once$/m,
    );
  });

  it("is a name that means nothing, or too much", async () => {
    const codes = async (...words: string[]) => {
      const { code, stderr } = await grant(tool, "conventions", ...words);
      return [code, /\(([a-z.-]+)\)$/m.exec(stderr)?.[1]];
    };
    expect(await codes("accept", "of")).toEqual([1, "conventions.ambiguous"]);
    expect(await codes("accept", "nothing like it")).toEqual([1, "conventions.unknown"]);
    expect(await codes("accept", "Of", "cut")).toEqual([2, "usage.extra-word"]);
    expect(await codes("accept")).toEqual([2, "usage.missing-word"]);
    expect(await codes("accept", "Of cut", "--applies-to", "/src")).toEqual([1, "conventions.bad-pattern"]);
    const retired = await tool.run("conventions", "retire", "Of cut", "--reason", "old");
    expect(retired.stderr).toContain("(conventions.not-accepted)");
  });

  it("is a file that cannot be read: it is told, hides nothing and keeps no bubble from its commit", async () => {
    const before = readFileSync(fileOf(tool, "learned.ndjson"), "utf8");
    writeFileSync(fileOf(tool, "learned.ndjson"), "what?\n");
    await committed(tool, "besides", cents);
    expect(await tool.run("conventions", "list")).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("learned.ndjson:1: is not JSON (conventions.unreadable)"),
    });
    expect(await tool.ok("inbox")).toContain("learned.ndjson:1: is not JSON");
    writeFileSync(fileOf(tool, "learned.ndjson"), before);
    expect((await listed(tool))[0]?.evidence.map(({ bubble }) => bubble)).toEqual(["kept", "besides"]);
  });
});

describe("a child", () => {
  const workflow = `
id: side-by-side
max_concurrent: 2
join: { agent: codex, reviewer: rex }
tasks:
  cart: { agent: codex, overlays: { agentic_review: { enabled: true, reviewer_agent: claude } } }
  shop: { agent: ben }
`;
  const goes = (...patterns: object[]) => ({
    review: { tree: "{{tree}}", decision: "GO", quality_checks, feedback: "good", findings: [], patterns },
  });
  const scripts = {
    codex: [makes("src/cart.txt", "total: 2\n")],
    ben: [makes("src/shop.txt", "open\n")],
    claude: [{ steps: [goes(cents)] }],
    rex: [{ steps: [goes()] }],
  };

  it("teaches when a human has signed what its parent made of it, and not before", async () => {
    const tool = rig();
    try {
      configure(tool, scripts);
      writeFileSync(join(tool.folder, "work.yaml"), workflow);
      const words = ["--task", "Make both", "--test", "true", "--headless", "--id", "all"];
      const ran = await tool.run("workflow", "run", join(tool.folder, "work.yaml"), ...words);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect((await tool.status("all-cart")).state).toBe("DONE");
      expect(await listed(tool)).toEqual([]);
      await signs(tool, "all");
      expect(await listed(tool)).toMatchObject([
        { name: "Totals in cents", evidence: [{ bubble: "all-cart", parent: "all", agent: "claude" }] },
      ]);
    } finally {
      await tool.close();
    }
  });
});
