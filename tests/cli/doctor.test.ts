// pairflow doctor: each line well or with the command that fixes it.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkMount } from "../../src/app/doctor/disk/file-system.ts";
import { checkVersion } from "../../src/app/host/check.ts";
import { openShop, type Shop } from "../helpers/shop.ts";

let shop: Shop;
beforeEach(() => {
  shop = openShop();
});
afterEach(() => shop.close());

interface Found {
  readonly name: string;
  readonly status: string;
  readonly says: string;
  readonly fix?: string;
}

/** The checks by name; a name that stands for several has the last of them. */
function checks(): Record<string, Found> {
  const found: Found[] = shop.json("doctor").checks;
  return Object.fromEntries(found.map((check) => [check.name, check]));
}

function prepared(config = ""): void {
  shop.run("init");
  writeFileSync(join(shop.repo, ".pairflow/config.yaml"), config);
  shop.git("config", "user.name", "Tester");
  shop.git("config", "user.email", "tester@localhost");
  shop.git("add", "-A");
  shop.git("commit", "-q", "-m", "first");
}

const agents = `agents:\n  codex: { adapter: command, command: "sh -c true" }\n  claude: { adapter: command, command: "sh -c true" }\n`;

it("a prepared repository is well", () => {
  prepared(agents);
  const shown = shop
    .session("doctor")
    .replace(/^( *✓ (?:node|git|tmux|confinement|disk|space|agent \w+) {2,}).*$/gm, "$1…");
  expect(shown.replace(/at [0-9a-f]{7,}$/m, "at …")).toMatchInlineSnapshot(`
    "
    machine
      ✓ node           …
      ✓ git            …
      ✓ tmux           …
      ✓ command        agents and their hooks can start pairflow
      ✓ mcp            offers pass, submit_review, converged, ask_human
      ✓ confinement    …

    repository
      ✓ repository     <folder>/shop at …
      ✓ identity       Tester <tester@localhost>
      ✓ worktrees      <folder>/.pairflow-worktrees/shop can hold them
      ✓ ignored        git ignores the records in .pairflow
      ✓ git hooks      none
      ✓ git filters    none
      ✓ gates          none found; say --test <command> at create
      ✓ config         .pairflow/config.yaml is valid
      ✓ workflows      auto, design-refinement, document, explore, pair, paired, pipeline, plan-and-execute, plan-refinement, plan-tasks, review, task-decomposition

    disk
      ✓ disk           …
      ✓ space          …
      ✓ record         appending, syncing and linking work in .pairflow
      ✓ watching       changes of files are reported at once

    agents
      ✓ agent codex    …
      ✓ agent claude   …

    leftovers
      ✓ leftovers      nothing is left over from earlier bubbles

    22 checks: all well
    "
  `);
  expect(shop.run("doctor").code).toBe(0);
});

it("a repository that was not prepared says pairflow init", () => {
  const { record, ignored } = checks();
  expect(record).toMatchObject({ status: "error", fix: "pairflow init" });
  expect(ignored).toMatchObject({ status: "error", fix: "pairflow init" });
  const ran = shop.run("doctor");
  expect([ran.code, ran.stderr.replaceAll(shop.folder, "<folder>")]).toMatchInlineSnapshot(`
    [
      1,
      "Refused: 3 things to fix first (doctor.problems)
    Hint: git -C <folder>/shop commit --allow-empty -m "First commit"
    ",
    ]
  `);
});

it("names the line of a configuration that is wrong", () => {
  prepared("defaults:\n  max_round: 4\n");
  expect(
    JSON.parse(JSON.stringify(checks().config).replaceAll(shop.folder, "<folder>")),
  ).toMatchInlineSnapshot(`
    {
      "fix": "\${EDITOR:-vi} <folder>/shop/.pairflow/config.yaml",
      "group": "repository",
      "name": "config",
      "says": ".pairflow/config.yaml:2:3: there is no default max_round; did you mean max_rounds?",
      "status": "error",
    }
  `);
});

it("says that an edited configuration is not seen before it is committed", () => {
  prepared();
  writeFileSync(join(shop.repo, ".pairflow/config.yaml"), agents);
  expect(checks().config).toMatchObject({
    status: "warning",
    fix: `git -C ${shop.repo} add .pairflow/config.yaml && git -C ${shop.repo} commit -m "Configure Pairflow"`,
  });
});

it("finds an agent whose program is missing", () => {
  prepared("agents:\n  codex: { adapter: command, command: no-such-program --do-it }\n");
  expect(checks()["agent codex"]).toMatchObject({
    status: "error",
    says: "no-such-program is not on the PATH",
  });
});

it("finds what earlier bubbles left behind", async () => {
  prepared(agents);
  const worktrees = join(shop.folder, ".pairflow-worktrees", "shop");
  mkdirSync(join(worktrees, "gone"), { recursive: true });
  mkdirSync(join(worktrees, ".out", "gone"), { recursive: true });
  mkdirSync(join(shop.repo, ".pairflow/locks"), { recursive: true });
  symlinkSync(`999999999 1 ${hostname()} 1`, join(shop.repo, ".pairflow/locks/fix-cart.lock"));
  const { worktree, lock } = checks();
  expect(worktree).toMatchObject({
    status: "warning",
    says: `${join(worktrees, "gone")} belongs to no bubble`,
  });
  expect(lock).toMatchObject({ status: "warning", fix: `rm ${shop.repo}/.pairflow/locks/fix-cart.lock` });
  expect(shop.run("doctor").code).toBe(0);
});

it("finds a worktree that was deleted by hand", () => {
  prepared(agents);
  const path = join(shop.folder, ".pairflow-worktrees", "shop", "x");
  shop.git("worktree", "add", "-q", "-b", "x", path);
  expect(checks().worktree?.fix).toBe(`git -C ${shop.repo} worktree remove ${path}`);
  rmSync(path, { recursive: true });
  expect(checks().worktree?.fix).toBe(`git -C ${shop.repo} worktree prune`);
});

it("finds a record that cannot be read", () => {
  prepared(agents);
  mkdirSync(shop.file("half", "artifacts"), { recursive: true });
  expect(checks().record).toMatchObject({ status: "error", fix: "pairflow verify --id half" });
});

it("works outside a repository", () => {
  const ran = shop.runIn(shop.folder, shop.env, "doctor", "--json");
  expect(ran.code).toBe(1);
  expect(JSON.parse(ran.stdout).checks.at(-1)).toMatchObject({
    name: "repository",
    status: "error",
    fix: "git init",
  });
});

it("judges versions by number", () => {
  expect(checkVersion("git", "git version 2.39.5", [2, 38], "fix")).toEqual({
    name: "git",
    status: "ok",
    says: "2.39.5",
  });
  expect(checkVersion("git", "git version 2.4.1", [2, 38], "fix").says).toBe(
    "2.4.1 is too old; 2.38 is needed",
  );
  expect(checkVersion("tmux", "tmux next-3.4", [3, 2], "fix").status).toBe("ok");
  expect(checkVersion("tmux", "", [3, 2], "fix").says).toBe("not installed, or not on the PATH");
});

it("refuses network file systems by the mount that is nearest to the repository", () => {
  const table =
    "/dev/vda / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\nshare /mnt/my\\040disk cifs rw 0 0\ntmpfs /home/me/local tmpfs rw 0 0\n";
  expect(checkMount("/srv/shop", table)).toMatchObject({ status: "ok" });
  expect(checkMount("/home/me/shop", table)).toMatchObject({
    status: "error",
    fix: "git clone /home/me/shop ~/shop",
  });
  expect(checkMount("/mnt/my disk/shop", table)).toMatchObject({ status: "error" });
  expect(checkMount("/home/me/local/shop", table)).toMatchObject({ status: "ok" });
  expect(checkMount("/homes/shop", table)).toMatchObject({ status: "ok" });
  expect(checkMount("/srv/shop", undefined)).toMatchObject({ status: "ok" });
});
