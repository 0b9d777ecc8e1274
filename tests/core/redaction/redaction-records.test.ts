// Artifacts and the transcript hold no secret, whoever hands them in; everything else about them stays as it was.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRedactedRecords } from "../../../src/adapters/records/redacted.ts";
import { createRecordWorld } from "../../../src/app/record/world.ts";
import { createRedaction } from "../../../src/core/redaction/redact.ts";
import { findSecretPaths } from "../../../src/core/redaction/values.ts";
import { handle, load } from "../../../src/engine/handle/command.ts";
import { play } from "../../helpers/play.ts";
import { createMemoryRecords } from "../../memory/records.ts";
import { samples, some } from "../redaction-samples.ts";

const value = `kept-${some(12)}`;
const [token = ""] = samples["github-token"] ?? [];
const { redact } = createRedaction([value]);

describe("an artifact", () => {
  const records = createRedactedRecords(createMemoryRecords(), redact);
  const kept = async (name: string, content: string | Uint8Array) => {
    if (!(await records.exists("a"))) await records.create("a");
    const put = await records.put("a", name, content);
    return { ...put, bytes: Buffer.from((await records.get("a", put.name)) ?? []) };
  };

  it("that is text is stored without its secrets, given as a text or as bytes", async () => {
    expect((await kept("one.md", `say ${token}`)).bytes.toString()).toBe("say [redacted:github-token]");
    expect((await kept("two.md", Buffer.from(`ünsay ${value}`))).bytes.toString()).toBe(
      "ünsay [redacted:env]",
    );
  });

  it("in another alphabet keeps every other byte", async () => {
    const bytes = Buffer.concat([Buffer.from([0xe9, 0xff]), Buffer.from(value), Buffer.from([0xe8])]);
    const stored = (await kept("latin.txt", bytes)).bytes;
    expect(stored).toEqual(
      Buffer.concat([Buffer.from([0xe9, 0xff]), Buffer.from("[redacted:env]"), Buffer.from([0xe8])]),
    );
  });

  it("that is no text is stored as it is", async () => {
    const bytes = Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from(token)]);
    expect((await kept("image.png", bytes)).bytes).toEqual(bytes);
  });

  it("has the hash of what was stored, and a name without secrets", async () => {
    const { name, sha256 } = await kept(`refs/${token}.txt`, `say ${token} again`);
    const plain = await memoryOf("say [redacted:github-token] again");
    expect({ name, sha256 }).toEqual({ name: "refs/[redacted:github-token].txt", sha256: plain });
  });
});

async function memoryOf(text: string): Promise<string> {
  const records = createMemoryRecords();
  await records.create("b");
  return (await records.put("b", "x", text)).sha256;
}

describe("a command", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "pf-redaction-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const everything = () =>
    readdirSync(join(folder, ".pairflow"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
      .join("\n");

  const opened = async () => {
    const light = createRecordWorld(folder);
    let at = Date.parse("2026-01-05T09:00:00.000Z");
    const wait = (seconds: number) => {
      at += seconds * 1000;
    };
    const world = {
      ...light,
      records: createRedactedRecords(light.records, redact),
      redaction: createRedaction([value]),
      clock: { ...light.clock, now: () => new Date(at).toISOString() },
    };
    const bubble = await play({ world, repo: folder, wait }, "fix", "Fix it");
    await bubble.starts();
    await bubble.turnStarts();
    return { world, bubble };
  };

  it("leaves no secret in transcript, messages, cache or inbox", async () => {
    const { world, bubble } = await opened();
    await bubble.says({
      type: "ask-human",
      question: `Is ${token} right, or "${value}"?`,
      options: [value, "no"],
    });
    const asked = (await load(world, "fix")).state?.questions[0]?.text;
    expect(asked).toBe('Is [redacted:github-token] right, or "[redacted:env]"?');
    expect(everything()).toContain("[redacted:github-token]");
    expect(everything()).not.toContain(token);
    expect(everything()).not.toContain(value);
  });

  it("cut by a limit leaves no half of a secret", async () => {
    const { world } = await opened();
    const driver = { kind: "driver", id: "d1" } as const;
    const message = `${"x".repeat(4000 - 20)}${token}`;
    const { envelopes } = await handle(world, "fix", {
      type: "fail",
      actor: driver,
      code: "disk.gone",
      message,
    });
    expect(envelopes.map((envelope) => envelope.type)).toEqual(["FAILED"]);
    expect(everything()).not.toContain(token.slice(0, 16));
  });

  it("said twice is recognised, though what it says was redacted", async () => {
    const { world } = await opened();
    const { turn } = (await load(world, "fix")).state ?? {};
    if (!turn) throw new Error("nobody has the turn");
    const { id, attempt, capability = "" } = turn;
    const command = {
      type: "ask-human",
      actor: { kind: "agent", turn: id, attempt, capability },
      digest: "d".repeat(16),
      question: `Is it ${value}?`,
    } as const;
    const first = await handle(world, "fix", command);
    const again = await handle(world, "fix", command);
    expect(first.envelopes.map((envelope) => envelope.type)).toEqual(["HUMAN_QUESTION"]);
    expect(again).toMatchObject({ envelopes: [], repeats: first.envelopes[0]?.seq });
  });
});

describe("settings that must stay exact", () => {
  it("are named where they hold a secret, never with its value", () => {
    const config = {
      agent: { codex: { adapter: "command", command: `curl -H ${token}` } },
      commands: { test: "npm test" },
    };
    expect(findSecretPaths(config, redact)).toEqual(["agent.codex.command"]);
    expect(findSecretPaths({ commands: { test: "npm test" } }, redact)).toEqual([]);
  });
});
