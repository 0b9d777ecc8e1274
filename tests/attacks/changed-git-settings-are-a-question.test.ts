// Claim: git settings, attributes, excludes and hooks that change after a bubble started stop it with a question that
// names them, before anything is judged; each answer does what it says, and harmless keys stop nothing.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fullPackage, rig, shortest } from "../acceptance/rig.ts";
import { bubble, configure } from "../cli/gates-scene.ts";

// What is written here, a sandbox would not let anybody write.
const tool = rig().with({ PAIRFLOW_SANDBOX: "off" });
configure(tool, 'gates: { additional: [{ name: ok, command: "true" }] }');
afterAll(() => tool.close());

const inGit = (...name: string[]) => join(tool.repo, ".git", ...name);
const work = { write: { path: "src/cart.txt", text: "total: 2\n" } };
const pass = { pass: { summary: "done", ...fullPackage } };
const implementing = (...steps: unknown[]) => ({
  ...shortest,
  implementer: [{ role: "implementer", steps: [...steps, work, pass] }, shortest.implementer[1]],
});

/** What an agent without a sandbox does in one command. */
const poison = [
  "git config filter.x.clean 'sed s/2/3/'",
  'echo "*.txt filter=x" >> "$(git rev-parse --git-common-dir)/info/attributes"',
  'echo "hidden.out" >> "$(git rev-parse --git-common-dir)/info/exclude"',
  'printf "#!/bin/sh\\n" > "$(git rev-parse --git-common-dir)/hooks/post-merge"',
  "echo secret > hidden.out",
].join(" && ");

const asked = (id: string) =>
  tool.log(id).flatMap((line) => (line.type === "HUMAN_QUESTION" ? [line.payload] : []));
const answer = (id: string, choice: string) =>
  tool.ok("bubble", "reply", "--id", id, "--choose", choice, "--message", "seen", "--operator-key", tool.key);
const waits = (id: string) => tool.until(id, ({ state }) => state !== "RUNNING", "it waits");
const clean = () => {
  tool.git("config", "--remove-section", "filter.x");
  for (const name of ["attributes", "exclude"]) writeFileSync(inGit("info", name), "");
};

describe("an agent that writes a filter, attributes, an exclude and a hook", () => {
  it("stops the bubble at its handoff, and keep continues with the bytes it wrote", async () => {
    const status = await bubble(tool, "kept", implementing({ run: poison }));
    expect(status.state).toBe("WAITING_HUMAN");
    const [question] = asked("kept");
    expect(question?.kind).toBe("git-settings");
    expect(question?.question).toContain(
      "filter.x.clean added; hooks/post-merge added; info/attributes added; info/exclude added",
    );
    const judged = tool.log("kept").filter((line) => line.type === "GATES_RESULT" && !line.payload.base);
    expect(judged).toEqual([]);
    expect(tool.log("kept").some(({ type }) => type === "HANDOFF")).toBe(false);
    await answer("kept", "keep");
    expect((await waits("kept")).state).toBe("READY_FOR_APPROVAL");
    await tool.ok("bubble", "approve", "--id", "kept", "--operator-key", tool.key, "--yes");
    await tool.ok("bubble", "commit", "--id", "kept", "--operator-key", tool.key);
    expect(tool.git("cat-file", "blob", "bubble/kept:src/cart.txt")).toBe("total: 2\n");
    expect(tool.git("cat-file", "blob", "bubble/kept:hidden.out")).toBe("secret\n");
    const text = readFileSync(join(tool.repo, ".pairflow/bubbles/kept/artifacts/done-package.md"), "utf8");
    expect(text).toContain("a human kept them: filter.x.clean added; hooks/post-merge added");
    clean();
    writeFileSync(inGit("hooks", "post-merge"), "");
  });

  it("has it put back when a human says so, and a person's own change stays", async () => {
    const steps = [{ run: `${poison} && git config user.email ada@example.org` }];
    await bubble(tool, "undone", implementing(...steps));
    await answer("undone", "put-back");
    expect((await waits("undone")).state).toBe("READY_FOR_APPROVAL");
    expect(readFileSync(inGit("config"), "utf8")).not.toContain("filter");
    expect(readFileSync(inGit("config"), "utf8")).toContain("ada@example.org");
    expect(readFileSync(inGit("info", "exclude"), "utf8")).not.toContain("hidden.out");
    expect(asked("undone")).toHaveLength(1);
  });

  it("ends the bubble when a human says so", async () => {
    await bubble(tool, "ended", implementing({ run: "git config core.fsmonitor /bin/true" }));
    await answer("ended", "reject");
    expect((await waits("ended")).state).toBe("CANCELLED");
    tool.git("config", "--unset", "core.fsmonitor");
  });
});

describe("between package and signature", () => {
  it("a change refuses the signature; both ways out work", async () => {
    await bubble(tool, "late", implementing());
    const sign = (...more: string[]) =>
      tool.run("bubble", "approve", "--id", "late", "--operator-key", tool.key, "--yes", ...more);
    tool.git("config", "core.pager", "evil");
    const refused = await sign();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("core.pager added");
    await tool.ok("bubble", "resume", "--id", "late", "--put-back", "--operator-key", tool.key);
    expect(() => tool.git("config", "core.pager")).toThrow();
    tool.git("config", "core.pager", "mine");
    expect(await sign("--keep-git-settings")).toMatchObject({ code: 0 });
    const told = tool.log("late").filter(({ type, payload }) => type === "WARNING" && "code" in payload);
    expect(JSON.stringify(told)).toContain("a human kept them: core.pager added");
    tool.git("config", "--unset", "core.pager");
  });
});

describe("a person who works beside the bubble", () => {
  it("sets a name and adds a remote, and nothing stops", async () => {
    const steps = [{ run: "git config user.name Ada && git remote add up https://example.org/x.git" }];
    const status = await bubble(tool, "beside", implementing(...steps));
    expect(status.state).toBe("READY_FOR_APPROVAL");
    expect(asked("beside")).toEqual([]);
    const warnings = tool
      .log("beside")
      .flatMap((line) => (line.type === "WARNING" ? [line.payload.code] : []));
    expect(warnings).toEqual(["git.settings-changed"]);
    tool.git("remote", "remove", "up");
  });

  it("writes an exclude of comments only, which says nothing", async () => {
    appendFileSync(inGit("info", "exclude"), "# a comment\n");
    expect(existsSync(inGit("info", "exclude"))).toBe(true);
    const status = await bubble(tool, "comment", implementing({ run: "true" }));
    expect(status.state).toBe("READY_FOR_APPROVAL");
  });
});
