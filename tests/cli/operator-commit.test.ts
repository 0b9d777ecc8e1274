// The commit: exactly what was approved, once, on the bubble's branch and nowhere else; and the repository's own hooks
// and scope before it.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { cleanReviews, fullPackage, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { grant, readArtifact, runHeadless } from "../helpers/operator.ts";

const rigs: Rig[] = [];
afterAll(() => Promise.all(rigs.map((tool) => tool.close())));

/** A repository for each test: hooks and remotes are a repository's own. */
function repository(): Rig {
  const tool = rig();
  rigs.push(tool);
  return tool;
}

const approve = (tool: Rig, id: string, ...more: string[]) =>
  grant(tool, "bubble", "approve", "--id", id, "--yes", ...more);
const commit = (tool: Rig, id: string, ...more: string[]) =>
  grant(tool, "bubble", "commit", "--id", id, ...more);
const writes = (path: string, text: string) => ({ write: { path, text } });
const hands = (...steps: object[]) => ({
  role: "implementer",
  steps: [...steps, { pass: { summary: "done", ...fullPackage } }],
});

function hook(tool: Rig, name: string, script: string): void {
  const file = join(tool.repo, ".git", "hooks", name);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

describe.concurrent("one commit", () => {
  it("has the package's message, the person's name, the approval's time and nothing but the approved files", async () => {
    const tool = repository();
    const remote = join(tool.folder, "remote.git");
    execFileSync("git", ["init", "-q", "--bare", remote]);
    tool.git("remote", "add", "origin", remote);
    tool.git("push", "-q", "origin", "main");
    tool.write(".gitignore", `${readFileSync(join(tool.repo, ".gitignore"), "utf8")}*.log\n`);
    tool.git("commit", "-q", "-a", "-m", "ignore logs");
    tool.write("dirty.txt", "not yours\n");
    const [main, index] = [tool.git("rev-parse", "main"), tool.git("ls-files", "--stage")];
    const own = { run: "git add -A && git commit -q -m 'an agent commits, though told not to'" };
    const { pass, converge } = cleanReviews("src/cart.txt", "src/new.txt");
    await runHeadless(tool, "one", {
      reviewer: [pass],
      implementer: [
        hands(
          writes("src/cart.txt", "total: 2\n"),
          writes("noise.log", "x"),
          own,
          writes("src/new.txt", "new\n"),
        ),
        converge,
      ],
    });
    const approved = await approve(tool, "one");
    expect(approved, approved.stderr).toMatchObject({ code: 0 });
    const done = await commit(tool, "one");
    const id = tool.git("rev-parse", "bubble/one").trim();
    expect(done.stdout).toBe(
      `Committed ${id.slice(0, 10)} on bubble/one (not pushed)\nNext: git merge bubble/one\n`,
    );
    const decided = tool.log("one").find((envelope) => envelope.type === "APPROVAL_DECISION");
    const at = Math.floor(Date.parse(decided?.ts ?? "") / 1000);
    const show = (format: string) => tool.git("log", "-1", `--format=${format}`, "bubble/one").trim();
    expect(show("%B")).toBe("fix: the total is right");
    expect(show("%an <%ae> %at %cn <%ce> %ct")).toBe(
      `Tester <tester@localhost> ${at} Tester <tester@localhost> ${at}`,
    );
    expect(show("%P")).toBe(main.trim());
    expect(tool.git("diff", "--name-only", "main", "bubble/one").trim().split("\n")).toEqual([
      "src/cart.txt",
      "src/new.txt",
    ]);
    expect(tool.git("rev-parse", "main")).toBe(main);
    expect(tool.git("ls-files", "--stage")).toBe(index);
    expect(tool.git("status", "--porcelain")).toBe("?? dirty.txt\n");
    expect(tool.git("-C", tool.worktree("one"), "status", "--porcelain")).toBe("");
    const pushed = execFileSync("git", ["-C", remote, "for-each-ref", "--format=%(refname)"], {
      encoding: "utf8",
    });
    expect(pushed).toBe("refs/heads/main\n");

    const length = tool.log("one").length;
    const twice = await commit(tool, "one");
    expect(twice).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Already committed ${id.slice(0, 10)}`),
    });
    expect(tool.git("rev-parse", "bubble/one").trim()).toBe(id);
    expect(tool.log("one")).toHaveLength(length);
  });

  it("in clone mode lands on the branch of the main repository; the clone cannot push", async () => {
    const tool = repository();
    await runHeadless(tool, "cloned", shortest, "--mode", "clone");
    const clone = tool.worktree("cloned");
    expect(tool.git("-C", clone, "rev-parse", "--absolute-git-dir").trim()).toBe(join(clone, ".git"));
    const push = ["-C", clone, "push", "-q", "origin", "HEAD:refs/heads/stolen"];
    expect(() => execFileSync("git", push, { stdio: "ignore" })).toThrow();
    expect(await approve(tool, "cloned")).toMatchObject({ code: 0 });
    expect(await commit(tool, "cloned")).toMatchObject({ code: 0 });
    expect(tool.git("show", "bubble/cloned:src/cart.txt")).toBe("total: 2\n");
    expect(tool.git("branch", "--list", "stolen")).toBe("");
    expect(await tool.run("bubble", "delete", "--id", "cloned")).toMatchObject({ code: 0 });
    expect(tool.git("show", "bubble/cloned:src/cart.txt")).toBe("total: 2\n");
  });
});

describe.concurrent("the repository's own hooks", () => {
  it("pre-commit runs as a gate before the approval, and its failure goes to the implementer", async () => {
    const tool = repository();
    hook(
      tool,
      "pre-commit",
      'git diff --cached --name-only | grep -q cart || exit 9\n! grep -q FIXME src/cart.txt || { echo "no FIXME here"; exit 1; }',
    );
    const ready = await runHeadless(tool, "hooked", {
      ...shortest,
      implementer: [
        hands(writes("src/cart.txt", "total: 2 FIXME\n")),
        ...[hands(writes("src/cart.txt", "total: 2\n")), shortest.implementer[1]],
      ],
    });
    expect(ready).toMatchObject({ state: "READY_FOR_APPROVAL", round: 3 });
    expect(readArtifact(tool, "hooked", "prompts/t2.1-codex.md")).toMatch(
      /### hook:pre-commit: failed[\s\S]*no FIXME here/,
    );
    const results = tool
      .log("hooked")
      .flatMap((envelope) =>
        envelope.type === "GATES_RESULT" && !envelope.payload.clean
          ? [envelope.payload.results.map(({ name, status }) => `${name} ${status}`)]
          : [],
      );
    expect(results).toEqual([
      ["test passed", "hook:pre-commit failed"],
      ["test passed", "hook:pre-commit passed"],
    ]);
    // What the repository's hook says now is named, and judges this tree no more.
    hook(tool, "pre-commit", "exit 1");
    expect(await approve(tool, "hooked", "--keep-git-settings")).toMatchObject({ code: 0 });
    expect(await commit(tool, "hooked")).toMatchObject({ code: 0 });
  });

  it("commit-msg judges the suggested message before the approval", async () => {
    const tool = repository();
    hook(tool, "commit-msg", 'grep -q "^fix: " "$1" || { echo "begin with fix:"; exit 1; }');
    const bad = { pass: { summary: "x", ...fullPackage, commit_message: "totals" } };
    const ready = await runHeadless(tool, "message", {
      ...shortest,
      implementer: [
        { role: "implementer", steps: [writes("src/cart.txt", "total: 2\n"), bad] },
        { role: "implementer", steps: [{ pass: { summary: "x", commit_message: "fix: totals" } }] },
        shortest.implementer[1],
      ],
    });
    expect(ready.state).toBe("READY_FOR_APPROVAL");
    expect(readArtifact(tool, "message", "prompts/t2.1-codex.md")).toContain("begin with fix:");
    expect(await approve(tool, "message")).toMatchObject({ code: 0 });
    expect(await commit(tool, "message")).toMatchObject({ code: 0 });
    expect(tool.git("log", "-1", "--format=%s", "bubble/message").trim()).toBe("fix: totals");
  });
});

describe.concurrent("the scope", () => {
  it("is checked at every handoff: in, out and do_not_touch each send the implementer back with the reason", async () => {
    const tool = repository();
    const outside = [writes("docs/a.md", "x"), writes("src/gen/b.txt", "x"), writes("src/lock.txt", "x")];
    const inside = [
      { delete: "docs" },
      { delete: "src/gen" },
      { delete: "src/lock.txt" },
      writes("src/cart.txt", "total: 2\n"),
    ];
    const flags = ["--in", "src/**", "--out", "src/gen/**", "--do-not-touch", "src/lock.txt"];
    const ready = await runHeadless(
      tool,
      "scoped",
      { ...shortest, implementer: [hands(...outside), hands(...inside), shortest.implementer[1]] },
      ...flags,
    );
    expect(ready).toMatchObject({ state: "READY_FOR_APPROVAL", round: 2 });
    const refused = tool.log("scoped").find((envelope) => envelope.type === "HANDOFF");
    expect(refused).toMatchObject({
      payload: {
        problems: [
          "docs/a.md is not in scope (scope.in)",
          "src/gen/b.txt is out of scope (scope.out)",
          "src/lock.txt must not be touched (scope.do_not_touch)",
        ],
      },
    });
    const prompt = readArtifact(tool, "scoped", "prompts/t2.1-codex.md");
    expect(prompt).toContain("docs/a.md is not in scope");
    expect(prompt).toMatch(
      /## Scope\n\n- only: src\/\*\*\n- not: src\/gen\/\*\*\n- never touch: src\/lock\.txt/,
    );
  });

  it("an agent that never obeys it becomes a question, and only a person's recorded word lets the files through", async () => {
    const tool = repository();
    const stubborn = hands(writes("docs/a.md", "x"));
    const { pass, converge } = cleanReviews("docs/a.md");
    const turns = { implementer: [stubborn, stubborn, stubborn, stubborn, converge], reviewer: [pass] };
    const waiting = await runHeadless(tool, "stubborn", turns, "--in", "src/**");
    expect(waiting.questions).toMatchObject([
      { kind: "refused", text: expect.stringContaining("docs/a.md is not in scope") },
    ]);
    expect(waiting.questions[0]?.text).toContain(
      "pairflow bubble resume --id stubborn --allow '<glob>' --reason",
    );
    const allow = ["bubble", "resume", "--id", "stubborn", "--headless", "--allow", "docs/*.md"];
    expect(await grant(tool, ...allow)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--allow needs --reason"),
    });
    const nobody = await tool.run(...allow, "--reason", "x");
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining("operator.no-terminal") });
    expect(await grant(tool, ...allow, "--reason", "the manual belongs to it")).toMatchObject({ code: 0 });
    expect(tool.log("stubborn").find((envelope) => envelope.type === "SCOPE_OVERRIDDEN")).toMatchObject({
      sender: "human",
      payload: { paths: ["docs/*.md"], reason: "the manual belongs to it", via: "operator-key" },
    });
    expect((await grant(tool, "bubble", "approve", "--id", "stubborn")).stderr).toMatch(
      /know\s+scope overridden for: docs\/\*\.md/,
    );
    expect(await approve(tool, "stubborn")).toMatchObject({ code: 0 });
    expect(await commit(tool, "stubborn")).toMatchObject({ code: 0 });
    expect(tool.git("show", "bubble/stubborn:docs/a.md")).toBe("x");
  });

  it("an override at the commit needs a reason", async () => {
    const tool = repository();
    const refused = await commit(tool, "any", "--override-scope");
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--override-scope needs --reason"),
    });
  });
});

describe("commit --pr", () => {
  const commands = (stdout: string) =>
    stdout
      .split("\n")
      .slice(2)
      .map((line) => line.trim());

  it("pushes to where the base branch comes from, and names a remote first where there is none", async () => {
    const tool = repository();
    await runHeadless(tool, "first", shortest);
    await approve(tool, "first");
    const alone = await commit(tool, "first", "--pr");
    expect(commands(alone.stdout).slice(0, 2)).toEqual([
      "git remote add origin <address of the repository>",
      "git push -u origin bubble/first",
    ]);
    tool.git("remote", "add", "origin", "https://localhost/fork.git");
    tool.git("remote", "add", "upstream", "https://localhost/shop.git");
    const forked = await commit(tool, "first", "--pr");
    expect(forked.stdout).toContain("Already committed");
    expect(commands(forked.stdout)[0]).toBe("git push -u origin bubble/first");
    tool.git("config", "branch.main.remote", "upstream");
    expect(commands((await commit(tool, "first", "--pr")).stdout)[0]).toBe(
      "git push -u upstream bubble/first",
    );
  });
});
