// pairflow brief: what a role is told, word for word, and what it is kept from.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig } from "../acceptance/rig.ts";
import { readLastPrompt } from "../helpers/operator.ts";

const asking = { role: "implementer", steps: [{ ask: { question: "Which one?" } }] };
const building = {
  role: "implementer",
  steps: [
    { write: { path: "src/cart.txt", text: "total: 2\n" } },
    { pass: { summary: "a masterpiece", ...fullPackage } },
  ],
};
const wondering = { role: "reviewer", steps: [{ ask: { question: "What about tax?" } }] };

const files = {
  ".pairflow/sops/totals.md":
    "---\napplies_to: src/**\nrequirements: [Totals are whole numbers]\n---\nNo floats in totals.\n",
  ".pairflow/sops/sql.md": "---\napplies_to: '*.sql'\nseverity: warning\n---\nGo back too.\n",
  ".pairflow/constitution.md": "## Purpose\nSell things.\n\n## Standards\n- every branch is tested\n",
};

let tool: Rig;
beforeAll(async () => {
  tool = rig({
    files,
  });
  await createScripted(tool, "cart", { implementer: [building, asking], reviewer: [wondering] });
});
afterAll(() => tool.close());

const brief = (...flags: string[]) => tool.run("brief", ...flags);
const secrets = ["No floats", "whole numbers", "source.doc.sops", "every branch is tested", "Go back"];

describe("before the start", () => {
  it("an implementer is told task and purpose; SOPs and Standards are named as kept from it", async () => {
    const { code, stdout, stderr } = await brief("--role", "implementer", "--bubble", "cart");
    expect(code).toBe(0);
    expect(stdout).toContain("# cart · round 1 · codex is the implementer");
    expect(stdout).toContain("Sell things.");
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
    expect(`\n${stderr}`).toMatchInlineSnapshot(`
      "
      codex, implementer, would be told this, if it were its turn now
      Kept from this role:
        SOPs (review.blind = true)
          source.doc.sops.sql (warning)
          source.doc.sops.totals (error)
        Standards of the constitution
          .pairflow/constitution.md
        files that are not checked out
          .pairflow/constitution.md
          .pairflow/sops/sql.md
          .pairflow/sops/totals.md
      "
    `);
  });

  it("--id says the same as --bubble; both may not contradict one another", async () => {
    const both = [
      await brief("--role", "reviewer", "--id", "cart"),
      await brief("--role", "reviewer", "--bubble", "cart"),
    ];
    expect(both[0]).toEqual(both[1]);
    expect(await brief("--role", "reviewer", "--id", "cart", "--bubble", "other")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("(usage.contradiction)"),
    });
  });

  it("an unknown role is told the roles there are", async () => {
    expect(await brief("--role", "reviewr", "--bubble", "cart")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("did you mean reviewer? (knowledge.unknown-role)"),
    });
  });
});

describe("while a reviewer has the turn", () => {
  beforeAll(async () => {
    await tool.ok("bubble", "start", "--id", "cart", "--headless");
  });

  it("it is told exactly what the engine told it: the SOPs of the changed files, and Standards", async () => {
    const { stdout } = await brief("--role", "reviewer", "--bubble", "cart");
    const prompt = readLastPrompt(tool, "cart");
    expect(prompt).toContain("claude is the reviewer");
    expect(stdout).toBe(prompt);
    expect(stdout).toContain("### source.doc.sops.totals (error)");
    expect(stdout).toContain("- Totals are whole numbers");
    expect(stdout).toContain("No floats in totals.");
    expect(stdout).toContain("every branch is tested");
    expect(stdout).not.toContain("source.doc.sops.sql");
  });

  it("what the producer says of itself is kept from it", async () => {
    const { stdout, stderr } = await brief("--role", "reviewer", "--bubble", "cart");
    expect(stdout).not.toContain("a masterpiece");
    expect(stderr).toContain("the producer's words about itself (reviewer_sees_summary = false)");
  });

  it("the context of the tree is on the record", () => {
    const handoff = tool.log("cart").findLast((line) => line.type === "HANDOFF");
    expect(handoff?.payload).toMatchObject({
      context: {
        sops: [{ id: "source.doc.sops.totals", severity: "error" }],
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
  });

  it("the implementer's files hold no SOP, and its prompt none of what reviewers judge by", () => {
    const started = tool.log("cart").find((line) => line.type === "TURN_STARTED");
    const prompt = started?.type === "TURN_STARTED" ? started.payload.prompt : "";
    const text = readFileSync(join(tool.repo, ".pairflow", "bubbles", "cart", "artifacts", prompt), "utf8");
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    expect(() => readFileSync(join(tool.worktree("cart"), ".pairflow/sops/totals.md"))).toThrow();
  });
});

describe("review.blind = false", () => {
  it("tells the implementer everything, marked as what reviewers check", async () => {
    const open = rig({
      files: { ...files, ".pairflow/config.yaml": "defaults:\n  review:\n    blind: false\n" },
    });
    await createScripted(open, "open", { implementer: [building, asking], reviewer: [wondering] });
    await open.ok("bubble", "start", "--id", "open", "--headless");
    const { stdout, stderr } = await open.run("brief", "--role", "implementer", "--bubble", "open");
    await open.close();
    expect(stdout).toContain("## SOPs that reviewers check");
    expect(stdout).toContain("every branch is tested");
    expect(stderr).toContain("Nothing is kept from this role");
  });
});

it("pinned knowledge does not change when the base branch does, and is refused when its file was touched", async () => {
  tool.write(".pairflow/sops/totals.md", "Changed since.\n");
  tool.git("commit", "-qam", "later");
  expect((await brief("--role", "reviewer", "--bubble", "cart")).stdout).toContain("No floats in totals.");
  const file = join(tool.repo, ".pairflow", "bubbles", "cart", "artifacts", "knowledge.json");
  const before = readFileSync(file, "utf8");
  tool.write(".pairflow/bubbles/cart/artifacts/knowledge.json", before.replace("No floats", "Floats"));
  expect(await brief("--role", "implementer", "--bubble", "cart")).toMatchObject({
    stderr: expect.stringContaining("knowledge.damaged"),
  });
});
