// A process of its own that counts bubbles, as fast as it can, and may kill itself right after a write.
import { join } from "node:path";
import { createFileConventions } from "../../src/adapters/conventions/file.ts";
import { createPidLocks } from "../../src/adapters/lock/pid.ts";
import { createProcessMarks } from "../../src/adapters/lock/process-marks.ts";
import { countConvention } from "../../src/core/knowledge/learning.ts";

export interface Orders {
  readonly root: string;
  readonly name: string;
  readonly bubbles: number;
  readonly startAt: number;
  /** Writes after which it dies; 0: never. */
  readonly dieAfter: number;
}

const { root, name, bubbles, startAt, dieAfter } = JSON.parse(process.argv[2] ?? "") as Orders;
const locks = createPidLocks({
  folder: join(root, ".pairflow", "locks"),
  marks: createProcessMarks(),
  waitMs: 10_000,
});
let writes = 0;
const store = createFileConventions({
  root,
  locks,
  crashPoint() {
    writes += 1;
    if (writes === dieAfter) process.kill(process.pid, "SIGKILL");
  },
});

async function work(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, startAt - Date.now()));
  for (let i = 0; i < bubbles; i += 1) {
    const bubble = `${name}-${i}`;
    await store.change((kept) => ({
      kept: { ...kept, learned: countConvention(kept.learned, [], [{ bubble, noticed: [] }]).learned },
      result: undefined,
    }));
  }
}

void work();
