// How a bubble begins, and how its settings change afterwards.
import { nothingSpent } from "../../limits/budget.ts";
import type { Gate, Profile } from "../../model/gate.ts";
import type { EnvelopeOf, PayloadOf } from "../../model/record/envelope.ts";
import type { CarriedFinding } from "../../model/record/payloads/parts.ts";
import type { Finding } from "../../model/review/finding.ts";
import type { Paper } from "../../model/run.ts";
import type { State } from "../../model/state.ts";
import { listSettingChanges } from "../../state/settings.ts";

export function applyCreated(envelope: EnvelopeOf<"BUBBLE_CREATED">): State {
  const { config, program, profile, base_commit, task, knowledge, document } = envelope.payload;
  const { parent, lineage, salvaged, continues } = envelope.payload;
  const carried = salvaged?.findings ?? continues?.findings ?? [];
  const carriedTree = salvaged?.work?.tree ?? continues?.tree ?? "";
  return {
    v: 2,
    bubbleId: envelope.bubble_id,
    seq: envelope.seq,
    createdAt: envelope.ts,
    lifecycle: "CREATED",
    config,
    program,
    profile,
    baseCommit: base_commit,
    task,
    ...(knowledge ? { knowledge } : {}),
    ...(document ? { document } : {}),
    ...(parent ? buildChild(parent, envelope) : {}),
    ...(lineage ? { lineage } : {}),
    ...(salvaged ? { salvaged } : {}),
    ...buildGivenPapers(envelope),
    position: { step: null, seq: 0, outcome: "", why: "not started", refusals: 0 },
    round: 0,
    extraRounds: 0,
    roles: config.agents,
    roundRoleHistory: [],
    turnCount: 0,
    sessions: {},
    spent: nothingSpent,
    extraBudgets: 0,
    unsandboxed: [],
    findings: carried.map((finding) => reopenFinding(finding, carriedTree)),
    findingCount: findHighestNumber(carried),
    reviews: [],
    progress: { key: "", repeats: 0 },
    waivedGates: [],
    scopeOverrides: [],
    notes: [],
    questions: [],
    deliveries: [],
    workspaceFailures: 0,
    warnings: { count: 0 },
    activeSince: envelope.ts,
    lastCommandAt: envelope.ts,
    lastAt: envelope.ts,
  };
}

/** A finding of another record is open here under its number; its evidence is looked up by nobody. */
function reopenFinding({ by, ...finding }: CarriedFinding, tree: string): Finding {
  return { ...finding, status: "open", proven: false, openedRound: 0, openedBy: by, openedTree: tree };
}

const findHighestNumber = (findings: readonly CarriedFinding[]): number =>
  Math.max(0, ...findings.map(({ id }) => Number(id.slice(1))));

/** Papers that a run is started with: a plan that was committed, the result of an earlier run. */
function buildGivenPapers({ payload, ts, seq }: EnvelopeOf<"BUBBLE_CREATED">): Pick<State, "papers"> {
  const given = payload.program.payload?.papers;
  if (typeof given !== "object" || given === null) return {};
  const papers = Object.entries(given).map(([kind, value]) => [
    kind,
    { value: value as Paper["value"], agent: "human", tree: "", seq, at: ts },
  ]);
  return { papers: Object.fromEntries(papers) };
}

/** A child knows its parent, and keeps what the parent has locked. */
function buildChild(
  { locks = [], ...parent }: NonNullable<PayloadOf<"BUBBLE_CREATED">["parent"]>,
  { ts, seq }: EnvelopeOf<"BUBBLE_CREATED">,
): Pick<State, "parent" | "locks"> {
  return {
    parent,
    locks: locks.map(({ path, sha256, decided_by, task }) => ({
      path,
      sha256,
      decidedBy: decided_by,
      at: ts,
      seq,
      ...(task ? { task } : {}),
    })),
  };
}

const keptChanges = 20;

export function applyConfigured(state: State, { payload, seq }: EnvelopeOf<"CONFIGURED">): State {
  const { config, read_at: readAt, gates } = payload;
  if (state.lifecycle === "CREATED")
    return {
      ...state,
      config,
      roles: config.agents,
      profile: gates ? buildWrittenProfile(gates) : state.profile,
    };
  const news = listSettingChanges(state.config, config).map((change) => ({
    ...change,
    seq,
    ...(readAt ? { readAt } : {}),
  }));
  return { ...state, config, settings: [...(state.settings ?? []), ...news].slice(-keptChanges) };
}

const buildWrittenProfile = (gates: readonly Gate[]): Profile => ({
  gates: [...gates],
  source: "bubble.toml",
  confirmed: true,
});
