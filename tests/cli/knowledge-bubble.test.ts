// A bubble in a project with SOPs, from the blind producer to the commit; and what happens when its critics cannot be told.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createScripted, fullPackage, type Rig, rig } from "../acceptance/rig.ts";
import { edit, goOn, grant, readArtifact, runHeadless } from "../helpers/operator.ts";

const rigs: Rig[] = [];
afterEach(async () => {
  for (const tool of rigs.splice(0)) await tool.close();
});

const sops = {
  ".pairflow/sops/totals.md": `---\napplies_to: src/**\nrequirements: [Totals are whole numbers]\n---\n${"No floats in totals. ".repeat(60)}\n`,
  ".pairflow/sops/naming.md": "---\napplies_to: src/**\nseverity: warning\n---\nNames say what they hold.\n",
  ".pairflow/constitution.md": "## Purpose\nSell things.\n\n## Standards\n- every branch is tested\n",
};

function project(config = ""): Rig {
  const tool = rig({ files: { ...sops, ...(config ? { ".pairflow/config.yaml": config } : {}) } });
  rigs.push(tool);
  return tool;
}

const build = {
  role: "implementer",
  steps: [
    { run: 'ls -R .pairflow > "$PAIRFLOW_OUT/seen.txt"; git status --short >> "$PAIRFLOW_OUT/seen.txt"' },
    { write: { path: "src/cart.txt", text: "total: 2\n" } },
    { pass: { summary: "done", ...fullPackage } },
  ],
};
const answers = [
  "totals passed src/cart.txt:1 holds 2, a whole number",
  "naming passed src/cart.txt:1 calls the sum of the cart total",
];
const clean = {
  role: "reviewer",
  steps: [{ pass: { summary: "looked", no_findings: true, sops: answers } }],
};
const last = { role: "reviewer", steps: [{ converge: { summary: "looked again", sops: answers } }] };
const turns = { implementer: [build, last], reviewer: [clean] };

describe("a bubble in a project with SOPs", () => {
  it("hides them from who builds, has them answered for, and commits them as they were", async () => {
    const tool = project();
    const ready = await runHeadless(tool, "cart", turns);
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    const seen = readFileSync(join(tool.worktree("cart"), "..", ".out", "cart", "t1", "seen.txt"), "utf8");
    expect(seen).toBe(".pairflow:\nconfig.yaml\n");
    expect(existsSync(join(tool.worktree("cart"), ".pairflow", "sops"))).toBe(false);
    expect(existsSync(join(tool.worktree("cart"), ".pairflow", "constitution.md"))).toBe(false);
    expect(readArtifact(tool, "cart", "done-package.md")).toContain("- source.doc.sops.totals (error)");
    expect(await grant(tool, "bubble", "approve", "--id", "cart", "--yes")).toMatchObject({ code: 0 });
    expect(await grant(tool, "bubble", "commit", "--id", "cart")).toMatchObject({ code: 0 });
    expect(tool.git("diff", "--name-only", "main", "bubble/cart")).toBe("src/cart.txt\n");
    expect(tool.git("show", "bubble/cart:.pairflow/sops/totals.md")).toBe(sops[".pairflow/sops/totals.md"]);
  });

  it("takes a violated warning to the human, and refuses an approval with a violated error", async () => {
    const tool = project();
    const violates = (slug: string) => ({
      role: "reviewer",
      steps: [
        {
          pass: {
            summary: "looked",
            no_findings: true,
            sops: answers.map((answer) =>
              answer.startsWith(slug) ? answer.replace("passed", "violated") : answer,
            ),
          },
        },
      ],
    });
    const warned = await runHeadless(tool, "warned", { ...turns, reviewer: [violates("naming")] });
    expect(warned.questions).toMatchObject([{ kind: "tie-break", findings: ["F1"] }]);
    await tool.ok("bubble", "stop", "--id", "warned");
    const rejected = await runHeadless(tool, "rejected", {
      implementer: [build, { role: "implementer", steps: [{ ask: "What now?" }] }],
      reviewer: [violates("totals")],
    });
    expect(rejected).toMatchObject({ round: 2, findings: { open: [{ severity: "P1", area: "sop" }] } });
  });
});

describe("critics that cannot be told what they must answer for", () => {
  it("are not asked: SOPs that do not fit are the human's business, whole or not at all", async () => {
    const tool = project("defaults:\n  review:\n    context_chars: 1000\n");
    const waiting = await runHeadless(tool, "big", turns);
    expect(waiting).toMatchObject({ state: "WAITING_HUMAN", questions: [{ kind: "stuck" }] });
    expect(waiting.questions[0]?.text).toMatch(/no reviewer can be asked: .*review\.context_chars is 1000/);
    expect(tool.log("big").filter(({ type }) => type === "PASS")).toHaveLength(1);
  });

  it("are not asked when the pinned knowledge was touched, and nothing is approved for it", async () => {
    const tool = project();
    const touch = {
      role: "implementer",
      steps: [{ ask: "May I?" }, ...build.steps],
    };
    await runHeadless(tool, "touched", { ...turns, implementer: [touch, last] });
    const file = join(tool.repo, ".pairflow", "bubbles", "touched", "artifacts", "knowledge.json");
    writeFileSync(file, readFileSync(file, "utf8").replaceAll("No floats", "Floats"));
    const waiting = await goOn(tool, "touched", "bubble", "reply", "--id", "touched", "--message", "yes");
    expect(waiting.state).not.toBe("READY_FOR_APPROVAL");
    expect(JSON.stringify(waiting)).toContain("knowledge.json is not what was pinned");
  });
});

describe("what has no room", () => {
  it("is left out whole, and the critic is told what", async () => {
    const convention = (name: string, day: string) =>
      JSON.stringify({
        name,
        pattern: "amounts are whole numbers ".repeat(25),
        applies_to: "src/**",
        accepted_by: "the owner",
        accepted_at: `2026-01-0${day}T00:00:00Z`,
        evidence: [],
      });
    const tool = rig({
      files: {
        ".pairflow/config.yaml": "defaults:\n  review:\n    context_chars: 1000\n",
        ".pairflow/conventions.ndjson": `${convention("older", "1")}\n${convention("newer", "2")}\n`,
      },
    });
    rigs.push(tool);
    const wonders = { role: "reviewer", steps: [{ ask: "What about tax?" }] };
    await runHeadless(tool, "tight", { ...turns, reviewer: [wonders] });
    const prompt = readArtifact(tool, "tight", "prompts/t2.1-claude.md");
    expect(prompt).toContain('## Not told here\n\n- left out for lack of room: the convention "older"');
    expect(prompt).toContain("**newer**");
  });
});

describe("settings of reviews in bubble.toml", () => {
  it("may be changed until the bubble starts: blind = false checks the files out", async () => {
    const tool = project();
    await createScripted(tool, "open", turns);
    edit(tool, "open", (text) => text.replace(/^blind = true/m, "blind = false"));
    await tool.ok("bubble", "start", "--id", "open", "--headless");
    expect(existsSync(join(tool.worktree("open"), ".pairflow", "sops", "totals.md"))).toBe(true);
  });
});
