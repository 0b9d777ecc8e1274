// The table of all bubbles, from what a listing knows without reading a log: one row each, with what may be done about it.

import { findSharedHostName } from "../../state/hosts.ts";
import type { Summary } from "../bubble/summary.ts";
import type { PageHeader } from "./payload.ts";

/** What a listing knows of one bubble. */
export interface ListedRow {
  readonly id: string;
  readonly summary?: Summary;
  readonly problem?: string;
  readonly driven: boolean | null;
  readonly waits_for?: string;
}

/** The shape beside its name: it waits for you, works, should work, or is over. */
export type Mark = "waits" | "works" | "silent" | "rests" | "over" | "wrong";
export type Action = "start" | "pause" | "resume" | "stop";

export interface BubbleRow {
  readonly repo: string;
  readonly id: string;
  readonly mark: Mark;
  readonly state: string;
  readonly title: string;
  readonly where: string;
  readonly round: number;
  readonly max_rounds: number;
  readonly who: string;
  /** The machine that drives it; null where the record is one machine's own, or nobody drives it. */
  readonly host: string | null;
  readonly open: string;
  readonly gates: readonly { readonly name: string; readonly status: string }[];
  readonly usd: number | null;
  readonly sign_at: string | null;
  readonly problem: string | null;
  readonly actions: readonly Action[];
}

export interface BubblesPage extends PageHeader {
  readonly page: "bubbles";
  readonly rows: readonly BubbleRow[];
  readonly active: number;
}

/** `beat`: the last sign of life of its agent or driver, and on which machine. */
export function buildBubbleRow(
  repo: string,
  listed: ListedRow,
  beat?: { readonly lastSignAt?: string; readonly host?: string },
): BubbleRow {
  const { id, summary, problem } = listed;
  const gates = Object.entries(summary?.gates ?? {}).map(([name, status]) => ({ name, status }));
  return {
    repo,
    id,
    mark: buildMark(listed),
    state: describeState(listed),
    title: summary?.title ?? "",
    where: [summary?.workflow, summary?.step].filter(Boolean).join(" · "),
    round: summary?.round ?? 0,
    max_rounds: summary?.max_rounds ?? 0,
    who: [summary?.active_agent, summary?.active_role].filter(Boolean).join(" "),
    host: findSharedHostName(beat?.host) ?? null,
    open: describeOpen(summary?.open_findings ?? 0, summary?.worst),
    gates,
    usd: summary?.usd ?? null,
    sign_at: beat?.lastSignAt ?? summary?.at ?? summary?.last_command_at ?? null,
    problem: problem ?? null,
    actions: listActions(listed),
  };
}

const over: readonly string[] = ["DONE", "FAILED", "CANCELLED", "COMMITTED"];
const words: Readonly<Record<string, string>> = {
  CREATED: "not started",
  PREPARING_WORKSPACE: "preparing",
  RUNNING: "running",
  WAITING_HUMAN: "question",
  READY_FOR_APPROVAL: "approve",
  APPROVED_FOR_COMMIT: "commit",
  COMMITTED: "committed",
  DONE: "done",
  FAILED: "failed",
  CANCELLED: "cancelled",
};

function describeState({ summary, driven, waits_for: child }: ListedRow): string {
  if (!summary) return "unreadable";
  const word = words[summary.state] ?? summary.state;
  if (summary.paused) return `${word}, paused`;
  if (child) return `${word}, ${child} asks`;
  return driven === false ? `${word}, nobody drives it` : word;
}

function buildMark({ summary, problem, driven }: ListedRow): Mark {
  if (problem || !summary) return "wrong";
  if (over.includes(summary.state)) return "over";
  if (summary.inbox > 0) return "waits";
  if (summary.state === "CREATED" || summary.paused) return "rests";
  return driven === false ? "silent" : "works";
}

const describeOpen = (count: number, worst: string | null | undefined): string =>
  count === 0 ? "" : `${count}${worst ? ` ${worst}` : ""}`;

/** What the referee would take now; it has the last word. */
export function listActions({ summary, driven }: Pick<ListedRow, "summary" | "driven">): Action[] {
  if (!summary || over.includes(summary.state)) return [];
  if (summary.state === "CREATED") return ["start", "stop"];
  if (summary.paused) return ["resume", "stop"];
  return [driven === false ? "resume" : "pause", "stop"];
}
