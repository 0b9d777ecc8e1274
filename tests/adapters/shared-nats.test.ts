// Plans and conventions that several machines share, on a real nats-server, against their contracts; and plans of machines that have
// files of their own, which people edit by hand.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSharedConventions } from "../../src/adapters/conventions/shared.ts";
import { openEntries } from "../../src/adapters/nats/entries.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { createFilePlans, type PlanFiles } from "../../src/adapters/plans/files.ts";
import { createMirroredPlans } from "../../src/adapters/plans/mirrored.ts";
import { createSharedPlans } from "../../src/adapters/plans/shared.ts";
import { planReader } from "../../src/app/files/plan.ts";
import type { CrashPoint } from "../../src/ports/crash-point.ts";
import type { Entries } from "../../src/ports/system/entries.ts";
import { buildConventionsContract, type ConventionsRig } from "../../src/testing/contracts/conventions.ts";
import {
  buildPlansContract,
  committedPlan,
  type PlansRig,
  scratchPlan,
} from "../../src/testing/contracts/plans.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { locksIn, scratch } from "./rigs.ts";
import { runContract } from "./run-contract.ts";

let server: RunningServer;
let projects = 0;

function openProject() {
  projects += 1;
  const patiently = createPatience({ server: server.url, forMs: 3000 });
  return openEntries(server.js, { project: `p${projects}`, replicas: 1, patiently });
}

/** Plans whose process dies at its n-th write. */
async function plansOnServer(): Promise<PlansRig> {
  const entries = await openProject();
  const dying = (write: number) => {
    let writes = 0;
    const crashPoint: CrashPoint = () => {
      writes += 1;
      if (writes === write) throw new Error("killed");
    };
    return createSharedPlans({ entries, reader: planReader, crashPoint });
  };
  const again = () => createSharedPlans({ entries, reader: planReader });
  return { plans: again(), again, dying, close: async () => {} };
}

async function conventionsOnServer(): Promise<ConventionsRig> {
  const { root, remove } = scratch();
  const entries = await openProject();
  let writes = 0;
  let stored = "";
  const open = (crashPoint: CrashPoint) =>
    createSharedConventions({
      root,
      crashPoint,
      entries: {
        ...entries,
        read: async (key) => (stored ? { text: stored, revision: 1 } : entries.read(key)),
      },
    });
  const again = () =>
    open(() => {
      writes += 1;
    });
  return {
    conventions: again(),
    again,
    dying: () =>
      open(() => {
        throw new Error("killed");
      }),
    damage() {
      stored = '{"number":';
      return () => stored;
    },
    writes: () => writes,
    close: async () => remove(),
  };
}

/** The plans of one machine, with files in a folder of its own. */
function plansOfMachine(entries: Entries, root: string, crashPoint: CrashPoint = () => {}): PlanFiles {
  return createMirroredPlans({
    files: createFilePlans({ root, reader: planReader, locks: locksIn(root), crashPoint }),
    shared: createSharedPlans({ entries, reader: planReader, crashPoint }),
    notes: join(root, ".pairflow", "store", "plans"),
  });
}

/** Each look is another machine's; who dies at a write is the first one. */
async function plansOfMachines(): Promise<PlansRig> {
  const entries = await openProject();
  const machines = [scratch()];
  const [first] = machines as [ReturnType<typeof scratch>];
  return {
    plans: plansOfMachine(entries, first.root),
    again() {
      const machine = scratch();
      machines.push(machine);
      return plansOfMachine(entries, machine.root);
    },
    dying(write) {
      let writes = 0;
      return plansOfMachine(entries, first.root, () => {
        writes += 1;
        if (writes === write) throw new Error("killed");
      });
    },
    async close() {
      for (const { remove } of machines) remove();
    },
  };
}

/** Two machines that both know the same plan. */
async function twoMachines() {
  const entries = await openProject();
  const [one, other] = [scratch(), scratch()];
  const [here, there] = [plansOfMachine(entries, one.root), plansOfMachine(entries, other.root)];
  await here.save(scratchPlan);
  await there.read(scratchPlan.slug);
  const editor = (root: string) => (from: string, to: string) => {
    const file = join(root, here.path(scratchPlan.slug, "plan.md"));
    writeFileSync(file, readFileSync(file, "utf8").replace(from, to));
  };
  return {
    ...{ entries, here, there, editHere: editor(one.root), editThere: editor(other.root) },
    forget: () => rmSync(join(one.root, ".pairflow", "store"), { recursive: true }),
    [Symbol.dispose]() {
      one.remove();
      other.remove();
    },
  };
}

const { slug } = scratchPlan;
const discounts = "Customers get discounts.";
const mission = async (plans: PlanFiles) => (await plans.read(slug))?.mission;

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  runContract("plans on a server", buildPlansContract(plansOnServer));
  runContract("plans on a server, with files on each machine", buildPlansContract(plansOfMachines));

  test("an edit by hand reaches the other machine, and its files", async () => {
    using machines = await twoMachines();
    const { here, there, editHere, editThere } = machines;
    editHere(discounts, "Old stock is sold.");
    expect(await mission(here)).toBe("Old stock is sold.");
    expect(await mission(there)).toBe("Old stock is sold.");
    editThere("Old stock is sold.", "Nothing is thrown away.");
    expect(await mission(there)).toBe("Nothing is thrown away.");
    expect(await mission(here)).toBe("Nothing is thrown away.");
  });

  test("two machines' edits are never mixed or lost: a person says which counts", async () => {
    using machines = await twoMachines();
    const { here, there, editHere, editThere } = machines;
    editHere(discounts, "Old stock is sold.");
    editThere(discounts, "Nothing is thrown away.");
    expect(await mission(there)).toBe("Nothing is thrown away.");
    await expect(here.read(slug)).rejects.toMatchObject({
      code: "plan.two-edits",
      hint: `pairflow plan edit ${slug} --put-back`,
    });
    await expect(here.save({ ...scratchPlan, title: "T" })).rejects.toMatchObject({ code: "plan.two-edits" });
    await here.take(slug, "md");
    expect(await mission(here)).toBe("Old stock is sold.");
    expect(await mission(there)).toBe("Old stock is sold.");
    editHere("Old stock is sold.", "Mine");
    editThere("Old stock is sold.", "Theirs");
    expect(await mission(there)).toBe("Theirs");
    await expect(here.read(slug)).rejects.toMatchObject({ code: "plan.two-edits" });
    expect((await here.putBack(slug)).mission).toBe("Theirs");
    expect(await mission(here)).toBe("Theirs");
  });

  test("a plan that was committed elsewhere is frozen here, whatever was edited meanwhile", async () => {
    using machines = await twoMachines();
    const { here, there, editHere } = machines;
    await there.save(committedPlan);
    editHere(discounts, "Too late.");
    await expect(here.read(slug)).rejects.toMatchObject({ code: "plan.two-edits" });
    await expect(here.take(slug, "md")).rejects.toMatchObject({ code: "plan.frozen" });
    expect(await here.putBack(slug)).toEqual(committedPlan);
    expect(await here.read(slug)).toEqual(committedPlan);
    expect(await there.read(slug)).toEqual(committedPlan);
  });

  test("without the note of what both had, only what is alike is beyond doubt", async () => {
    using machines = await twoMachines();
    const { here, there, editThere, forget } = machines;
    forget();
    expect(await mission(here)).toBe(discounts);
    forget();
    editThere(discounts, "Theirs");
    await there.read(slug);
    await expect(here.read(slug)).rejects.toMatchObject({ code: "plan.two-edits" });
  });

  test("an entry that no version of ours wrote is refused as a broken file is", async () => {
    using machines = await twoMachines();
    const { entries, here } = machines;
    const entry = await entries.read(`plan.${slug}`);
    await entries.write(`plan.${slug}`, '{"slug": "add-discounts"', entry?.revision ?? 0);
    await expect(here.read(slug)).rejects.toMatchObject({
      message: expect.stringContaining(`plan.${slug} on the server`),
    });
  });

  runContract("conventions on a server", buildConventionsContract(conventionsOnServer));
});
