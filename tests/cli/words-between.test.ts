// What one agent says and hands in reaches the other one's next prompt, once, and nothing else of it does.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, fullPackage, oneLoop, type Rig, rig } from "../acceptance/rig.ts";
import { readArtifact } from "../helpers/operator.ts";

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
          ...{ severity: "P1", title: "Total is 3", file: "src/cart.txt", line: 1, quote: "total: 3" },
          ...{ why: "the task says two", advice: "Write MARKER-ADVICE instead" },
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
            ...["pass", "--summary", "MARKER-SUMMARY the sum is off", "--findings-file", findings],
            ...["--ref", handed("repro.sh", "grep 2 src/cart.txt\n")],
          ],
        },
      ],
    };
    await createScripted(tool, "words", {
      implementer: [made, ...oneLoop.implementer.slice(1)],
      reviewer: [rejects, ...oneLoop.reviewer.slice(1)],
    });
    await tool.ok("bubble", "start", "--id", "words", "--headless");
    const toReviewer = readArtifact(tool, "words", "prompts/t2.1-claude.md");
    expect(toReviewer).toMatch(/## Files the producer handed in\n\n- \S+artifacts\/refs\/run\.log/);
    expect(toReviewer).not.toContain("MARKER-PRAISE");
    const toProducer = readArtifact(tool, "words", "prompts/t3.1-codex.md");
    expect(toProducer.split("MARKER-SUMMARY")).toHaveLength(2);
    expect(toProducer.split("MARKER-ADVICE")).toHaveLength(2);
    expect(toProducer).toMatch(/Files handed in with it:\n\n- \S+artifacts\/refs\/repro\.sh/);
    const toReviewerAgain = readArtifact(tool, "words", "prompts/t4.1-claude.md");
    for (const word of ["MARKER-SUMMARY", "MARKER-ADVICE", "MARKER-PRAISE"])
      expect(toReviewerAgain).not.toContain(word);
  });
});
