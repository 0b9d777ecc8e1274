// pairflow hosts: the machines that take work of this project, and what each of them does.
import { requireRepo } from "../../../app/host/locate.ts";
import { openRecordWorld } from "../../../app/record/world.ts";
import { requireOffers } from "../../../app/worker/worker.ts";
import type { WorkingHost } from "../../../ports/record/offers.ts";
import { formatDuration } from "../../render/time.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const hosts = defineVerb({
  words: "hosts",
  about: "The machines that take work of this project: labels, load, and what they drive",
  access: "read",
  example: "pairflow hosts",
  flags: { repo: bubbleFlags.repo },
  async run(shell, { flags }) {
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    const { shared, world } = openRecordWorld(repo);
    const found = await requireOffers(shared?.offers).hosts();
    if (found.length === 0)
      return { text: "No machine takes work now\nNext: pairflow worker", json: { hosts: [] } };
    const now = Date.parse(world.clock.now());
    return {
      text: found.map((host) => renderHost(host, now, world.runtime.leaseMs)).join("\n"),
      json: { hosts: found.map(toRow) },
    };
  },
});

const toRow = ({ isDraining = false, startedAt, beatAt, ...host }: WorkingHost) => ({
  ...host,
  draining: isDraining,
  started_at: startedAt,
  /** By the server's clock. */
  beat_at: beatAt ?? null,
});

export function renderHost(
  { host, labels, concurrency, driving, isDraining, beatAt }: WorkingHost,
  now: number,
  leaseMs = Number.POSITIVE_INFINITY,
): string {
  const silentMs = beatAt ? Math.max(0, now - Date.parse(beatAt)) : undefined;
  const ago = silentMs === undefined ? "" : describeSilence(silentMs, silentMs > leaseMs);
  const load = `${driving.length} of ${concurrency}${isDraining ? ", draining" : ""}`;
  return [`${host}  ${load}${ago}  ${labels.join(" ")}`, ...driving.map((bubble) => `  ${bubble}`)].join(
    "\n",
  );
}

/** Longer than a lease, and what it drove is another machine's. */
const describeSilence = (ms: number, isLost: boolean): string =>
  isLost
    ? `, not heard of for ${formatDuration(ms)}: others take what it drove`
    : `, heard ${formatDuration(ms)} ago`;
