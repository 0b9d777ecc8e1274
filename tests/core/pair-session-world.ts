// A record on a disk with everything the engine needs to read and write it, and a pair's session played into it.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileLog } from "../../src/adapters/log/file.ts";
import { createFileRecords } from "../../src/adapters/records/file.ts";
import type { Envelope } from "../../src/core/model/record/envelope.ts";
import type { State } from "../../src/core/model/state.ts";
import { handle, load } from "../../src/engine/handle/command.ts";
import { writePairSession } from "../../src/engine/views/pair-session.ts";
import type { RecordWorld } from "../../src/engine/world/world.ts";
import type { Scenario } from "../../src/testing/scenario.ts";
import { driver } from "../../src/testing/scenario-actors.ts";
import { record } from "../helpers/recorded.ts";
import { createMemoryRuntime } from "../memory/runtime.ts";

export interface Disk {
  readonly world: RecordWorld;
  /** Path of the transcript, or of an artifact. */
  readonly transcript: string;
  artifact(name: string): string;
  /** The state now, and the cache written anew. */
  state(): Promise<State>;
  lines(): Promise<Envelope[]>;
  /** Everything the scene says is on the record; then the session's view is written as a driver would. */
  plays(scene: Scenario): Promise<State>;
  close(): void;
}

export function disk(): Disk {
  const root = mkdtempSync(join(tmpdir(), "pf-pair-"));
  let ids = 0;
  const world = {
    log: createFileLog({ root, locks: { take: async () => () => {} } as never }),
    records: createFileRecords({ root }),
    runtime: createMemoryRuntime({} as never),
    clock: { now: () => "2026-02-21T10:00:00.000Z", sleep: async () => {} },
    chance: { id: () => `id${++ids}`, secret: () => "secret", uuid: () => `uuid-${++ids}` },
    hash: { sha256: (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex") },
    redaction: { redact: (text: string) => text },
    crashPoint: () => {},
  } as unknown as RecordWorld;
  const folder = join(root, ".pairflow", "bubbles", "cart");
  const state = async () => {
    const { state: now } = await load(world, "cart");
    if (!now) throw new Error("no such bubble");
    return now;
  };
  const lines = async () => {
    const found: Envelope[] = [];
    for await (const batch of world.log.read("cart")) found.push(...batch.envelopes);
    return found;
  };
  return {
    world,
    transcript: join(folder, "transcript.ndjson"),
    artifact: (name) => join(folder, "artifacts", name),
    state,
    lines,
    async plays(scene) {
      await record(world, scene.log);
      // Any command makes the cache.
      await handle(world, "cart", { type: "warn", actor: driver, code: "test.note", message: "played" });
      for (const key of Object.keys((await state()).tasks ?? {}))
        await writePairSession(world, await state(), key, "d1");
      return state();
    },
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}
