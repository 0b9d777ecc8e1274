// A bubble that implements an approved document: the document itself reaches whoever builds it, judges it and signs it.
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { documentPath, documentTurns, goodDocument } from "../helpers/document.ts";
import { changeSetting, goOn, grant, openTerminal, readArtifact, runHeadless } from "../helpers/operator.ts";
import { expectShown } from "../helpers/shown.ts";

let tool: Rig;
const sha256 = createHash("sha256").update(goodDocument).digest("hex");
const sentence = "A signed-in shopper sees the same lines, in the same order";

beforeAll(async () => {
  tool = rig();
  await runHeadless(tool, "cart-prd", documentTurns, "--kind", "document", "--document", documentPath);
  const understood = ["--choose", "understood", "--message", "carts of shoppers are kept for 90 days"];
  await goOn(
    tool,
    "cart-prd",
    "bubble",
    "reply",
    "--id",
    "cart-prd",
    ...understood,
    "--operator-key",
    tool.key,
  );
  expect(await grant(tool, "bubble", "approve", "--id", "cart-prd", "--yes")).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => tool.close());

/** Each criterion of the document has its evidence. */
const criteria = ["C1", "C2", "C3", "C4", "C5"].map(
  (id) => `"${id} src/cart.txt:1 the total is what ${id} asks for"`,
);
const turns = JSON.parse(JSON.stringify(shortest).replace(/(?<="checked":\[)[^\]]+/g, criteria.join(",")));

async function build(id: string, room = "200000"): Promise<string> {
  const task = ["--task", "Build saved carts", "--test", "grep -q total src/cart.txt"];
  const created = await createScripted(tool, id, turns, "--implements", "cart-prd", ...task);
  changeSetting(tool, id, "context_chars", room);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  return created;
}

describe("a bubble that implements an approved document", { timeout: 60_000 }, () => {
  it("keeps its bytes as an artifact that the record names with their hash", async () => {
    const created = await build("saved-carts");
    expectShown("docs/documents.md", "$ pairflow bubble create --id saved-carts", created);
    const log = await tool.ok("log", "--id", "saved-carts");
    expectShown("docs/documents.md", "$ pairflow log --id saved-carts", log);
    expect(readArtifact(tool, "saved-carts", "implements.md")).toBe(goodDocument);
    const document = { bubble: "cart-prd", path: documentPath, artifact: "implements.md", sha256 };
    const [first] = tool.log("saved-carts");
    const task = tool.log("saved-carts").find(({ type }) => type === "TASK");
    for (const line of [first, task])
      expect(line).toMatchObject({
        payload: { document },
        hashes: { "artifact://implements.md": sha256 },
      });
    expect((await tool.status("saved-carts")).implements).toMatchObject(document);
    expect(await tool.ok("bubble", "status", "--id", "saved-carts")).toContain(
      `${documentPath} as approved in cart-prd`,
    );
  });

  it("tells it to the implementer and to each reviewer", () => {
    for (const prompt of ["t1.1-codex", "t2.1-claude", "t3.1-codex"]) {
      const text = readArtifact(tool, "saved-carts", `prompts/${prompt}.md`);
      expect(text).toContain(
        `## Document to implement\n\n\`${documentPath}\`, approved by a human in the bubble cart-prd.`,
      );
      expect(text).toContain("artifacts/implements.md");
      expect(text.split(sentence)).toHaveLength(2);
    }
    const told = readArtifact(tool, "saved-carts", "prompts/t1.1-codex.md");
    expectShown("docs/documents.md", "## Document to implement", told);
  });

  it("names it in the package that is signed", async () => {
    expect(readArtifact(tool, "saved-carts", "done-package.md")).toMatch(
      new RegExp(
        `## Document it implements\n\n- ${documentPath} as approved in cart-prd \\(.*sha256 ${sha256}\\)`,
      ),
    );
    const screen = openTerminal(tool, ["bubble", "approve", "--id", "saved-carts"], { columns: 80 });
    try {
      expectShown(
        "docs/documents.md",
        "$ pairflow bubble approve --id saved-carts",
        await screen.sees("[q]uit"),
      );
    } finally {
      screen.close();
    }
    const shown = await tool.run(
      "bubble",
      "approve",
      "--id",
      "saved-carts",
      "--yes",
      "--operator-key",
      tool.key,
    );
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
