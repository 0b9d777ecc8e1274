// What waits for a human: questions, tie-breaks, approvals, and what each answer does.
import type { KnownConvention } from "../../knowledge/learning/conventions.ts";
import type { QuestionKind } from "../../model/record/question-kind.ts";
import type { State } from "../../model/state.ts";
import { getCurrentTask, getIteration } from "../../state/workflow-position.ts";
import { suggestAnswerCommand } from "./next-step.ts";
import { buildPauseView, describePause } from "./pause.ts";
import { listRounds } from "./run.ts";
import { formatUsage } from "./usage.ts";

export interface InboxItem {
  /** Null: the project itself asks, and no bubble waits for it. */
  readonly bubble: string | null;
  readonly id: string;
  readonly kind: string;
  readonly from: string;
  readonly text: string;
  readonly at: string;
  readonly round: number;
  readonly options: readonly { readonly key: string; readonly does: string }[];
  readonly command: string;
  /** The bubble is paused: the answer is kept, and acted on when the pause ends. */
  readonly paused?: string;
  /** The task of the workflow it is about, and the round within it. */
  readonly task?: { readonly key: string; readonly iteration: number };
  /** The rounds of a task that did not end by itself: what was handed over and what was said about it. */
  readonly history?: readonly HistoryItem[];
  /** What the bubble has used so far, by the CLIs' own figures; absent where nothing is known. */
  readonly spent?: string;
  /** The habit a human is asked about, with who noticed it where. */
  readonly convention?: Pick<KnownConvention, "name" | "pattern" | "applies_to" | "evidence">;
}

export interface HistoryItem {
  readonly iteration: number;
  readonly by: string;
  readonly summary: string;
  readonly critic: string | null;
  readonly critique: string | null;
  readonly decision: "GO" | "NO_GO" | null;
}

/** Questions that can only be answered by who knows the rounds before. */
const needsHistory: readonly QuestionKind[] = [
  "exhausted",
  "stuck",
  "pair-corrupt",
  "sign-off",
  "signal",
  "timeout",
];

export function buildInboxView(state: State): InboxItem[] {
  const { total } = state.spent;
  const spent = total.input + total.output > 0 ? { spent: formatUsage(total) } : {};
  const task = getCurrentTask(state);
  const where = task ? { task: { key: task.key, iteration: getIteration(state) } } : {};
  const common = { bubble: state.bubbleId, round: state.round, ...where, ...spent };
  const questions = state.questions.map((question) => ({
    ...common,
    id: question.id,
    kind: question.kind === "agent" ? "question" : question.kind,
    from: question.from,
    text: question.text,
    at: question.at,
    options: question.options ?? [],
    command: suggestAnswerCommand(state, question),
    ...(state.pause ? { paused: describePause(state) } : {}),
    ...(needsHistory.includes(question.kind) ? buildInboxHistory(state, task?.key) : {}),
  }));
  return [
    ...questions,
    ...listDialog(state, common),
    ...listApproval(state, common),
    ...pauseItem(state, common),
  ];
}

/** It continues only by a human's word; a child continues with the bubble it works for. */
function pauseItem(state: State, common: { bubble: string; round: number }): InboxItem[] {
  const paused = buildPauseView(state);
  if (!paused || paused.parent !== null) return [];
  return [
    {
      ...common,
      id: `p${state.pause?.seq}`,
      kind: "paused",
      from: "human",
      text: paused.says,
      at: paused.since,
      options: [],
      command: paused.command,
    },
  ];
}

function buildInboxHistory(state: State, task: string | undefined): Pick<InboxItem, "history"> {
  const history = listRounds(state, task).map(
    ({ iteration, producer, summary, critic, critique, approved, refused = false }): HistoryItem => ({
      iteration,
      by: producer,
      summary,
      critic: critic ?? null,
      critique: critique ?? null,
      decision: approved === undefined || refused ? null : approved ? "GO" : "NO_GO",
    }),
  );
  return history.length > 0 ? { history } : {};
}

/** A dialog of the agent's own CLI: it is answered where it stands. */
function listDialog({ turn, bubbleId }: State, common: { bubble: string; round: number }): InboxItem[] {
  if (!turn?.waitsFor) return [];
  return [
    {
      ...common,
      id: `d${turn.id}.${turn.attempt}`,
      kind: "permission",
      from: turn.agent,
      text: `asks in its pane: ${turn.waitsFor.what}`,
      at: turn.waitsFor.at,
      options: [],
      command: `pairflow bubble attach --id ${bubbleId}`,
    },
  ];
}

function listApproval(state: State, common: { bubble: string; round: number }): InboxItem[] {
  const request = state.approval;
  const command = (verb: string) => `pairflow bubble ${verb} --id ${state.bubbleId}`;
  if (state.lifecycle === "READY_FOR_APPROVAL" && request) {
    const tree = state.tree;
    const files = `${tree?.filesTotal ?? 0} ${tree?.filesTotal === 1 ? "file" : "files"}, +${tree?.added ?? 0} −${tree?.removed ?? 0}`;
    return [
      {
        ...common,
        id: `a${request.seq}`,
        kind: "approve",
        from: "orchestrator",
        text: `${state.package?.what ?? state.task.title} (${files}; digest ${request.digest.slice(0, 8)})`,
        at: request.at,
        options: [
          { key: "approve", does: "signs exactly these bytes" },
          { key: "rework", does: "sends it back with your message" },
        ],
        command: command("approve"),
      },
    ];
  }
  if (state.lifecycle === "APPROVED_FOR_COMMIT" && request)
    return [
      {
        ...common,
        id: `c${request.seq}`,
        kind: "commit",
        from: "orchestrator",
        text: "approved; not committed yet",
        at: request.decidedAt ?? request.at,
        options: [],
        command: command("commit"),
      },
    ];
  return [];
}
