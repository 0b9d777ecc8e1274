// Locked artifacts: what a task has agreed on stays as it is, until a person unlocks it by path and with a reason.
import { createHash } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import { type Rig, rig } from "../acceptance/rig.ts";
import { goOn, grant } from "../helpers/operator.ts";
import { approves, configure, linesOf, makes, run } from "./workflow-scene.ts";

const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

function repository(): Rig {
  const tool = rig();
  rigs.push(tool);
  return tool;
}

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

/** A design that is agreed on, then a task that builds on it. */
const flow = (outputs = "") => `
overlays:
  agentic_review: { enabled: true, reviewer_agent: rex, max_iterations: 3 }
tasks:
  design:
    agent: ann
    title: Design it
    ${outputs}
  build:
    agent: ben
    title: Build it
    depends_on: [design]
`;

/** Writes bytes that are no text beside a plain file. */
const designs = makes("docs/design.md", "agreed\n", { run: "printf '\\377\\000raw' > docs.bin" });
const builds = makes("src/built.txt", "built\n");
const breaks = makes("docs/design.md", "otherwise\n");
const mends = makes("src/built.txt", "built\n", { write: { path: "docs/design.md", text: "agreed\n" } });

const start = (tool: Rig, id: string, more: string[] = []) =>
  run(tool, "flows/two.yaml", "--id", id, "--test", "true", ...more);

describe.concurrent("locked artifacts", () => {
  it("are every file the task changed, with the hash of its bytes, who decided, and when", async () => {
    const tool = repository();
    tool.write("flows/two.yaml", flow());
    configure(tool, { ann: [designs], ben: [builds], rex: [approves, approves] });
    expect(await start(tool, "all")).toMatchObject({ code: 0 });
    const [design, build] = linesOf(tool.log("all"), "LOCKED").map(({ payload }) => payload);
    expect(design).toEqual({
      task: "design",
      decided_by: "rex",
      artifacts: [
        { path: "docs.bin", sha256: sha256(Buffer.from([0xff, 0, ...Buffer.from("raw")])) },
        { path: "docs/design.md", sha256: sha256("agreed\n") },
      ],
    });
    expect(build?.artifacts).toEqual([{ path: "src/built.txt", sha256: sha256("built\n") }]);
    expect(await grant(tool, "bubble", "approve", "--id", "all", "--yes")).toMatchObject({ code: 0 });
    expect(await grant(tool, "bubble", "commit", "--id", "all")).toMatchObject({ code: 0 });
  });

  it("are what the task declares: paths, also unchanged ones, and globs over what it changed", async () => {
    const tool = repository();
    tool.write("flows/two.yaml", flow("outputs: [README.md, 'docs/**', missing.md]"));
    configure(tool, { ann: [designs], ben: [builds], rex: [approves, approves] });
    await start(tool, "declared");
    const [design] = linesOf(tool.log("declared"), "LOCKED");
    expect(design?.payload.artifacts.map(({ path }) => path)).toEqual(["README.md", "docs/design.md"]);
  });

  it("a later change is refused at the handoff, and the next attempt may fix it", async () => {
    const tool = repository();
    tool.write("flows/two.yaml", flow());
    configure(tool, { ann: [designs], ben: [breaks, mends], rex: [approves, approves] });
    expect(await start(tool, "broken")).toMatchObject({ code: 0 });
    const problems = linesOf(tool.log("broken"), "HANDOFF").flatMap(({ payload }) => payload.problems);
    expect(problems).toEqual([
      expect.stringMatching(
        /^docs\/design\.md was changed, but it is locked with design \(decided by rex\).*pairflow bubble unlock --id broken --path docs\/design\.md/,
      ),
    ]);
    expect(await tool.status("broken")).toMatchObject({ state: "READY_FOR_APPROVAL" });
  });

  it("a person unlocks a path with a reason, on the record, and then it may change", async () => {
    const tool = repository();
    tool.write("flows/two.yaml", flow());
    const asks = { steps: [{ ask: "May the design change?" }, ...breaks.steps] };
    configure(tool, { ann: [designs], ben: [asks], rex: [approves, approves] });
    await start(tool, "opened");
    const unlock = (...more: string[]) => ["bubble", "unlock", "--id", "opened", ...more];
    const reason = ["--reason", "the interface changed"];
    expect(await tool.run(...unlock("--path", "docs/design.md", ...reason))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("(operator.no-terminal)"),
    });
    expect(await grant(tool, ...unlock("--path", "docs/other.md", ...reason))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("docs/other.md is not locked (unlock.unknown)"),
    });
    expect(await grant(tool, ...unlock("--path", "docs/design.md", ...reason))).toMatchObject({
      code: 0,
      stdout: "Unlocked docs/design.md of opened: it may change from now on\n",
    });
    expect(linesOf(tool.log("opened"), "UNLOCKED")[0]).toMatchObject({
      sender: "human",
      payload: { paths: ["docs/design.md"], reason: "the interface changed", via: "operator-key" },
    });
    const status = await goOn(tool, "opened", "bubble", "reply", "--id", "opened", "--message", "Yes");
    expect(status).toMatchObject({ state: "READY_FOR_APPROVAL" });
    expect(linesOf(tool.log("opened"), "HANDOFF").flatMap(({ payload }) => payload.problems)).toEqual([]);
  });
});
