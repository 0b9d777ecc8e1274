// The three doors on a screen: as a table for help, and one of them proposed for a wish.
import type { EarlierRuns } from "../../app/plans/earlier-runs.ts";
import { type DoorChoice, doorNames, doors } from "../../core/plan/door.ts";
import { formatDollars, formatTokens } from "../../core/views/bubble/usage.ts";
import type { ProposalRow } from "./proposal.ts";

/** Three blocks, so that nothing is cut at 80 columns. */
export function renderDoors(): string[] {
  return doorNames.flatMap((name) => {
    const { command, when, does, asks, turns } = doors[name];
    return [
      `  ${command}`,
      `      when   ${when}`,
      `      does   ${does}`,
      `      asks   ${asks}; ${turns} turns of agents`,
    ];
  });
}

export function listDoorRows(
  { door, because }: DoorChoice,
  earlier: EarlierRuns | undefined,
): readonly ProposalRow[] {
  const { does, turns } = doors[door];
  const name = door === "bubble" ? "one bubble" : door;
  return [
    ["door", `${name}: ${does}`],
    ["because", because],
    ["time", earlier ? describeTime(earlier) : `${turns} turns of agents; no run here to compare with yet`],
    ...(earlier ? [["cost", describeCost(earlier)] as const] : []),
  ];
}

const describeTime = ({ count, minutes }: EarlierRuns): string =>
  `${describeRange(minutes, (value) => String(Math.ceil(value)))} agent minutes, as ${describeCount(count)} here`;

function describeCost({ tokens, usd, count }: EarlierRuns): string {
  const money = usd ? ` · ${describeRange(usd, formatDollars)}` : "";
  return `${describeRange(tokens, formatTokens)} tokens${money}, as ${describeCount(count)} here`;
}

const describeCount = (count: number) => (count === 1 ? "the last one" : `the last ${count}`);

function describeRange([least, most]: readonly [number, number], format: (value: number) => string): string {
  const [from, to] = [format(least), format(most)];
  return from === to ? from : `${from}–${to}`;
}
