// A line is taken out of the middle of a record at the moment of the signature: nothing acts on it, everything shows it,
// and one command continues from the good part.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScripted, type Rig, rig, shortest } from "../acceptance/rig.ts";
import { grant } from "../helpers/operator.ts";

const id = "b1";
const next = `${id}-2`;
let tool: Rig;
let damaged: Buffer;

const lines = () => readFileSync(tool.transcript(id), "utf8").trimEnd().split("\n");

beforeAll(async () => {
  tool = rig();
  await createScripted(tool, id, shortest);
  await tool.ok("bubble", "start", "--id", id, "--headless");
  expect((await tool.status(id)).state).toBe("READY_FOR_APPROVAL");
  writeFileSync(tool.transcript(id), `${lines().toSpliced(17, 1).join("\n")}\n`);
  damaged = readFileSync(tool.transcript(id));
}, 120_000);
afterAll(() => tool.close());

describe("a line taken out of the middle at the moment of the signature", () => {
  it.each([
    ["approve", ["bubble", "approve", "--id", id, "--yes"]],
    ["commit", ["bubble", "commit", "--id", id]],
    ["resume", ["bubble", "resume", "--id", id, "--headless"]],
    ["start", ["bubble", "start", "--id", id, "--headless"]],
    ["request-rework", ["bubble", "request-rework", "--id", id, "--message", "more"]],
    ["reply", ["bubble", "reply", "--id", id, "--message", "yes"]],
    ["waive", ["bubble", "waive", "--id", id, "--gate", "test", "--reason", "it is slow"]],
    ["drive", ["bubble", "drive", "--id", id, "--seat", "process", "--leave"]],
    ["stop", ["bubble", "stop", "--id", id]],
    ["an agent's verb", ["pass", "--id", id, "--as", "implementer", "--summary", "done"]],
  ])("%s is refused with the command that continues", async (_what, words) => {
    const done = await tool.run(...words);
    expect(done).toMatchObject({ code: 3, stderr: expect.stringContaining("log.damaged") });
    expect(done.stderr).toContain(`pairflow bubble salvage --id ${id}`);
    expect(readFileSync(tool.transcript(id)).equals(damaged)).toBe(true);
  });

  it.each([
    ["bubble status", ["bubble", "status", "--id", id]],
    ["log", ["log", "--id", id]],
    ["explain", ["explain", "--id", id]],
    ["bubble inbox", ["bubble", "inbox", "--id", id]],
    ["review log", ["review", "log", "--id", id]],
  ])("%s shows the good part, and says first that there is more", async (_what, words) => {
    const done = await tool.run(...words);
    expect(done.code).toBe(0);
    expect(done.stderr).toMatch(/^✗ the record of b1 is damaged: line 18 builds on line \d+ of the record/);
    expect(done.stderr).toContain(`pairflow bubble salvage --id ${id}`);
  });

  it.each([
    ["the first screen", ["home"], "damaged"],
    ["bubble list", ["bubble", "list"], "DAMAGED"],
    ["doctor", ["doctor"], "is damaged"],
  ])("%s shows it as damaged, with the command", async (_what, words, word) => {
    const { stdout } = await tool.run(...words);
    expect(stdout).toContain(word);
    expect(stdout).toContain(`pairflow bubble salvage --id ${id}`);
  });

  it("salvage makes a new bubble whose first line names the old head and the damaged file", async () => {
    const said = await tool.ok("bubble", "salvage", "--id", id);
    expect(said).toContain(`Made ${next} from the good part of ${id}`);
    const [first] = tool.log(next);
    const good = lines().slice(0, 17);
    const head = createHash("sha256")
      .update(good.at(-1) ?? "")
      .digest("hex");
    expect(first).toMatchObject({
      seq: 1,
      prev: "",
      type: "BUBBLE_CREATED",
      payload: {
        salvaged: {
          ...{ bubble: id, sha256: createHash("sha256").update(damaged).digest("hex") },
          work: { commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
        },
      },
    });
    const { salvaged } = first?.type === "BUBBLE_CREATED" ? first.payload : {};
    expect([salvaged?.seq, salvaged?.hash]).toEqual([JSON.parse(good.at(-1) ?? "").seq, head]);
    expect(readFileSync(tool.transcript(id)).equals(damaged)).toBe(true);
  });

  it("the new bubble is started on the old work, judged anew, approved, committed, and verifies", async () => {
    await tool.ok("bubble", "start", "--id", next, "--headless");
    const status = await tool.status(next);
    expect(status).toMatchObject({ state: "READY_FOR_APPROVAL", salvaged_from: { bubble: id } });
    expect(tool.log(next).filter(({ type }) => type === "GATES_RESULT").length).toBeGreaterThan(0);
    const approved = await grant(tool, "bubble", "approve", "--id", next, "--yes");
    expect(approved, approved.stderr).toMatchObject({ code: 0 });
    expect(await grant(tool, "bubble", "commit", "--id", next)).toMatchObject({ code: 0 });
    expect(tool.git("show", `bubble/${next}:src/cart.txt`)).toBe("total: 2\n");
    expect(await tool.ok("verify", "--id", next)).toContain("good");
    expect(await tool.ok("bubble", "status", "--id", next)).toContain(`the good part of ${id}`);
    expect(await tool.ok("log", "--id", next, "--all")).toContain(`the good part of ${id}`);
  }, 120_000);

  it("a record that is not damaged is not salvaged", async () => {
    const refused = await tool.run("bubble", "salvage", "--id", next);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("salvage.not-damaged") });
  });

  it("the damaged bubble can be put away, record and all", async () => {
    const gone = await tool.run("bubble", "delete", "--id", id, "--discard");
    expect(gone, gone.stderr).toMatchObject({ code: 0 });
    const archived = join(tool.repo, ".pairflow", "archive", id, "transcript.ndjson");
    expect(readFileSync(archived).equals(damaged)).toBe(true);
    rmSync(join(tool.repo, ".pairflow", "archive", id), { recursive: true });
  });
});
