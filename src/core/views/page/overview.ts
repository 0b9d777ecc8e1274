// One bubble: where it stands, its rounds as a picture, what happened last, what comes, who works below it, and what it has used.

import type { Step } from "../../model/program.ts";
import type { Envelope } from "../../model/record/envelope.ts";
import type { State } from "../../model/state.ts";
import { getCurrentStep } from "../../state/workflow-position.ts";
import type { StatusView } from "../bubble/status.ts";
import { buildTimelineRow, type TimelineRow } from "../history/timeline.ts";
import { buildReviewTrail } from "../review/trail.ts";
import type { TreeNode } from "../tree/run.ts";
import type { Action } from "./bubbles.ts";
import type { PageItem } from "./inbox.ts";
import type { PageHeader } from "./payload.ts";
import { buildFindingLives, type FindingLife } from "./review/findings.ts";
import { buildRoundsView, type RoundView } from "./rounds.ts";

/** What is the same on every tab of a bubble. */
export interface BubbleHeader extends PageHeader {
  readonly repo: string;
  readonly id: string;
  readonly title: string;
  /** The machine that drives it, or has its worktree; null where the record is one machine's own. */
  readonly host: string | null;
  readonly state: string;
  readonly round: number;
  readonly max_rounds: number;
  readonly head: number;
  readonly tree: string | null;
  readonly can_review: boolean;
  /** There is a worktree that can be opened. */
  readonly can_open: boolean;
  readonly actions: readonly Action[];
}

export interface OverviewPage extends BubbleHeader {
  readonly page: "overview";
  readonly now: StatusView["next"] & {
    readonly doing: string | null;
    readonly since: string | null;
    readonly sign_at: string | null;
    readonly driven: boolean;
    readonly gates: StatusView["gates"]["running"];
  };
  readonly items: readonly PageItem[];
  /** Words that were begun and not sent, by question. */
  readonly drafts: Readonly<Record<string, string>>;
  readonly rounds: readonly RoundView[];
  readonly findings: readonly FindingLife[];
  readonly timeline: readonly TimelineRow[];
  readonly coming: readonly string[];
  readonly children: readonly TreeNode[];
  readonly spent: {
    readonly tokens: number;
    readonly usd: number | null;
    readonly by_agent: readonly {
      readonly agent: string;
      readonly tokens: number;
      readonly usd: number | null;
    }[];
    readonly budgets: StatusView["usage"]["budgets"];
  };
  readonly criteria: StatusView["criteria"];
  readonly worktree: string | null;
  readonly branch: string;
}

export interface OverviewParts {
  readonly header: BubbleHeader;
  readonly state: State;
  readonly status: StatusView;
  readonly envelopes: readonly Envelope[];
  readonly items: readonly PageItem[];
  readonly children: readonly TreeNode[];
  readonly drafts: Readonly<Record<string, string>>;
}

/** What people watch happen; the rest is in the log. */
const shownLines = 40;

export function buildOverviewPage({
  header,
  state,
  status,
  envelopes,
  items,
  children,
  drafts,
}: OverviewParts): OverviewPage {
  const { usage } = status;
  return {
    ...header,
    page: "overview",
    now: {
      ...status.next,
      doing: status.active_agent ? `${status.active_agent} · ${status.active_role}` : null,
      since: status.active_since,
      sign_at: status.last_sign_at,
      driven: status.driver.alive,
      gates: status.gates.running,
    },
    items,
    drafts,
    rounds: buildRoundsView(envelopes, buildReviewTrail(envelopes)),
    findings: buildFindingLives(envelopes, state),
    timeline: envelopes.filter(isTelling).slice(-shownLines).map(buildTimelineRow),
    coming: listComingSteps(state),
    children,
    spent: {
      tokens: usage.tokens.input + usage.tokens.output,
      usd: usage.usd,
      by_agent: Object.entries(usage.by_agent).map(([agent, used]) => ({
        agent,
        tokens: used.input + used.output,
        usd: used.usd ?? null,
      })),
      budgets: usage.budgets,
    },
    criteria: status.criteria,
    worktree: status.worktree,
    branch: status.branch,
  };
}

const telling: readonly string[] = [
  ...["TASK", "PASS", "GATES_RESULT", "HUMAN_QUESTION", "HUMAN_REPLY", "CONVERGENCE", "APPROVAL_REQUEST"],
  ...[
    "APPROVAL_DECISION",
    "COMMITTED",
    "FAILED",
    "CANCELLED",
    "PAUSED",
    "PAUSE_ENDED",
    "WARNING",
    "TURN_ENDED",
  ],
];
const isTelling = ({ type }: Envelope): boolean => telling.includes(type);

/** Steps that people see happen; checks and questions are decided on the way. */
const seen: readonly Step["kind"][] = ["turn", "gates", "children", "wait", "approval"];

/** What follows if nothing goes wrong, up to the approval and the commit: a forecast, shown as such. */
export function listComingSteps(state: State): string[] {
  if (state.lifecycle === "READY_FOR_APPROVAL") return ["your approval", commitWords(state)];
  if (state.lifecycle === "APPROVED_FOR_COMMIT") return [commitWords(state)];
  const now = getCurrentStep(state);
  if (!now) return [];
  const { steps } = state.program;
  const after = steps.slice(steps.indexOf(now) + 1).filter(({ kind }) => seen.includes(kind));
  const words = after.map((step) => describeStep(state, step));
  return words.includes("your approval") ? [...words, commitWords(state)] : words;
}

const commitWords = ({ config }: State): string => `commit on ${config.bubble_branch}`;

function describeStep({ roles }: State, step: Step): string {
  if (step.kind === "approval") return "your approval";
  const name = step.name.replaceAll("_", " ");
  return step.kind === "turn" && roles[step.role] ? `${roles[step.role]}: ${name}` : name;
}
