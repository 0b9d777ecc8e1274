// Whether the server that several machines share can keep what is promised, and whether this machine fits to it: for the doctor, and
// for a worker before it takes anything.
import { Failure } from "../../ports/failure.ts";
import type { ServerState } from "../../ports/record/server-state.ts";
import type { Travel } from "../../ports/record/travel.ts";
import { type Check, reportError, reportOk, reportWarning } from "../host/check.ts";
import { isStoreShared } from "../host/shared/store-choice.ts";
import { createSharedPorts } from "./shared.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Seconds that a clock may be off: lines get times in the order of their clocks, deadlines and reports read them. */
const warnsAt = 1;
const refusesAt = 30;

/** Nothing where the records are files. */
export async function checkStore(repo: string, env: Env): Promise<Check[]> {
  if (!isStoreShared(repo, env)) return [];
  try {
    const store = await createSharedPorts(repo, env, () => {}).open();
    return [...judgeServer(await store.describeServer()), ...(await checkTravel(store.travel, repo))];
  } catch (error) {
    return [toProblem("server", error)];
  }
}

/** Bundles need the server alone; a remote must take what this machine sends. */
async function checkTravel({ probe }: Travel, repo: string): Promise<Check[]> {
  if (!probe) return [];
  try {
    return [reportOk("remote", await probe(repo))];
  } catch (error) {
    return [toProblem("remote", error)];
  }
}

function toProblem(name: string, error: unknown): Check {
  if (!(error instanceof Failure)) throw error;
  return { name, status: "error", says: error.message, ...(error.hint ? { fix: error.hint } : {}) };
}

export function judgeServer(state: ServerState): Check[] {
  const { version, servers } = state;
  const several = servers.length > 1 ? `; ${servers.length} servers answer: ${servers.join(", ")}` : "";
  return [reportOk("server", `nats-server ${version}${several}`), judgeDurability(state), judgeClock(state)];
}

function judgeDurability({ isDurable }: ServerState): Check {
  const name = "server disk";
  if (isDurable) return reportOk(name, "what is acknowledged is on its disk (sync_interval: always)");
  if (isDurable === undefined)
    return reportWarning(
      name,
      "whether it syncs every line cannot be asked with this key: its configuration must say sync_interval: always",
      "pairflow server init --project shop    # writes one that says so, and lets users ask",
    );
  return reportError(
    name,
    "a power cut would lose lines that were acknowledged: it syncs every two minutes or so",
    "jetstream { sync_interval: always }    # in nats.conf, then restart nats-server",
  );
}

function judgeClock({ skewMs }: ServerState): Check {
  const name = "clock";
  if (skewMs === undefined) return reportOk(name, "the server does not tell its time");
  const seconds = Math.abs(skewMs) / 1000;
  if (seconds <= warnsAt) return reportOk(name, "agrees with the server's");
  const says = `this machine is ${seconds.toFixed(seconds < 10 ? 1 : 0)} seconds ${skewMs > 0 ? "ahead of" : "behind"} the server`;
  return {
    name,
    status: seconds > refusesAt ? "error" : "warning",
    says,
    fix: "sudo timedatectl set-ntp true",
  };
}
