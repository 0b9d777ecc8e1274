// One bubble is taken to its commit; then git is changed under a copy of the repository in every way that makes a line of
// the record false. verify is red each time and names the line; what a person may do with a branch is a note.
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chainLines, hashOf } from "../../src/adapters/log/line.ts";
import { createRecordWorld } from "../../src/app/record/world.ts";
import { verifyBubble } from "../../src/app/verify/record.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";

const id = "b1";
let tool: Rig;
let folder: string;
let facts: { commit: string; tree: string; base: string; pin: string; ref: string };

beforeAll(async () => {
  tool = rig();
  folder = mkdtempSync(join(tmpdir(), "pairflow-lookup-"));
  await createScripted(tool, id, shortest);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  await tool.until(id, ({ driver }) => !driver.alive, "nobody drives");
  const key = ["--operator-key", tool.key];
  await tool.ok("bubble", "approve", "--id", id, "--yes", ...key);
  await tool.ok("bubble", "commit", "--id", id, ...key);
  const committed = payloadOf("COMMITTED");
  const handed = payloadOf("HANDOFF");
  facts = {
    ...{
      commit: committed.commit ?? "",
      tree: committed.tree ?? "",
      base: payloadOf("BUBBLE_CREATED").base_commit ?? "",
    },
    ...{ pin: handed.commit ?? "", ref: handed.ref ?? "" },
  };
}, 120_000);
afterAll(async () => {
  await tool?.close();
  rmSync(folder, { recursive: true, force: true });
});

const payloadOf = (type: string) =>
  (tool.log(id).find((line) => line.type === type)?.payload ?? {}) as unknown as Record<
    string,
    string | undefined
  >;

interface Copy {
  readonly repo: string;
  git(...args: string[]): string;
}

let copies = 0;
/** A copy of the repository with its record, to do something to. */
function copyOf(): Copy {
  copies += 1;
  const repo = join(folder, `copy-${copies}`);
  cpSync(tool.repo, repo, { recursive: true });
  return {
    repo,
    git: (...args) => execFileSync("git", args, { cwd: repo, env: tool.env, encoding: "utf8" }).trim(),
  };
}

async function verified(change: (copy: Copy) => void) {
  const copy = copyOf();
  change(copy);
  return verifyBubble(createRecordWorld(copy.repo), copy.repo, id);
}

const objectOf = ({ repo }: Copy, object: string) =>
  join(repo, ".git", "objects", object.slice(0, 2), object.slice(2));

it("is good as long as git is as the record says", async () => {
  expect(await verified(() => {})).toMatchObject({ verdict: "good", errors: [], notes: [] });
});

describe("is red, and names the line,", () => {
  it.each<[string, (copy: Copy) => void, RegExp]>([
    [
      "when a pin was moved",
      ({ git }) => git("update-ref", facts.ref, facts.base),
      /\(HANDOFF\) pins \w+ as refs\/pairflow\/b1\/\S+, which is \w+ now/,
    ],
    [
      "when a pin was deleted",
      ({ git }) => git("update-ref", "-d", facts.ref),
      /\(HANDOFF\) pins \w+ as refs\/pairflow\/b1\/\S+, which is not there any more/,
    ],
    [
      "when the pinned commit is gone",
      (copy) => rmSync(objectOf(copy, facts.pin)),
      /\(HANDOFF\): git cannot read \w+/,
    ],
    [
      "when a file of the approved tree is gone",
      (copy) => rmSync(objectOf(copy, copy.git("rev-parse", `${facts.tree}:src/cart.txt`))),
      /\((?:HANDOFF|COMMITTED)\): git (?:has no object|cannot read) \w+/,
    ],
    [
      "when an object is not what its name says",
      (copy) => {
        const path = objectOf(copy, copy.git("rev-parse", `${facts.tree}:src/cart.txt`));
        rmSync(path);
        cpSync(objectOf(copy, copy.git("rev-parse", `${facts.base}:src/cart.txt`)), path);
      },
      /\((?:HANDOFF|COMMITTED)\): .*(?:is not the object its name stands for|cannot read)/,
    ],
    [
      "when the commit is gone and its branch still names it",
      (copy) => rmSync(objectOf(copy, facts.commit)),
      /\(COMMITTED\): git cannot read \w+/,
    ],
  ])("%s", async (_, change, says) => {
    const { verdict, errors } = await verified(change);
    expect(verdict).toBe("broken");
    expect(errors.map(({ message }) => message).join("\n")).toMatch(says);
  });
});

/** The record with its last COMMITTED line replaced: whoever can write it makes the chain fit. */
function claimCommit(copy: Copy, payload: Partial<Record<"commit" | "tree", string>>): void {
  const path = join(copy.repo, ".pairflow", "bubbles", id, "transcript.ndjson");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const at = lines.findIndex((line) => line.includes('"type":"COMMITTED"'));
  const before = lines.slice(0, at);
  const { prev: _, ...line } = JSON.parse(lines[at] ?? "") as Envelope;
  const changed = { ...line, payload: { ...(line.payload as object), ...payload } } as Omit<Envelope, "prev">;
  const [sealed] = chainLines(
    [{ ...changed, batch: { ...line.batch, n: 1, i: 0 } } as never],
    at,
    hashOf(Buffer.from(before.at(-1) ?? "")),
  );
  writeFileSync(path, `${before.join("\n")}\n`);
  appendFileSync(path, `${sealed?.bytes.toString() ?? ""}\n`);
  rmSync(join(copy.repo, ".pairflow", "bubbles", id, "state.json"), { force: true });
}

describe("is red when the record claims a commit", () => {
  it.each<[string, (copy: Copy) => { commit?: string; tree?: string }, RegExp]>([
    [
      "with another tree",
      ({ git }) => ({ commit: git("commit-tree", `${facts.base}^{tree}`, "-p", facts.base, "-m", "x") }),
      /has the tree \w+ instead of the approved/,
    ],
    [
      "on another parent",
      ({ git }) => ({ commit: git("commit-tree", facts.tree, "-m", "fix: the total is right") }),
      /stands on nothing instead of the base/,
    ],
    [
      "with another message",
      ({ git }) => ({ commit: git("commit-tree", facts.tree, "-p", facts.base, "-m", "something else") }),
      /has another message than the package/,
    ],
    ["that git does not have", () => ({ commit: "a".repeat(40) }), /git cannot read aaaaaaaaaaaa/],
    [
      "that no git has ever called so",
      () => ({ commit: "the-approved-one" }),
      /names the-approved-one, which is no id of git/,
    ],
  ])("%s", async (_, claimed, says) => {
    const { verdict, errors } = await verified((copy) => claimCommit(copy, claimed(copy)));
    expect(verdict).toBe("broken");
    expect(errors.map(({ message }) => message).join("\n")).toMatch(says);
  });
});

describe("what a person may do with the branch is a note:", () => {
  it.each<[string, (copy: Copy) => void, string]>([
    [
      "deleted",
      ({ git }) => git("update-ref", "-d", "refs/heads/bubble/b1"),
      "the branch bubble/b1 was deleted since; its commit is still there",
    ],
    [
      "moved away",
      ({ git }) => git("update-ref", "refs/heads/bubble/b1", facts.base),
      "the branch bubble/b1 was moved away from the commit since",
    ],
    [
      "continued",
      ({ git }) =>
        git(
          "update-ref",
          "refs/heads/bubble/b1",
          git("commit-tree", facts.tree, "-p", facts.commit, "-m", "more"),
        ),
      "the branch bubble/b1 has more commits since",
    ],
    [
      "deleted, and its commit swept away",
      (copy) => {
        copy.git("update-ref", "-d", "refs/heads/bubble/b1");
        rmSync(objectOf(copy, facts.commit));
      },
      "the approved tree is still pinned",
    ],
  ])("%s", async (_, change, says) => {
    const { verdict, notes } = await verified(change);
    expect(verdict).toBe("good");
    expect(notes.map(({ message }) => message).join("\n")).toContain(says);
  });
});
