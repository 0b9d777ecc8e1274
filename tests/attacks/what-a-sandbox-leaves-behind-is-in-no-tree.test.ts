// Claim: empty mount points that a killed agent's sandbox leaves in the worktree are taken away before the tree is looked
// at, whatever their names are. They are named as the sandbox's, nobody is blamed, and an agent's own empty files stay.
import { afterAll, describe, expect, it } from "vitest";
import { fullPackage, rig, shortest } from "../acceptance/rig.ts";
import { bubble, configure } from "../cli/gates-scene.ts";

/** As bubblewrap makes them: empty, and nobody may write them. Some names no version has had yet. */
const leave =
  "mkdir -p .claude .newcli && for f in .bashrc .mcp.json .vscode HEAD .claude/agents .claude/settings.json .newcli/rules; do : > $f; chmod 444 $f; done";
const points = [
  ".bashrc",
  ".claude/agents",
  ".claude/settings.json",
  ".mcp.json",
  ".newcli/rules",
  ".vscode",
  "HEAD",
];

const tool = rig({ files: { ".empty-of-ours": "" } });
configure(tool, 'gates: { additional: [{ name: ok, command: "true" }] }');
afterAll(() => tool.close());

const warnings = (id: string) =>
  tool
    .log(id)
    .flatMap(({ type, payload }) =>
      type === "WARNING" ? [payload as { code: string; message: string }] : [],
    );

const committed = (id: string) =>
  tool.git("ls-tree", "-r", "--name-only", `bubble/${id}`).split("\n").filter(Boolean);

async function sign(id: string): Promise<void> {
  await tool.ok("bubble", "approve", "--id", id, "--operator-key", tool.key, "--yes");
  await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
}

describe("an implementer that is killed inside a command", () => {
  it("hands over its own files, the empty ones too, and nothing of its sandbox", async () => {
    const own = "mkdir -p pkg && : > pkg/__init__.py && : > .gitkeep && chmod 444 .empty-of-ours";
    const steps = [
      { run: `${leave} && ${own}`, once: true },
      { crash: "kill", once: true },
      { write: { path: "src/cart.txt", text: "total: 2\n" } },
      { run: leave },
      { pass: { summary: "done", ...fullPackage } },
    ];
    await bubble(tool, "killed", {
      ...shortest,
      implementer: [{ role: "implementer", steps }, shortest.implementer[1]],
    });
    await sign("killed");
    const files = committed("killed");
    expect(files.filter((file) => points.includes(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([".empty-of-ours", ".gitkeep", "pkg/__init__.py", "src/cart.txt"]),
    );
    const told = warnings("killed").filter(({ code }) => code === "sandbox.left-behind");
    expect(told[0]?.message).toContain(
      "7 empty files left by an agent's sandbox, which nobody wrote: .bashrc,",
    );
  });
});

describe("a reviewer that is killed inside a command", () => {
  it("is not blamed, and its review counts", async () => {
    const [first] = shortest.reviewer;
    const steps = [
      { run: leave, once: true },
      { crash: "kill", once: true },
      { run: leave },
      ...(first?.steps ?? []),
    ];
    const status = await bubble(tool, "reviewer", { ...shortest, reviewer: [{ role: "reviewer", steps }] });
    expect(status.state).toBe("READY_FOR_APPROVAL");
    const codes = warnings("reviewer").map(({ code }) => code);
    expect(codes).toContain("sandbox.left-behind");
    expect(codes).not.toContain("turn.put-back");
    const handoffs = tool.log("reviewer").flatMap((line) => (line.type === "HANDOFF" ? [line.payload] : []));
    expect(handoffs.flatMap(({ problems }) => problems)).toEqual([]);
    expect(handoffs.some(({ put_back }) => put_back !== undefined)).toBe(false);
  });
});
