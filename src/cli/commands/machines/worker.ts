// pairflow worker: this machine takes work of a project that several machines share, until a signal.
import { requireRepo } from "../../../app/host/locate.ts";
import { workerVariable } from "../../../app/host/shared/store-choice.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { checkTmuxPresent } from "../../../app/operate/start.ts";
import { checkStore } from "../../../app/store/server-check.ts";
import { proveLabels, readGivenLabels } from "../../../app/worker/labels.ts";
import { requireOffers, runWorker } from "../../../app/worker/worker.ts";
import { createWorld } from "../../../app/world/world.ts";
import { refuse } from "../../../core/model/refusal.ts";
import { confirmAt, yesFlag } from "../../operator/trust.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb } from "../../verb/declaration.ts";
import { version } from "../../verb/run.ts";

const usualConcurrency = 2;

export const worker = defineVerb({
  words: "worker",
  about: "Take work of a project that several machines share, until Ctrl-C",
  access: "operator",
  example: "pairflow worker --labels gpu --concurrency 4",
  flags: {
    repo: bubbleFlags.repo,
    labels: {
      kind: "text",
      value: "a,b",
      about: "what this machine has beside the agents that it proves itself",
    },
    concurrency: {
      kind: "number",
      value: "N",
      about: `so many bubbles at a time; ${usualConcurrency} if left out`,
    },
    tmux: {
      kind: "switch",
      about: "agents sit in tmux panes, which pairflow attach shows on this machine",
    },
    yes: {
      ...yesFlag.yes,
      about: "print what the bubbles it takes run, and confirm exactly that, without asking",
    },
  },
  async run(shell, { flags }) {
    const { concurrency = usualConcurrency } = flags;
    if (!Number.isInteger(concurrency) || concurrency < 1)
      throw buildUsageError(
        "usage.bad-number",
        `--concurrency ${concurrency}: it is 1 or more`,
        "--concurrency 2",
      );
    const repo = requireRepo(flags.repo, shell.cwd, shell.env);
    process.env[workerVariable] = "1";
    const world = createWorld(repo, "process");
    const without = "pairflow worker    # without --tmux";
    const noTmux = flags.tmux ? checkTmuxPresent(without) : undefined;
    if (noTmux) return { refusal: noTmux };
    requireOffers(world.offers);
    const { host } = world;
    await requireFitServer(repo, shell.say);
    const given = readGivenLabels(flags.labels ?? "");
    const { labels, lacking } = await proveLabels(repo, given);
    const { drain, stop } = catchDrain();
    shell.say(
      `Worker ${host} with ${labels.join(", ") || "no agents"}; ${concurrency} at a time. Ctrl-C drains it.`,
    );
    for (const line of lacking) shell.say(`  not offered: ${line}`);
    await runWorker({
      ...{ labels, concurrency, version, drain, stop, say: shell.say, confirm: confirmAt(shell, flags.yes) },
      openWorld: (seat) => createWorld(repo, seat, "shows"),
      hasPanes: flags.tmux,
    });
    return { text: "Drained: nothing is driven here any more", json: { host, drained: true } };
  },
});

/** The first signal drains, the second ends. */
function catchDrain(): { readonly drain: AbortSignal; readonly stop: AbortSignal } {
  const [drain, stop] = [new AbortController(), new AbortController()];
  const heard = () => (drain.signal.aborted ? stop.abort() : drain.abort());
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, heard);
  return { drain: drain.signal, stop: stop.signal };
}

/** A machine that does not fit to the server takes nothing. */
async function requireFitServer(repo: string, say: (line: string) => void): Promise<void> {
  for (const { name, status, says, fix } of await checkStore(repo, process.env)) {
    if (status === "error") throw refuse("worker.unfit", `${name}: ${says}`, fix);
    if (status === "warning") say(`${name}: ${says}${fix ? ` (${fix})` : ""}`);
  }
}
