// What Pairflow adds between the real Claude Code and Codex, which talk to the scripted model: from one turn to the next
// without a terminal, and from a human's answer to the screen that has taken it in.
import { gapFigures, gatesBetween, median } from "./measure.mjs";

const rounds = 21;
const answers = 6;

/** The CLI's own end after its last word is in it, since the tree may not change any more when it is looked at. */
export async function clis(real) {
  const { gaps, log } = await real.gaps(rounds);
  const times = gaps.map(({ role, from, to, endedAt, beganAt }) => ({
    role,
    ms: beganAt - endedAt - gatesBetween(log, from, to),
  }));
  const figures = gapFigures(times, { producer: "clis.producer", critic: "clis.critic" });
  return { title: "Between two turns without a terminal; Codex implements, Claude Code reviews", figures };
}

export async function panes(real) {
  const figures = [];
  for (const agent of ["claude", "codex"])
    figures.push(paneFigure(agent, await real.deliveries(agent, answers)));
  return { title: "A human's answer into a living pane", figures };
}

/** Ours: until it is submitted, the start of the command that the CLI's hook runs, and from its sign to the record. */
function paneFigure(agent, { delivered, hookTimes }) {
  const hookMs = median(hookTimes);
  const whole = delivered.map(({ repliedAt, acknowledgedAt }) => acknowledgedAt - repliedAt);
  const ours = delivered.map(
    ({ repliedAt, sentAt, signAt, acknowledgedAt }) =>
      sentAt - repliedAt + hookMs + (acknowledgedAt - signAt),
  );
  const note = `median of ${ours.length}; ${median(whole).toFixed(0)} ms with the CLI's own time`;
  return { key: `panes.${agent}`, value: median(ours), note };
}
