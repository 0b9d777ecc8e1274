// pairflow log: the transcript as a timeline, or line by line as it is.
import { locateBubble } from "../../../app/host/locate.ts";
import { createRecordWorld } from "../../../app/record/world.ts";
import type { Envelope, EnvelopeType } from "../../../core/model/record/envelope.ts";
import { payloads } from "../../../core/model/record/payloads.ts";
import { buildTimelineRow } from "../../../core/views/history/timeline.ts";
import { loadGood } from "../../../engine/front/command.ts";
import type { RecordWorld } from "../../../engine/front/world.ts";
import { emptyHead, type Head, type LogBatch } from "../../../ports/record/log.ts";
import { isHousekeeping, renderTimelineRow } from "../../render/bubble/timeline.ts";
import { sayTrouble } from "../../render/bubble/trouble.ts";
import { formatCount } from "../../render/table.ts";
import { createLeaveSignal } from "../../screens/watch.ts";
import { buildLook, createInk } from "../../terminal/style.ts";
import { bubbleFlags } from "../../verb/agent-flags.ts";
import { defineVerb, type Shell } from "../../verb/declaration.ts";

const endings: readonly EnvelopeType[] = ["FINISHED", "FAILED", "CANCELLED"];

export const log = defineVerb({
  words: "log",
  also: ["logs", "history", "bubble log", "bubble logs"],
  about: "Show the record of a bubble as a timeline",
  access: "read",
  example: "pairflow log --id fix-cart --follow",
  flags: {
    ...bubbleFlags,
    follow: {
      kind: "switch",
      about: "continue with what is written from now on, until Ctrl-C or the bubble has ended",
    },
    all: { kind: "switch", about: "also the referee's housekeeping; --json always has every line" },
    round: { kind: "number", value: "N", about: "only lines of this round" },
    type: { kind: "list", value: "<type>", about: "only lines of this type", oneOf: Object.keys(payloads) },
  },
  async run(shell, { flags }) {
    const { repo, bubble } = locateBubble(flags, shell.cwd, shell.env);
    const world = createRecordWorld(repo);
    const isNamed = flags.type.length > 0;
    const printer = buildPrinter(shell, world, {
      isAsked: ({ round, type }) =>
        (flags.round === undefined || round === flags.round) && (!isNamed || flags.type.includes(type)),
      isShown: (envelope) => flags.all || shell.json || isNamed || !isHousekeeping(envelope),
    });
    const known = (await loadGood(world, bubble)).trouble;
    sayTrouble(shell, bubble, known);
    const { head, trouble } = await printAll(world, bubble, printer.print);
    // What only a reading of every line shows is said when it is met.
    if (!known) sayTrouble(shell, bubble, trouble);
    if (flags.follow && !trouble && !printer.sawEnd()) await follow(world, bubble, head, printer);
    else printer.end();
    return undefined;
  },
});

interface Printer {
  print(batch: LogBatch): void;
  /** Whether the bubble's last line was printed. */
  sawEnd(): boolean;
  /** Says what was left out. */
  end(): void;
}

interface Choice {
  isAsked(envelope: Envelope): boolean;
  isShown(envelope: Envelope): boolean;
}

/** Prints batch by batch, so that a long log is neither held in memory nor waited for. */
function buildPrinter(shell: Shell, world: RecordWorld, choice: Choice): Printer {
  const look = buildLook(shell, world.clock.now());
  const line = (envelope: Envelope) =>
    shell.json ? JSON.stringify(envelope) : renderTimelineRow(buildTimelineRow(envelope), look);
  let hidden = 0;
  let ended = false;
  return {
    print({ envelopes }) {
      const asked = envelopes.filter(choice.isAsked);
      const shown = asked.filter(choice.isShown);
      hidden += asked.length - shown.length;
      ended ||= envelopes.some((envelope) => endings.includes(envelope.type));
      if (shown.length > 0) shell.print(shown.map(line).join("\n"));
    },
    sawEnd: () => ended,
    end() {
      if (hidden > 0)
        shell.say(
          createInk(shell.colour).dim(`${formatCount(hidden, "line")} of housekeeping not shown: --all`),
        );
    },
  };
}

async function printAll(
  world: RecordWorld,
  bubble: string,
  print: (batch: LogBatch) => void,
): Promise<Pick<LogBatch, "head" | "trouble">> {
  let last: Pick<LogBatch, "head" | "trouble"> = { head: emptyHead };
  for await (const batch of world.log.read(bubble)) {
    print(batch);
    last = batch;
  }
  return last;
}

async function follow(world: RecordWorld, bubble: string, from: Head, printer: Printer): Promise<void> {
  const leave = createLeaveSignal();
  for await (const batch of world.log.subscribe(bubble, from, leave.signal)) {
    printer.print(batch);
    if (printer.sawEnd()) leave.abort();
  }
}
