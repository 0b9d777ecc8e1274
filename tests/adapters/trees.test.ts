// The promises of the trees port, on real repositories.
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createNodeProcesses } from "../../src/adapters/process/node.ts";
import { createGitTrees } from "../../src/adapters/trees/git.ts";
import type { Trees } from "../../src/ports/record/trees.ts";
import { type Files, prepared, removeScenes, scene } from "./workspace-scene.ts";

afterAll(removeScenes);

type State = Parameters<Trees["read"]>[0];
type Scene = ReturnType<typeof scene>;

function reader(s: Scene, argv: string[][] = []) {
  const processes = createNodeProcesses();
  const trees = createGitTrees({
    processes: {
      ...processes,
      exec: (words, options) => {
        argv.push([...words]);
        return processes.exec(words, options);
      },
    },
    env: { PATH: process.env.PATH, HOME: s.home },
  });
  const state = homeOf(s);
  return (wanted: Parameters<Trees["read"]>[1]) => trees.read(state, wanted);
}

function homeOf(s: Scene): State {
  const { repo, path, mode, branch } = s.place;
  return { config: { repo_path: repo, work_mode: mode }, workspace: { path, branch } } as unknown as State;
}

const text = (words: string) => ({ kind: "text", text: words });
const other = { kind: "other" };
const absent = { kind: "absent" };

/** Commits what stands in the main checkout and asks for paths of that commit's tree. */
async function readCommitted(s: Scene, paths: readonly string[]) {
  s.git("add", "-A");
  s.git("commit", "-qm", "more");
  const tree = s.git("rev-parse", "HEAD^{tree}");
  return reader(s)(paths.map((path) => ({ tree, path })));
}

describe("T1 a path is looked up in exactly the given tree or commit; a path that leaves it is absent", () => {
  it("in a tree, in a commit, and in neither of them what stands in the worktree", async () => {
    const s = await prepared();
    s.edit({ "a.txt": "handed over\n" });
    const { tree } = await s.workspace.snapshot(s.place, "r1");
    s.edit({ "a.txt": "later\n", "later.txt": "x\n" });
    const commit = s.place.baseCommit;
    expect(
      await reader(s)([
        { tree, path: "a.txt" },
        { tree: commit, path: "a.txt" },
        { tree, path: "later.txt" },
      ]),
    ).toEqual([text("handed over\n"), text("one\n"), absent]);
  });

  it("never outside of it, and never by a name that means something to git", async () => {
    const s = scene();
    const tree = s.git("rev-parse", "HEAD^{tree}");
    const outside = [
      "../a.txt",
      "/a.txt",
      "./a.txt",
      "src/../a.txt",
      "src//b.txt",
      "src/",
      "",
      ".",
      "a.txt\0",
    ];
    const magic = [
      ":/a.txt",
      ":(top)a.txt",
      "*.txt",
      "-r",
      "--help",
      "a.txt/x",
      "A.txt",
      "x".repeat(300_000),
    ];
    const found = await reader(s)([...outside, ...magic].map((path) => ({ tree, path })));
    expect(found).toEqual([...outside, ...magic].map(() => absent));
    for (const name of ["main", "HEAD", "-r", tree.slice(0, 12), `${tree}:src`, ""]) {
      expect(await reader(s)([{ tree: name, path: "a.txt" }])).toEqual([absent]);
    }
  });

  it("through no link: the link itself, a folder, a submodule and what is beneath them are no texts", async () => {
    const s = scene();
    symlinkSync("a.txt", join(s.repo, "link"));
    symlinkSync("src", join(s.repo, "folder-link"));
    s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", s.repo, "sub");
    writeFileSync(join(s.repo, "same-bytes"), "a.txt");
    const paths = ["same-bytes", "link", "folder-link", "folder-link/b.txt", "src", "sub", "sub/a.txt"];
    expect(await readCommitted(s, paths)).toEqual([
      text("a.txt"),
      other,
      other,
      absent,
      other,
      other,
      absent,
    ]);
  });

  it("where the bubble's objects are: in its clone, or in the main repository when that is gone", async () => {
    const s = await prepared(undefined, { mode: "clone" });
    s.edit({ "a.txt": "in the clone\n" });
    const tree = await s.workspace.treeId(s.place);
    expect(() => s.git("cat-file", "-e", tree)).toThrow();
    expect(await reader(s)([{ tree, path: "a.txt" }])).toEqual([text("in the clone\n")]);
    await s.workspace.snapshot(s.place, "r1");
    rmSync(s.place.path, { recursive: true });
    expect(await reader(s)([{ tree, path: "a.txt" }])).toEqual([text("in the clone\n")]);
  });

  it("and a tree that is not there is a failure, never a file that is not there", async () => {
    const s = scene();
    await expect(reader(s)([{ tree: "1".repeat(40), path: "a.txt" }])).rejects.toMatchObject({
      code: "git.failed",
    });
    const blob = s.git("rev-parse", "HEAD:a.txt");
    rmSync(join(s.repo, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
    const tree = s.git("rev-parse", "HEAD^{tree}");
    await expect(reader(s)([{ tree, path: "a.txt" }])).rejects.toMatchObject({ code: "git.failed" });
  });
});

describe("T2 answers come in the order of the questions; asking for nothing starts no program", () => {
  it("with the same file twice, and in one call of git for all trees", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 130 }, (_, n) => [`f${n % 7}/n${n}.txt`, `${n}\n`]),
    );
    const s = scene({ ...files, "copy.txt": "3\n" });
    const tree = s.git("rev-parse", "HEAD^{tree}");
    const calls: string[][] = [];
    const paths = [...Object.keys(files).reverse(), "copy.txt", "none.txt", "f3/n3.txt"];
    const found = await reader(s, calls)(paths.map((path) => ({ tree, path })));
    const contents: Files = { ...files, "copy.txt": "3\n" };
    expect(found).toEqual(paths.map((path) => (path in contents ? text(contents[path] ?? "") : absent)));
    expect(calls).toHaveLength(1);
  });

  it("and none for nothing, though the repository is gone", async () => {
    const s = scene();
    rmSync(s.repo, { recursive: true });
    const calls: string[][] = [];
    expect(await reader(s, calls)([])).toEqual([]);
    expect(calls).toEqual([]);
  });
});

describe("T5 of a path whose presence alone is asked for no text is read: what is there is `other`", () => {
  it("beside texts, in several trees, still in one call of git", async () => {
    const s = scene({ "src/a.txt": "before\n", "src/gone.txt": "gone\n" });
    const base = s.git("rev-parse", "HEAD");
    rmSync(join(s.repo, "src", "gone.txt"));
    writeFileSync(join(s.repo, "src", "a.txt"), "after\n");
    s.git("commit", "-qam", "more");
    const tree = s.git("rev-parse", "HEAD^{tree}");
    const calls: string[][] = [];
    const only = "presence" as const;
    const read = reader(s, calls);
    const found = await read([
      { tree, path: "src/a.txt" },
      ...["src/a.txt", "src/gone.txt", "src", "none/a.txt", "src/a.txt/b"].map((path) => ({
        ...{ tree: base, path, only },
      })),
      { tree, path: "src/gone.txt", only },
    ]);
    expect(found).toEqual([text("after\n"), other, other, other, absent, absent, absent]);
    expect(calls).toHaveLength(1);
    // What was only looked for is read when its text is asked.
    expect(await read([{ tree: base, path: "src/a.txt" }])).toEqual([text("before\n")]);
  });

  it("no name inside of an id, of a link or of a longer name is taken for a file", async () => {
    const s = scene({ "d/abc": "1\n", "d/b": "2\n", "d/ab/c": "3\n" });
    const tree = s.git("rev-parse", "HEAD^{tree}");
    const paths = ["d/bc", "d/c", "d/a", "d/ab", "d/b", "d/ b", "d/ab/c"];
    expect(await reader(s)(paths.map((path) => ({ tree, path })))).toEqual([
      ...[absent, absent, absent, other, text("2\n"), absent, text("3\n")],
    ]);
  });
});

describe("what counts as a text", () => {
  it("is UTF-8 without a zero byte, however odd, and nothing else", async () => {
    const s = scene();
    const texts: Files = {
      "empty.txt": "",
      "no-newline.txt": "end",
      "bom.txt": "\uFEFFbom\r\n",
      "replaced.txt": "a real \uFFFD\n",
      "wide.txt": "漢字 🎉 é\n",
      "record.txt": "0123456789012345678901234567890123456789 blob 3\nabc\nmissing\n",
    };
    const others = {
      "zero.bin": Buffer.from([97, 0, 98]),
      "latin.txt": Buffer.from([0x63, 0xe9, 0x0a]),
      // Three bytes of a character of four: as long as the sign that replaces them.
      "cut.txt": Buffer.from([0xf0, 0x9f, 0x98]),
    };
    for (const [name, bytes] of Object.entries({ ...texts, ...others }))
      writeFileSync(join(s.repo, name), bytes);
    const names = ["zero.bin", "empty.txt", "latin.txt", ...Object.keys(texts), "cut.txt", "wide.txt"];
    expect(await readCommitted(s, names)).toEqual(
      names.map((name) => (name in texts ? text(texts[name] ?? "") : other)),
    );
  });

  it("is no more than 2 MB", async () => {
    const s = scene();
    writeFileSync(join(s.repo, "most.txt"), "x".repeat(2 * 1024 * 1024));
    writeFileSync(join(s.repo, "more.txt"), "x".repeat(2 * 1024 * 1024 + 1));
    expect(await readCommitted(s, ["most.txt", "more.txt", "a.txt"])).toMatchObject([
      { kind: "text" },
      other,
      text("one\n"),
    ]);
  });

  it("and beside files that are too long to be read at once, all the same", async () => {
    const s = scene();
    writeFileSync(join(s.repo, "huge.bin"), Buffer.alloc(17 * 1024 * 1024, "x"));
    s.git("add", "-A");
    s.git("commit", "-qm", "huge");
    const tree = s.git("rev-parse", "HEAD^{tree}");
    const calls: string[][] = [];
    const found = await reader(
      s,
      calls,
    )([
      { tree, path: "huge.bin" },
      { tree, path: "a.txt" },
      { tree, path: "none.txt" },
      { tree, path: "a.txt", only: "presence" },
    ]);
    expect(found).toEqual([other, text("one\n"), absent, other]);
    expect(calls).toHaveLength(3);
  });

  it("may stand under any name", async () => {
    const s = scene();
    const names = [
      'a\nb\t"c".txt',
      " lead and trail ",
      ":(top)x",
      "*",
      "[a].txt",
      "ő/漢.txt",
      "-dash",
      "back\\slash",
    ];
    mkdirSync(join(s.repo, "ő"));
    for (const name of names) writeFileSync(join(s.repo, name), name);
    writeFileSync(Buffer.concat([Buffer.from(`${s.repo}/`), Buffer.from([0xff, 0x61])]), "no UTF-8 name");
    expect(await readCommitted(s, [...names, "\uFFFDa"])).toEqual([...names.map(text), absent]);
  });
});

describe("T3 a hash is that of the file's bytes, whatever they are; what is no file in the tree has none", () => {
  const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");
  const hasher = (s: Scene) =>
    createGitTrees({ processes: createNodeProcesses(), env: { PATH: process.env.PATH, HOME: s.home } });

  it("of texts, of bytes that are no text, of large files and links, in the tree and not in the worktree", async () => {
    const s = scene();
    const bytes = Buffer.from([0xff, 0, 0xfe, 10, 0x80]);
    const large = Buffer.alloc(3 * 1024 * 1024, "é");
    writeFileSync(join(s.repo, "raw.bin"), bytes);
    writeFileSync(join(s.repo, "large.txt"), large);
    writeFileSync(join(s.repo, "empty"), "");
    mkdirSync(join(s.repo, "folder"));
    writeFileSync(join(s.repo, "folder", "same.bin"), bytes);
    symlinkSync("raw.bin", join(s.repo, "link"));
    s.git("add", "-A");
    s.git("commit", "-qm", "more");
    const tree = s.git("rev-parse", "HEAD^{tree}");
    writeFileSync(join(s.repo, "raw.bin"), "later");
    const paths = [
      "raw.bin",
      "large.txt",
      "empty",
      "folder/same.bin",
      "link",
      "folder",
      "none",
      "../a.txt",
      "a.txt",
    ];
    expect(await hasher(s).hashes(homeOf(s), tree, paths)).toEqual({
      "raw.bin": sha256(bytes),
      "large.txt": sha256(large),
      empty: sha256(""),
      "folder/same.bin": sha256(bytes),
      link: sha256("raw.bin"),
      folder: null,
      none: null,
      "../a.txt": null,
      "a.txt": sha256("one\n"),
    });
  });

  it("asking for nothing starts no program", async () => {
    const s = scene();
    const trees = createGitTrees({
      processes: { exec: () => Promise.reject(new Error("started")) } as never,
    });
    expect(await trees.hashes(homeOf(s), "0".repeat(40), [])).toEqual({});
  });
});
