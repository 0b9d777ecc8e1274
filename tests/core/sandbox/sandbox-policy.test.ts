// What a confined program sees is decided by one rule: the whole machine read-only, and over it a list of mounts of which
// the one with the longer path wins.
import { describe, expect, it } from "vitest";
import { findLocalFolders, resolveSandboxPath } from "../../../src/core/sandbox/path-variables.ts";
import { buildSandboxPolicy, type Machine, type SandboxJob } from "../../../src/core/sandbox/policy.ts";

const machine: Machine = {
  home: "/home/ann",
  temporary: ["/tmp", "/var/tmp"],
  sockets: ["/run"],
  needed: ["/run/systemd/resolve/stub-resolv.conf", "/etc/hosts"],
  path: [
    "/usr/bin",
    "/home/ann/.local/bin",
    "/home/ann/bin",
    "/home/ann/tools/node/bin",
    "/home/ann/.cargo/bin",
  ],
  tools: ["/home/ann/.rustup", "/opt/jdk"],
  caches: ["/home/ann/.npm", "/opt/cache"],
  offline: {},
  write: [],
  hidden: ["/home/ann/code/shop/.pairflow", "/home/ann/.local/state/pairflow"],
};
const root = "/home/ann/code/.pairflow-worktrees/shop/fix";
const common = "/home/ann/code/shop/.git";
const job: SandboxJob = {
  repo: "/home/ann/code/shop",
  root,
  git: {
    kind: "worktree",
    common,
    own: `${common}/worktrees/fix`,
    link: `${root}/.git`,
    branch: "bubble/fix",
    siblings: ["other"],
  },
  home: [".gitconfig"],
  layer: "gate-test",
  network: false,
  endsWithParent: true,
};

const seen = (given: Partial<SandboxJob> = {}, on: Partial<Machine> = {}) => {
  const { mounts } = buildSandboxPolicy({ ...machine, ...on }, { ...job, ...given });
  return {
    mounts,
    /** How a path is met: by the mount with the longest path above it. */
    at: (path: string) =>
      mounts.filter((one) => path === one.path || path.startsWith(`${one.path}/`)).at(-1)?.kind ?? "machine",
  };
};

describe("a setup or a commit hook", () => {
  const setup = { layer: "setup", draftsGit: true };

  it("may set hooks and settings of git, and nothing of that stays", () => {
    const { at } = seen(setup);
    for (const path of ["config", "hooks/pre-commit", "refs/pairflow/x"])
      expect(at(`${common}/${path}`)).toBe("draft");
    expect(at(`${common}/objects/12`)).toBe("write");
    expect(at(`${common}/objects/info/alternates`)).toBe("read");
    expect(at(`${root}/.git`)).toBe("read");
  });

  it("nor in a clean checkout", () => {
    const folder = "/var/tmp/pairflow/x/.git";
    const { at } = seen({ ...setup, git: { kind: "repository", folder, reads: [common] } });
    expect([at(`${folder}/config`), at(`${folder}/hooks/x`)]).toEqual(["draft", "draft"]);
    expect(at(`${common}/config`)).toBe("read");
  });
});

describe("a gate", () => {
  it("writes its tree, its home and temporary files", () => {
    const { at } = seen();
    expect(at(`${root}/src/cart.ts`)).toBe("write");
    expect(at("/home/ann/.cache/tool")).toBe("own");
    expect([at("/tmp/file"), at("/var/tmp/file")]).toEqual(["own", "own"]);
  });

  it("writes of git only objects, its branch and what belongs to its worktree", () => {
    const { at } = seen();
    const writable = ["objects/12/34", "refs/heads/bubble/fix", "worktrees/fix/index"];
    expect(writable.map((path) => at(`${common}/${path}`))).toEqual(["write", "write", "write"]);
    const closed = [
      ...[
        "config",
        "hooks/pre-commit",
        "info/exclude",
        "refs/pairflow/fix/latest",
        "refs/heads/main",
        "packed-refs",
      ],
      ...[
        "refs/heads/bubble/other",
        "objects/info/alternates",
        "worktrees/fix/commondir",
        "worktrees/other/index",
      ],
    ];
    expect(closed.map((path) => at(`${common}/${path}`))).toEqual(closed.map(() => "read"));
    expect(at(`${root}/.git`)).toBe("read");
  });

  it("cannot write a branch that stands beside the others: a packed one could be replaced there", () => {
    const { git } = job;
    const { at } = seen({ git: { ...git, branch: "fix" } as SandboxJob["git"] });
    expect(at(`${common}/refs/heads/fix`)).toBe("read");
  });

  it("meets neither record nor keys nor sockets, wherever they lie", () => {
    const { at } = seen();
    expect(at("/home/ann/code/shop/.pairflow/bubbles/fix/transcript.ndjson")).toBe("hide");
    expect(at("/home/ann/.local/state/pairflow/confirmed.json")).toBe("hide");
    expect([at("/home/ann/.ssh/id_ed25519"), at("/home/ann/.aws/credentials")]).toEqual(["own", "own"]);
    expect([at("/run/docker.sock"), at("/run/user/1000/bus")]).toEqual(["hide", "hide"]);
    expect(at("/tmp/tmux-1000/default")).toBe("own");
  });

  it("meets programs that lie in the home, their caches as a copy, and nothing beside them", () => {
    const { at } = seen();
    expect([at("/home/ann/.local/bin/uv"), at("/home/ann/.local/lib/x")]).toEqual(["read", "read"]);
    expect([at("/home/ann/.local/share/keyrings"), at("/home/ann/.cargo/credentials.toml")]).toEqual([
      "own",
      "own",
    ]);
    expect([at("/home/ann/bin/tool"), at("/home/ann/tools/node/lib/node_modules")]).toEqual(["read", "read"]);
    expect([at("/home/ann/.rustup/toolchains"), at("/home/ann/.npm/_cacache")]).toEqual(["read", "copy"]);
    expect([at("/opt/cache/x"), at("/opt/jdk/bin"), at("/usr/bin/git")]).toEqual([
      "copy",
      "machine",
      "machine",
    ]);
    expect(at("/run/systemd/resolve/stub-resolv.conf")).toBe("read");
  });
});

describe("what settings list of the home", () => {
  it("is there to read, and leads neither out of it nor into what is ours", () => {
    const { at, mounts } = seen({
      home: [".npmrc", "../bob/.npmrc", "/etc/shadow", ".local/state/pairflow/keys", "a/./b"],
    });
    expect(at("/home/ann/.npmrc")).toBe("read");
    expect(at("/home/ann/.local/state/pairflow/keys")).toBe("hide");
    expect(
      mounts.some(({ path }) => path.includes("bob") || path.includes("shadow") || path.includes("./")),
    ).toBe(false);
  });
});

describe("unusual places", () => {
  it("a repository that is the home shows its git folder and nothing else of it", () => {
    const { at } = seen({ repo: "/home/ann" });
    expect(at("/home/ann/.ssh/id_ed25519")).toBe("own");
  });

  it("a home inside what a person opened is replaced all the same, and shows what the command line names", () => {
    const { at } = seen({ words: ["/home/ann/play.json", "/home/ben/play.json"] }, { write: ["/home"] });
    expect(at("/home/ann/secret")).toBe("own");
    expect(at("/home/ann/play.json")).toBe("read");
    expect(at("/home/ben/play.json")).toBe("write");
  });

  it("a home that is the root of the machine is not replaced", () => {
    const { at } = seen({}, { home: "/" });
    expect(at("/usr/bin/git")).toBe("machine");
  });

  it("a checkout of its own keeps its configuration, hooks and excludes", () => {
    const { at } = seen({
      root: "/var/tmp/pairflow/x",
      git: { kind: "repository", folder: "/var/tmp/pairflow/x/.git", reads: [common] },
    });
    expect(at("/var/tmp/pairflow/x/.git/index")).toBe("write");
    expect(at("/var/tmp/pairflow/x/.git/config")).toBe("read");
    expect(at(`${common}/objects/12`)).toBe("read");
  });
});

describe("a folder that a preset names", () => {
  it("is the variable's where it is set, else what stands for it", () => {
    const text = "$" + "{CARGO_HOME:-~/.cargo}/registry";
    expect(resolveSandboxPath(text, "/home/ann", {})).toBe("/home/ann/.cargo/registry");
    expect(resolveSandboxPath(text, "/home/ann", { CARGO_HOME: "" })).toBe("/home/ann/.cargo/registry");
    expect(resolveSandboxPath(text, "/home/ann", { CARGO_HOME: "/opt/cargo" })).toBe("/opt/cargo/registry");
    expect(resolveSandboxPath(text, "/home/ann", { CARGO_HOME: "relative" })).toBeUndefined();
    expect(resolveSandboxPath("~/../bob", "/home/ann", {})).toBeUndefined();
  });
});

describe("a variable that says where packages are", () => {
  it("names folders of this machine between addresses", () => {
    expect(findLocalFolders("file:///home/ann/modules,https://modules.example|direct")).toEqual([
      "/home/ann/modules",
    ]);
    expect(findLocalFolders("/srv/wheels https://x.example/simple file://localhost/srv/my%20wheels")).toEqual(
      ["/srv/wheels", "/srv/my wheels"],
    );
    expect(findLocalFolders("direct, off wheels ../wheels /srv/../home file://host/share")).toEqual([]);
  });

  it("shows that folder of the home and nothing beside it, and never the whole home", () => {
    const { at } = seen({}, { needed: ["/home/ann/modules"] });
    expect([at("/home/ann/modules/a.zip"), at("/home/ann/secret")]).toEqual(["read", "own"]);
    for (const wide of ["/home/ann", "/home", "/tmp"]) {
      const { at } = seen({}, { needed: [wide], tools: [wide] });
      expect([at("/home/ann/secret"), at("/tmp/secret")]).toEqual(["own", "own"]);
    }
  });
});
