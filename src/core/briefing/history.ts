// The earlier rounds of a task, so that nobody starts from nothing: the producer gets all that was said about its work,
// the critic what critics said before, and never how the producer praises itself.

import type { Iteration } from "../model/run.ts";
import { clip } from "../model/sizes.ts";
import type { State } from "../model/state.ts";
import { currentTask, historyOf, iterationOf, loopOf } from "../state/place.ts";
import { quoted, section } from "./parts.ts";
import { type BriefedSide, makes } from "./side.ts";

/** Characters of all rounds together. */
const room = 40_000;
/** What an older round keeps at least. */
const share = 400;

/** `asked`: what the step itself says; a critique that is in it is not told twice. */
export function historySection(state: State, side: BriefedSide, asked = ""): string {
  const seesSummary = makes(side) || state.config.reviewer_sees_summary;
  const rounds = roundsFor(state, side)
    .map((round) => withoutTold(round, asked))
    .filter((round) => seesSummary || round.critic);
  return section(
    "Earlier rounds of this task",
    bounded(rounds.map((round) => tell(state, round, seesSummary))),
  );
}

const withoutTold = (round: Iteration, asked: string): Iteration =>
  round.critique && asked.includes(round.critique) ? { ...round, critique: "" } : round;

function roundsFor(state: State, side: BriefedSide): readonly Iteration[] {
  const history = historyOf(state);
  if (makes(side)) return history;
  // Of the round that runs nobody's opinion is told: each critic judges its tree alone.
  const earlier = history.filter(({ iteration }) => iteration < iterationOf(state));
  return side === "critic" && currentTask(state)?.overlay ? earlier : [];
}

function tell(state: State, round: Iteration, seesSummary: boolean): string {
  const { producer, critic = "" } = loopOf(state);
  const made = seesSummary ? `${round.producer} (${producer}) handed over:\n\n${quoted(round.summary)}` : "";
  const judged = round.critic ? `${round.critic} (${critic}) ${decided(round)}${words(round)}` : "";
  return [`### Round ${round.iteration}`, made, judged].filter(Boolean).join("\n\n");
}

function words({ critique }: Iteration): string {
  if (critique === "") return "; its words are above.";
  return critique === undefined ? "." : `:\n\n${quoted(critique)}`;
}

function decided({ approved, decision }: Iteration): string {
  const word = decision ? ` (${decision})` : "";
  if (approved === undefined) return `said${word}`;
  return approved ? `approved${word}` : `did not approve${word}`;
}

/** The newest round is told whole, older ones as far as there is room; each is at least named. */
function bounded(rounds: readonly string[]): string {
  const least = Math.min(share, Math.floor(room / (2 * Math.max(1, rounds.length))));
  const kept: string[] = [];
  let left = room;
  for (const [older, round] of [...rounds.entries()].reverse()) {
    const isNewest = kept.length === 0;
    kept.unshift(isNewest ? round : clip(round, Math.max(least, left - older * least)));
    left -= kept[0]?.length ?? 0;
  }
  const isShortened = kept.some((text, i) => text !== rounds[i]);
  return [...(isShortened ? ["Older rounds are shortened here (…) to fit."] : []), ...kept].join("\n\n");
}
