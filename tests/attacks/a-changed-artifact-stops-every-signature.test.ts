// Every artifact that a line names is compared byte for byte with the hash in the line: by verify, and before anybody
// approves or commits. Nothing that a line names is without a hash.
import { chmodSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRecordWorld } from "../../src/app/record/world.ts";
import { verifyBubble } from "../../src/app/verify/record.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import { createScripted, oneLoop, type Rig, rig } from "../acceptance/rig.ts";

const id = "b1";
let tool: Rig;
const key = () => ["--operator-key", tool.key];
const approve = () => tool.run("bubble", "approve", "--id", id, "--yes", ...key());
const commit = () => tool.run("bubble", "commit", "--id", id, ...key());
const verify = () => verifyBubble(createRecordWorld(tool.repo), tool.repo, id);
const artifacts = () => join(tool.repo, ".pairflow", "bubbles", id, "artifacts");

beforeAll(async () => {
  tool = rig();
  await createScripted(tool, id, oneLoop);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
}, 60_000);
afterAll(() => tool.close());

/** Names of artifacts, by the line that names them first. */
function named(): Map<string, Envelope> {
  const found = new Map<string, Envelope>();
  for (const line of tool.log(id)) {
    for (const ref of line.refs.filter((one) => one.startsWith("artifact://")))
      if (!found.has(ref.slice(11))) found.set(ref.slice(11), line);
  }
  return found;
}

/** Runs while one byte of the file is another one. */
async function withChangedByte<T>(name: string, run: () => Promise<T>): Promise<T> {
  const path = join(artifacts(), name);
  const before = readFileSync(path);
  const after = Buffer.from(before);
  after[after.length >> 1] = (after[after.length >> 1] ?? 0) ^ 1;
  chmodSync(path, 0o600);
  writeFileSync(path, after);
  try {
    return await run();
  } finally {
    writeFileSync(path, before);
    chmodSync(path, 0o400);
  }
}

const attacked = ["task.md", "workflow-pair.yaml", "round-001.diff", "round-002.diff", "done-package.md"];

it("has a hash for every artifact that any line names, in its refs or in its payload", () => {
  const files = readdirSync(artifacts(), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(artifacts().length + 1));
  const isView = (name: string) => (statSync(join(artifacts(), name)).mode & 0o222) !== 0;
  const stored = files.filter((name) => !isView(name));
  expect(stored).toEqual(expect.arrayContaining(attacked));
  for (const line of tool.log(id)) {
    const text = JSON.stringify(line.payload);
    const inPayload = stored.filter((name) => text.includes(JSON.stringify(name)));
    const refs = line.refs.filter((ref) => ref.startsWith("artifact://"));
    expect(refs).toEqual(expect.arrayContaining(inPayload.map((name) => `artifact://${name}`)));
    expect(Object.keys(line.hashes ?? {}).sort(), `${line.seq} ${line.type}`).toEqual([...refs].sort());
  }
});

it("is red in verify for one changed byte of any artifact, with the file and the line that names it", async () => {
  expect(await verify()).toMatchObject({ ok: true, errors: [] });
  const all = named();
  expect([...all.keys()]).toEqual(expect.arrayContaining(attacked));
  expect([...all.keys()].some((name) => name.startsWith("messages/"))).toBe(true);
  expect([...all.keys()].some((name) => name.startsWith("prompts/"))).toBe(true);
  for (const [name, { seq }] of all) {
    const { ok, errors } = await withChangedByte(name, verify);
    const words = errors.map(({ message }) => message).join("\n");
    expect(ok, name).toBe(false);
    expect(words).toContain(join(artifacts(), name));
    expect(words).toContain(`message ${seq} `);
  }
});

it("is refused by approve with a code and a line to paste, and told by the command line", async () => {
  for (const name of ["round-002.diff", "task.md"]) {
    const refused = await withChangedByte(name, approve);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("approve.evidence-changed");
    expect(refused.stderr).toContain(name);
    expect(refused.stderr).toContain(`pairflow verify --id ${id}`);
  }
  const told = await withChangedByte("round-002.diff", () => tool.run("verify", "--id", id));
  expect(told.code).toBe(1);
  expect(told.stdout + told.stderr).toContain("round-002.diff");
  expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
});

it("is refused when an artifact is gone", async () => {
  const path = join(artifacts(), "round-001.diff");
  renameSync(path, `${path}.away`);
  try {
    expect((await verify()).errors.map(({ message }) => message).join()).toContain(
      "round-001.diff, which is not there",
    );
    expect((await approve()).stderr).toContain("approve.evidence-changed");
  } finally {
    renameSync(`${path}.away`, path);
  }
});

it("is refused by commit too, and with the bytes back everything continues", async () => {
  expect((await approve()).code).toBe(0);
  const refused = await withChangedByte("round-002.diff", commit);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("commit.evidence-changed") });
  expect(tool.git("for-each-ref", `refs/heads/bubble/${id}`)).toContain(tool.git("rev-parse", "main").trim());
  expect((await commit()).code).toBe(0);
  expect(await verify()).toMatchObject({ ok: true, errors: [], notes: [] });
});
