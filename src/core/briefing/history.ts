// The earlier rounds of a task, so that nobody starts from nothing: the producer gets all that was said about its work,
// the critic what critics said before, and never how the producer praises itself.

import type { Iteration } from "../model/run.ts";
import type { State } from "../model/state.ts";
import { clip } from "../model/value/sizes.ts";
import { getCurrentTask, getHistory, getIteration, getLoop } from "../state/workflow-position.ts";
import { renderQuotation, renderSection } from "./parts.ts";
import { type BriefedSide, isMakerSide } from "./side.ts";

/** Characters of all rounds together. */
const room = 40_000;
/** What an older round keeps at least. */
const share = 400;

/** `asked`: what the step itself says; a critique that is in it is not told twice. */
export function buildHistorySection(state: State, side: BriefedSide, asked = ""): string {
  const seesSummary = isMakerSide(side) || state.config.reviewer_sees_summary;
  const rounds = listRoundsFor(state, side)
    .map((round) => dropToldCritique(round, asked))
    .filter((round) => seesSummary || round.critic);
  return renderSection(
    "Earlier rounds of this task",
    limitRounds(rounds.map((round) => tell(state, round, seesSummary))),
  );
}

const dropToldCritique = (round: Iteration, asked: string): Iteration =>
  round.critique && asked.includes(round.critique) ? { ...round, critique: "" } : round;

function listRoundsFor(state: State, side: BriefedSide): readonly Iteration[] {
  const history = getHistory(state);
  if (isMakerSide(side)) return history;
  // Of the round that runs nobody's opinion is told: each critic judges its tree alone.
  const earlier = history.filter(({ iteration }) => iteration < getIteration(state));
  return side === "critic" && getCurrentTask(state)?.overlay ? earlier : [];
}

function tell(state: State, round: Iteration, seesSummary: boolean): string {
  const { producer, critic = "" } = getLoop(state);
  const made = seesSummary
    ? `${round.producer} (${producer}) handed over:\n\n${renderQuotation(round.summary)}`
    : "";
  const judged = round.critic
    ? `${round.critic} (${critic}) ${describeDecision(round)}${renderWords(round)}`
    : "";
  return [`### Round ${round.iteration}`, made, judged].filter(Boolean).join("\n\n");
}

function renderWords({ critique }: Iteration): string {
  if (critique === "") return "; its words are above.";
  return critique === undefined ? "." : `:\n\n${renderQuotation(critique)}`;
}

function describeDecision({ approved, decision }: Iteration): string {
  const word = decision ? ` (${decision})` : "";
  if (approved === undefined) return `said${word}`;
  return approved ? `approved${word}` : `did not approve${word}`;
}

/** The newest round is told whole, older ones as far as there is room; each is at least named. */
function limitRounds(rounds: readonly string[]): string {
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
