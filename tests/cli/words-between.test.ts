// What one agent says and hands in reaches the other one's next prompt, once, and nothing else of it does.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, fullPackage, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { readArtifact } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

let tool: Rig;
beforeAll(() => {
  tool = rig();
});
afterAll(() => tool.close());

describe("a pass with words and files", { timeout: 60_000 }, () => {
  it("tells the reviewer the producer's files, and the producer the reviewer's words, advice and files", async () => {
    const handed = (name: string, text: string) => {
      const path = join(tool.folder, name);
      mkdirSync(tool.folder, { recursive: true });
      writeFileSync(path, text);
      return path;
    };
    const findings = handed(
      "findings.json",
      JSON.stringify([
        {
          ...{ severity: "P1", title: "Total is net", file: "src/cart.txt", line: 1, quote: "total: 3" },
          ...{
            why: "AC1 wants the gross total",
            advice: "Take the rate from config/rates.txt instead of a constant",
          },
        },
      ]),
    );
    const made = {
      role: "implementer",
      steps: [
        { write: { path: "src/cart.txt", text: "total: 3\n" } },
        {
          pass: {
            summary: "MARKER-PRAISE, flawless",
            refs: [handed("run.log", "all green\n")],
            ...fullPackage,
          },
        },
      ],
    };
    const rejects = {
      role: "reviewer",
      steps: [
        {
          verb: [
            ...[
              "pass",
              "--summary",
              "The total is net; everything else follows the document",
              "--findings-file",
              findings,
            ],
            ...["--ref", handed("totals.md", "gross: 2\n")],
          ],
        },
      ],
    };
    await createScripted(tool, "saved-carts", {
      implementer: [made, ...oneLoop.implementer.slice(1)],
      reviewer: [rejects, ...oneLoop.reviewer.slice(1)],
    });
    await tool.ok("bubble", "start", "--id", "saved-carts", "--headless");
    const toReviewer = readArtifact(tool, "saved-carts", "prompts/t2.1-claude.md");
    expect(toReviewer).toMatch(/## Files the producer handed in\n\n- \S+artifacts\/refs\/run\.log/);
    expect(toReviewer).not.toContain("MARKER-PRAISE");
    const toProducer = readArtifact(tool, "saved-carts", "prompts/t3.1-codex.md");
    expect(toProducer.split("The total is net;")).toHaveLength(2);
    expect(toProducer.split("Take the rate")).toHaveLength(2);
    expect(toProducer).toMatch(/Files handed in with it:\n\n- \S+artifacts\/refs\/totals\.md/);
    expectShown("docs/reviews.md", "## Findings", toProducer);
    const toReviewerAgain = readArtifact(tool, "saved-carts", "prompts/t4.1-claude.md");
    for (const word of ["The total is net;", "Take the rate", "MARKER-PRAISE"])
      expect(toReviewerAgain).not.toContain(word);
  });
});
