// Claim: whatever a configuration file of git says, no program that it names runs when the referee looks at files,
// pins trees, merges, restores, commits or removes; and the bytes that were tested are the bytes that are committed.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Workspace, WorkspacePlace } from "../../src/ports/workspace.ts";
import { prepared, removeScenes, scene, write } from "../adapters/workspace-scene.ts";
import { layTraps, trapAttributes, trapConfig, trapRepository } from "./traps.ts";

afterEach(removeScenes);

const at = "2026-01-02T03:04:05.000Z";
const files = { "a.txt": "good one\n", "src/b.js": "good two\n", "c.txt": "good three\n" };

/** Every call of the port that touches git, in an order that a bubble may have. */
async function wholeLife(
  workspace: Workspace,
  place: WorkspacePlace,
  edit: (files: Record<string, string>) => void,
) {
  const { tree: base } = await workspace.prepare(place);
  edit({ "a.txt": "stray good\n" });
  await workspace.restore(place, base);
  edit({ "a.txt": "good work\n", "src/new.js": "good new\n" });
  const snap = await workspace.snapshot(place, "round-001");
  expect(await workspace.treeId(place)).toBe(snap.tree);
  await workspace.diff(place, place.baseCommit, snap.tree);
  await workspace.changedBetween(place, place.baseCommit, snap.tree);
  const merged = await workspace.merge(place, {
    from: place.baseCommit,
    commits: [
      { name: "one", commit: snap.commit },
      { name: "two", commit: await sideOf(workspace, place, edit) },
    ],
    pin: "join",
  });
  await workspace.restore(place, snap.tree);
  await workspace.addFile(place, { tree: snap.tree, path: "paper.txt", text: "good\n", pin: "paper" });
  await workspace.stagedIndex(place, snap.tree);
  await workspace.clean.make(place, snap.tree, `${place.path}.gate`);
  await workspace.clean.discard(`${place.path}.gate`);
  const commit = await workspace.commit(place, { tree: snap.tree, message: "done", at });
  await workspace.resolve(place.repo, "main");
  await workspace.filesAt(place.repo, commit);
  const text = await workspace.fileAt(place.repo, commit, "a.txt");
  await workspace.unreachable(place, { dropBranch: true });
  await workspace.remove(place, { dropBranch: true, force: true });
  return { text, merged, snap };
}

async function sideOf(
  workspace: Workspace,
  place: WorkspacePlace,
  edit: (files: Record<string, string>) => void,
) {
  edit({ "a.txt": "good other\n" });
  return (await workspace.snapshot(place, "round-002")).commit;
}

describe.each(["worktree", "clone"] as const)("a %s", (mode) => {
  it("lives through a repository that names a program under every key", async () => {
    const s = scene(files, { mode });
    const traps = layTraps(join(s.root, "traps"));
    trapRepository(join(s.repo, ".git"), traps);
    const { text } = await wholeLife(s.workspace, s.place, s.edit);
    expect(traps.sprung()).toEqual([]);
    expect(text).toBe("good work\n");
  });

  it("lives through traps that the agent lays after the start, in its own git folder too", async () => {
    const s = await prepared(files, { mode });
    const traps = layTraps(join(s.root, "traps"));
    trapRepository(join(s.repo, ".git"), traps);
    if (mode === "clone") trapRepository(join(s.place.path, ".git"), traps, "clone");
    else
      writeFileSync(
        join(s.repo, ".git", "worktrees", "b1", "config.worktree"),
        trapConfig(traps, "worktree"),
      );
    const { text } = await wholeLife(s.workspace, s.place, s.edit);
    expect(traps.sprung()).toEqual([]);
    expect(text).toBe("good work\n");
  });

  it("lives through a user's configuration that names them, with attributes of its own", async () => {
    const s = scene(files, { mode });
    const traps = layTraps(join(s.root, "traps"));
    const attributes = join(s.home, "attributes");
    write(s.home, { attributes: trapAttributes });
    appendFileSync(
      join(s.home, ".gitconfig"),
      `${trapConfig(traps, "user")}[core]\n\tattributesFile = ${attributes}\n`,
    );
    const { text } = await wholeLife(s.workspace, s.place, s.edit);
    expect(traps.sprung()).toEqual([]);
    expect(text).toBe("good work\n");
  });

  it("lives through committed attributes that call for drivers", async () => {
    const s = scene({ ...files, ".gitattributes": trapAttributes }, { mode });
    const traps = layTraps(join(s.root, "traps"));
    trapRepository(join(s.repo, ".git"), traps);
    const { text } = await wholeLife(s.workspace, s.place, s.edit);
    expect(traps.sprung()).toEqual([]);
    expect(text).toBe("good work\n");
  });
});

describe("what was tested is what is committed", () => {
  it("with a clean filter that the agent defined and put into info/attributes", async () => {
    const s = await prepared(files);
    const traps = layTraps(join(s.root, "traps"));
    trapRepository(join(s.repo, ".git"), traps);
    s.edit({ "a.txt": "good bytes\n" });
    const { tree } = await s.workspace.snapshot(s.place, "round-001");
    const commit = await s.workspace.commit(s.place, { tree, message: "done", at });
    expect(await s.workspace.fileAt(s.repo, commit, "a.txt")).toBe(s.read("a.txt"));
  });

  it("and a checkout writes the committed bytes, whatever a smudge filter would make of them", async () => {
    const s = await prepared(files);
    const traps = layTraps(join(s.root, "traps"));
    trapRepository(join(s.repo, ".git"), traps);
    s.edit({ "a.txt": "good bytes\n", ".gitattributes": trapAttributes });
    const { tree } = await s.workspace.snapshot(s.place, "round-001");
    const clean = `${s.place.path}.gate`;
    await s.workspace.clean.make(s.place, tree, clean);
    expect(readFileSync(join(clean, "a.txt"), "utf8")).toBe("good bytes\n");
    s.edit({ "a.txt": "other\n" });
    await s.workspace.restore(s.place, tree);
    expect(s.read("a.txt")).toBe("good bytes\n");
    expect(traps.sprung()).toEqual([]);
  });

  it("and an exclude that was written after the start hides no file", async () => {
    const s = await prepared(files);
    appendFileSync(join(s.repo, ".git", "info", "exclude"), "produced.txt\n");
    mkdirSync(join(s.home, ".config", "git"), { recursive: true });
    writeFileSync(join(s.home, ".config", "git", "ignore"), "produced2.txt\n");
    s.edit({ "produced.txt": "one\n", "produced2.txt": "two\n" });
    const { files: changed } = await s.workspace.snapshot(s.place, "round-001");
    expect(changed.map(({ path }) => path)).toEqual(["produced.txt", "produced2.txt"]);
  });

  it("while one that was there before still does", async () => {
    const s = scene(files);
    appendFileSync(join(s.repo, ".git", "info", "exclude"), "mine.txt\n");
    mkdirSync(join(s.home, ".config", "git"), { recursive: true });
    writeFileSync(join(s.home, ".config", "git", "ignore"), "*.swp\n");
    await s.workspace.prepare(s.place);
    s.edit({ "mine.txt": "one\n", "a.swp": "two\n", "new.txt": "three\n" });
    const { files: changed } = await s.workspace.snapshot(s.place, "round-001");
    expect(changed.map(({ path }) => path)).toEqual(["new.txt"]);
  });
});

describe("what attributes are for still works", () => {
  it("line ends as the repository commits them", async () => {
    const s = scene({ ".gitattributes": "* text=auto eol=crlf\n", "a.txt": "one\n" });
    await s.workspace.prepare(s.place);
    expect(s.read("a.txt")).toBe("one\r\n");
    s.edit({ "a.txt": "one\r\ntwo\r\n" });
    const { commit } = await s.workspace.snapshot(s.place, "round-001");
    expect(await s.workspace.fileAt(s.repo, commit, "a.txt")).toBe("one\ntwo\n");
  });

  it("and autocrlf as the user had it at the start", async () => {
    const s = scene({ "a.txt": "one\n" });
    appendFileSync(join(s.home, ".gitconfig"), "[core]\n\tautocrlf = true\n");
    await s.workspace.prepare(s.place);
    expect(s.read("a.txt")).toBe("one\r\n");
    expect(await s.workspace.treeId(s.place)).toBe(s.git("rev-parse", "HEAD^{tree}"));
  });

  it("and a file of them that git ignores changes nothing about what is judged and signed", async () => {
    const s = await prepared({ ".gitignore": ".gitattributes\n", "a.txt": "one\n" });
    s.edit({ ".gitattributes": "*.txt text\n", "a.txt": "one\r\ntwo\r\n" });
    const { commit, tree, files: changed } = await s.workspace.snapshot(s.place, "round-001");
    expect(changed.map(({ path }) => path)).toEqual(["a.txt"]);
    const root = join(s.root, "clean");
    await s.workspace.clean.make(s.place, tree, root);
    // The final run sees the very bytes that the commit has, and none of the file that git ignores.
    expect(readFileSync(join(root, "a.txt"), "utf8")).toBe(await s.workspace.fileAt(s.repo, commit, "a.txt"));
    expect(existsSync(join(root, ".gitattributes"))).toBe(false);
    expect(await s.workspace.clean.changed(s.place, root, tree)).toEqual([]);
    await s.workspace.clean.discard(root);
  });

  it("and merge=union", async () => {
    const s = await prepared({ ".gitattributes": "log.txt merge=union\n", "log.txt": "one\n" });
    const side = async (text: string, pin: string) => {
      s.edit({ "log.txt": text });
      return { name: pin, commit: (await s.workspace.snapshot(s.place, pin)).commit };
    };
    const commits = [await side("one\na\n", "a"), await side("one\nb\n", "b")];
    const { conflicts, commit } = await s.workspace.merge(s.place, {
      from: s.place.baseCommit,
      commits,
      pin: "j",
    });
    expect(conflicts).toEqual([]);
    expect(await s.workspace.fileAt(s.repo, commit, "log.txt")).toBe("one\na\nb\n");
  });
});

describe("a submodule's own configuration", () => {
  it("starts no program either, and its changes are still seen", async () => {
    const s = scene(files);
    const library = join(s.root, "library");
    s.gitIn(s.root, "clone", "-q", s.repo, library);
    s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "sub");
    s.git("commit", "-qm", "with submodule");
    const place = { ...s.place, baseCommit: s.git("rev-parse", "HEAD") };
    await s.workspace.prepare(place);
    s.gitIn(place.path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
    const traps = layTraps(join(s.root, "traps"));
    const modules = join(s.repo, ".git", "worktrees", "b1", "modules", "sub");
    expect(existsSync(modules)).toBe(true);
    trapRepository(modules, traps);
    s.edit({ "sub/a.txt": "good change\n" });
    const { problems } = await s.workspace.snapshot(place, "round-001");
    expect(problems).toEqual(["the submodule sub has uncommitted changes, which no commit here can hold"]);
    await s.workspace.treeId(place);
    expect(traps.sprung()).toEqual([]);
  });
});
