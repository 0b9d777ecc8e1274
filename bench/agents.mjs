// What Pairflow adds between the real Claude Code and Codex, which talk to the scripted model: from one turn to the next
// without a terminal, and from a human's answer to the screen that has taken it in.
import { bareNode, gapRows, gatesBetween, median, report } from "./measure.mjs";

const rounds = 21;
const answers = 6;

/** The CLI's own end after its last word is in it, since the tree may not change any more when it is looked at. */
export async function clis(real) {
  const { gaps, log } = await real.gaps(rounds);
  const times = gaps.map(({ role, from, to, endedAt, beganAt }) => ({
    role,
    ms: beganAt - endedAt - gatesBetween(log, from, to),
  }));
  return report(
    `Between two turns without a terminal, gates excluded; Codex implements, Claude Code reviews (${bareNode()})`,
    gapRows("real CLIs", times, 100),
  );
}

export async function panes(real) {
  const rows = [];
  for (const agent of ["claude", "codex"])
    rows.push(...paneRows(agent, await real.deliveries(agent, answers)));
  return report(`A human's answer into a living pane (${bareNode()})`, rows);
}

/** Ours: until it is submitted, the start of the command that the CLI's hook runs, and from its sign to the record. */
function paneRows(agent, { delivered, hookTimes }) {
  const hookMs = median(hookTimes);
  const whole = delivered.map(({ repliedAt, acknowledgedAt }) => acknowledgedAt - repliedAt);
  const ours = delivered.map(
    ({ repliedAt, sentAt, signAt, acknowledgedAt }) =>
      sentAt - repliedAt + hookMs + (acknowledgedAt - signAt),
  );
  const ms = median(ours);
  return [
    {
      what: `${agent}: answer → confirmed submission, ours (median of ${ours.length})`,
      figure: `${ms.toFixed(0)} ms  (${(ms / 1000).toFixed(2)} of the limit, most ${Math.max(...ours).toFixed(0)})`,
      limit: "1 s",
      ok: ms <= 1000,
    },
    {
      what: `${agent}: the same with the CLI's own time`,
      figure: `${median(whole).toFixed(0)} ms  (most ${Math.max(...whole).toFixed(0)})`,
    },
  ];
}
