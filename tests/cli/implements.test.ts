// A bubble that implements an approved document: the document itself reaches whoever builds it, judges it and signs it.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { documentPath, documentTurns, goodDocument } from "../helpers/document.ts";
import { changeSetting, goOn, grant, readArtifact, runHeadless } from "../helpers/operator.ts";

let tool: Rig;
const sha256 = createHash("sha256").update(goodDocument).digest("hex");
const sentence = "A signed-in shopper sees the same lines, in the same order";

beforeAll(async () => {
  tool = rig();
  await runHeadless(tool, "prd", documentTurns, "--kind", "document", "--document", documentPath);
  const understood = ["--choose", "understood", "--message", "carts of shoppers are kept for 90 days"];
  await goOn(tool, "prd", "bubble", "reply", "--id", "prd", ...understood, "--operator-key", tool.key);
  expect(await grant(tool, "bubble", "approve", "--id", "prd", "--yes")).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => tool.close());

async function build(id: string, room = "200000"): Promise<void> {
  await createScripted(tool, id, shortest, "--implements", "prd");
  changeSetting(tool, id, "require_evidence", "false");
  changeSetting(tool, id, "context_chars", room);
  await tool.ok("bubble", "start", "--id", id, "--headless");
}

describe("a bubble that implements an approved document", { timeout: 60_000 }, () => {
  it("keeps its bytes as an artifact that the record names with their hash", async () => {
    await build("carts");
    expect(readArtifact(tool, "carts", "implements.md")).toBe(goodDocument);
    const document = { bubble: "prd", path: documentPath, artifact: "implements.md", sha256 };
    const [first] = tool.log("carts");
    const task = tool.log("carts").find(({ type }) => type === "TASK");
    for (const line of [first, task])
      expect(line).toMatchObject({
        payload: { document },
        hashes: { "artifact://implements.md": sha256 },
      });
    expect((await tool.status("carts")).implements).toMatchObject(document);
    expect(await tool.ok("bubble", "status", "--id", "carts")).toContain(
      `${documentPath} as approved in prd`,
    );
  });

  it("tells it to the implementer and to each reviewer", () => {
    for (const prompt of ["t1.1-codex", "t2.1-claude", "t3.1-codex"]) {
      const text = readArtifact(tool, "carts", `prompts/${prompt}.md`);
      expect(text).toContain(
        `## Document to implement\n\n\`${documentPath}\`, approved by a human in the bubble prd.`,
      );
      expect(text).toContain("artifacts/implements.md");
      expect(text.split(sentence)).toHaveLength(2);
    }
  });

  it("names it in the package that is signed", async () => {
    expect(readArtifact(tool, "carts", "done-package.md")).toMatch(
      new RegExp(
        `## Document it implements\n\n- ${documentPath} as approved in prd \\(.*sha256 ${sha256}\\)`,
      ),
    );
    const shown = await tool.run("bubble", "approve", "--id", "carts", "--yes", "--operator-key", tool.key);
    expect(shown).toMatchObject({ code: 0 });
  });

  it("names only its file where the context budget has no room for its words", async () => {
    await build("narrow", "1000");
    const text = readArtifact(tool, "narrow", "prompts/t1.1-codex.md");
    expect(text).toContain("artifacts/implements.md");
    expect(text).toContain("there is no room for them here");
    expect(text).not.toContain(sentence);
  });
});
