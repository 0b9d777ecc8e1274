// A document bubble from the first draft to the commit: its checks are gates, its two passes have duties, and nobody is
// asked to sign what nobody has understood.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig } from "../acceptance/rig.ts";
import {
  adversarial,
  buildTurnWithoutDuty,
  buildWritingTurn,
  documentPath,
  documentTurns,
  draftDocument,
  dryRun,
  goodDocument,
} from "../helpers/document.ts";
import { goOn, grant, readArtifact, runAt, runHeadless } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

const flags = ["--kind", "document", "--document", documentPath];
const understood = [
  "--choose",
  "understood",
  "--message",
  "Signed-in shoppers get one cart on all devices, merged at sign-in, kept for 90 days; guests and wish lists are left out",
];

describe("a document bubble", () => {
  it("sends a draft back with the lines of the four checks, and asks no critic about it", async () => {
    const turns = {
      ...documentTurns,
      implementer: [buildWritingTurn(draftDocument), buildWritingTurn(goodDocument), dryRun],
    };
    const task = ["--task", "Describe saved carts"];
    const created = await createScripted(tool, "cart-prd", turns, ...flags, ...task);
    expectShown("docs/documents.md", "$ pairflow bubble create --id cart-prd", created);
    await tool.ok("bubble", "start", "--id", "cart-prd", "--headless");
    const waiting = await tool.status("cart-prd");
    expect(waiting).toMatchObject({
      state: "WAITING_HUMAN",
      round: 3,
      questions: [{ kind: "comprehension" }],
    });
    const first = tool.log("cart-prd").find((envelope) => envelope.type === "GATES_RESULT");
    expect(first?.payload).toMatchObject({
      results: expect.arrayContaining(
        ["completeness", "ambiguity", "consistency", "traceability"].map((name) =>
          expect.objectContaining({ name, status: "failed", required: true }),
        ),
      ),
    });
    expect(readArtifact(tool, "cart-prd", "prompts/t2.1-codex.md")).toMatch(/docs\/cart\.md:\d+: /);
  });

  it("converges only when both passes have answered the questions of their duty", async () => {
    const lazy = buildTurnWithoutDuty({ checked: [`${documentPath}:21 the merge keeps the larger amount`] });
    const waiting = await runHeadless(tool, "lazy", { ...documentTurns, reviewer: [lazy] }, ...flags);
    expect(waiting).toMatchObject({ state: "WAITING_HUMAN" });
    const warnings = tool.log("lazy").flatMap(({ type, payload }) => (type === "WARNING" ? [payload] : []));
    expect(warnings[0]).toMatchObject({
      code: "review.evidence",
      details: expect.arrayContaining([expect.stringMatching(/^contradictions /)]),
    });
    expect(readArtifact(tool, "cart-prd", "prompts/t3.1-claude.md")).toContain("## Adversarial pass");
    expect(readArtifact(tool, "cart-prd", "prompts/t4.1-codex.md")).toContain("## Implementability dry-run");
  });

  it("asks whether it was understood, and takes neither a shrug nor a waiver for it", async () => {
    const reply = (...words: string[]) => grant(tool, "bubble", "reply", "--id", "cart-prd", ...words);
    expectShown(
      "docs/documents.md",
      "$ pairflow bubble status --id cart-prd",
      await tool.run("bubble", "status", "--id", "cart-prd"),
    );
    expect(await grant(tool, "bubble", "approve", "--id", "cart-prd", "--yes")).toMatchObject({ code: 1 });
    const shrugged = await reply("--choose", "understood", "--message", "ok");
    expect(shrugged).toMatchObject({ code: 1, stderr: expect.stringContaining("reply.own-words") });
    expectShown(
      "docs/documents.md",
      '$ pairflow bubble reply --id cart-prd --choose understood --message "ok"',
      shrugged,
    );
    expect(
      await grant(
        tool,
        "bubble",
        "waive",
        "--id",
        "cart-prd",
        "--gate",
        "comprehension",
        "--reason",
        "no time",
      ),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining("waive.comprehension") });
    expectShown(
      "docs/documents.md",
      '$ pairflow bubble reply --id cart-prd --choose understood --message "Signed-in',
      await reply(...understood),
    );
    await tool.until("cart-prd", ({ state }) => state === "READY_FOR_APPROVAL", "a signature is asked for");
    const approved = await grant(tool, "bubble", "approve", "--id", "cart-prd", "--yes");
    expectShown("docs/documents.md", "$ pairflow bubble approve --id cart-prd", approved);
    const committed = await grant(tool, "bubble", "commit", "--id", "cart-prd");
    expectShown("docs/documents.md", "$ pairflow bubble commit --id cart-prd", committed);
    expect(tool.git("show", `bubble/cart-prd:${documentPath}`)).toBe(goodDocument);
  });

  it("goes back to its author when it was not understood", async () => {
    const turns = {
      implementer: [buildWritingTurn(goodDocument), dryRun],
      reviewer: [adversarial, buildWritingTurn(`${goodDocument}\n`)],
    };
    await runHeadless(tool, "unclear", turns, ...flags);
    const reply = [
      "bubble",
      "reply",
      "--id",
      "unclear",
      "--choose",
      "unclear",
      "--message",
      "what is a line here?",
    ];
    expect(await tool.run(...reply)).toMatchObject({ code: 0 });
    const again = await tool.until("unclear", ({ round }) => round > 2, "the author goes again");
    expect(again.active_role).toBe("implementer");
    await tool.ok("bubble", "stop", "--id", "unclear");
  });

  it("lets a human waive a check by name and reason, which the package shows", async () => {
    const vague = goodDocument.replace(
      "within 2 seconds, measured at p95 over one day in production",
      "quickly",
    );
    const turns = {
      implementer: [buildWritingTurn(vague), buildWritingTurn(`${vague}\n`), dryRun],
      reviewer: [adversarial],
    };
    const waiting = await runHeadless(tool, "returns-prd", turns, ...flags, "--max-rounds", "1");
    expect(waiting.questions[0]?.kind).toBe("exhausted");
    const waive = ["bubble", "waive", "--id", "returns-prd", "--gate", "ambiguity"];
    expect(await tool.run(...waive, "--reason", "x")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("operator.no-terminal"),
    });
    const cwd = tool.worktree("returns-prd");
    const checked = await runAt(tool, { cwd }, "document", "check", documentPath, "--check", "ambiguity");
    expectShown("docs/documents.md", "$ pairflow document check docs/cart.md --check ambiguity", checked);
    const waived = await grant(tool, ...waive, "--reason", "the figure comes with the tender");
    expectShown("docs/documents.md", "$ pairflow bubble waive --id returns-prd", waived);
    const asked = await goOn(
      tool,
      "returns-prd",
      ...[
        "bubble",
        "reply",
        "--id",
        "returns-prd",
        "--choose",
        "continue",
        "--rounds",
        "3",
        "--message",
        "continue",
      ],
    );
    expect(asked).toMatchObject({ questions: [{ kind: "comprehension" }] });
    expect(readArtifact(tool, "returns-prd", "done-package.md")).toContain(
      "waived: ambiguity (the figure comes with the tender)",
    );
    await tool.ok("bubble", "stop", "--id", "returns-prd");
  });
});

describe("the flags", () => {
  it("want a document for a document bubble, and none for code", async () => {
    const create = (...more: string[]) => tool.run("bubble", "create", "--id", "x", "--task", "x", ...more);
    expect(await create("--kind", "document")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("create.no-document"),
    });
    expect(await create("--document", "docs/a.md", "--test", "true")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("create.document-kind"),
    });
    expect(await create("--kind", "document", "--document", "../a.md")).toMatchObject({ code: 2 });
  });
});
