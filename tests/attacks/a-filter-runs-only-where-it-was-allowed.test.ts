// A repository asks for a filter in its .gitattributes. Nothing runs for it in the referee unless a person has allowed the
// filter by name, and then the program is the one of the user's own git configuration, never that of the repository's.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cleanReviews, createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

let tool: Rig;
const mark = (name: string) => join(tool.folder, `ran-${name}`);

beforeAll(() => {
  tool = rig({ files: { ".gitattributes": "*.bin filter=lfs -text\n", "data.bin": "pointer\n" } });
  // A program that leaves a mark, and turns what it is given into what can be told apart.
  const program = (name: string, how: string) => `sh -c 'touch ${mark(name)}; tr ${how}'`;
  const filter = (name: string) =>
    `[filter "lfs"]\n\tclean = "${program(name, "A-Z a-z")}"\n\tsmudge = "${program(name, "a-z A-Z")}"\n`;
  appendFileSync(join(tool.folder, "home", ".gitconfig"), filter("user"));
  appendFileSync(join(tool.repo, ".git", "config"), filter("repository"));
});
afterAll(() => tool.close());

const { pass, converge } = cleanReviews("src/cart.txt", "new.bin");
const [edit] = shortest.implementer;
const writes = {
  implementer: [
    { ...edit, steps: [{ write: { path: "new.bin", text: "FRESH\n" } }, ...(edit?.steps ?? [])] },
    converge,
  ],
  reviewer: [pass],
};

async function play(id: string, allowed: boolean): Promise<void> {
  await createScripted(tool, id, writes);
  const file = join(tool.repo, ".pairflow", "bubbles", id, "bubble.toml");
  if (allowed) writeFileSync(file, `git_filters = ["lfs"]\n${readFileSync(file, "utf8")}`);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  await tool.until(id, ({ state }) => state === "READY_FOR_APPROVAL", "ready");
  await tool.ok("bubble", "approve", "--id", id, "--yes", "--operator-key", tool.key);
  await tool.ok("bubble", "commit", "--id", id, "--operator-key", tool.key);
}

describe("a filter that nobody has allowed", () => {
  it("is said when a bubble is made, with its consequence and the line that allows it", async () => {
    const said = await tool.run("bubble", "create", "--id", "said", "--task", "x", "--test", "true");
    expect(said.stdout + said.stderr).toMatch(
      /files with filter=lfs stay as git has them \(pointers, not contents\)/,
    );
    expect(said.stdout + said.stderr).toContain('git_filters = ["lfs"]');
  });

  it("is said by doctor", async () => {
    const { stdout } = await tool.run("doctor");
    expect(stdout).toMatch(/git filters.*filter=lfs/);
  });

  it("does not run: files are checked out and committed as they are", async () => {
    await play("plain", false);
    expect(readFileSync(join(tool.worktree("plain"), "data.bin"), "utf8")).toBe("pointer\n");
    expect(tool.git("cat-file", "blob", "bubble/plain:new.bin")).toBe("FRESH\n");
    expect([existsSync(mark("user")), existsSync(mark("repository"))]).toEqual([false, false]);
  }, 60_000);
});

describe("a filter that was allowed by name", () => {
  it("runs as the user's own configuration says, and never as the repository's does", async () => {
    await play("allowed", true);
    expect(existsSync(mark("user"))).toBe(true);
    expect(existsSync(mark("repository"))).toBe(false);
    expect(readFileSync(join(tool.worktree("allowed"), "data.bin"), "utf8")).toBe("POINTER\n");
    expect(tool.git("cat-file", "blob", "bubble/allowed:new.bin")).toBe("fresh\n");
    expect(await tool.ok("verify", "--id", "allowed")).toContain("good");
  }, 60_000);
});
