// Plans and conventions that several machines share, on a real nats-server, against their contracts.
import { afterAll, beforeAll, describe } from "vitest";
import { createSharedConventions } from "../../src/adapters/conventions/shared.ts";
import { openEntries } from "../../src/adapters/nats/entries.ts";
import { createPatience } from "../../src/adapters/nats/patience.ts";
import { createSharedPlans } from "../../src/adapters/plans/shared.ts";
import type { CrashPoint } from "../../src/ports/crash-point.ts";
import { buildConventionsContract, type ConventionsRig } from "../../src/testing/contracts/conventions.ts";
import { buildPlansContract, type PlansRig } from "../../src/testing/contracts/plans.ts";
import { natsMissing, type RunningServer, startNatsServer } from "../helpers/nats-server.ts";
import { scratch } from "./rigs.ts";
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
    return createSharedPlans({ entries, crashPoint });
  };
  const again = () => createSharedPlans({ entries });
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

describe.skipIf(natsMissing)(`on a nats-server${natsMissing ? ` (skipped: ${natsMissing})` : ""}`, () => {
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.close());

  runContract("plans on a server", buildPlansContract(plansOnServer));
  runContract("conventions on a server", buildConventionsContract(conventionsOnServer));
});
