// The transcript as people read it: one line an envelope, and the reasons of the referee in sentences.

import { type Envelope, type EnvelopeOf, protocolTypes } from "../../model/record/envelope.ts";
import { clip } from "../../model/value/sizes.ts";
import { describePasskey } from "../../permission/proof/door.ts";
import { describeImplementedDocument } from "../../signing/document.ts";
import { describeChange, readFrom } from "../../state/settings.ts";
import { formatUsage } from "../bubble/usage.ts";
import { workflowTexts } from "./timeline-workflow.ts";

export interface TimelineRow {
  readonly seq: number;
  readonly ts: string;
  readonly who: string;
  readonly what: string;
  readonly text: string;
  readonly refs: readonly string[];
}

export function buildTimelineRow(envelope: Envelope): TimelineRow {
  return {
    seq: envelope.seq,
    ts: envelope.ts,
    who: getSender(envelope),
    what: label(envelope),
    text: renderText(envelope),
    refs: envelope.refs.map((ref) => ref.replace("artifact://", "")),
  };
}

/** Older records name a human as the sender of what was read from a file: who wrote the file is not known. */
const getSender = ({ type, sender }: Envelope): string => (type === "CONFIGURED" ? "orchestrator" : sender);

const protocol: ReadonlySet<string> = new Set(protocolTypes);

function label(envelope: Envelope): string {
  if (envelope.type === "GATES_RESULT") return renderGatesLabel(envelope.payload);
  return protocol.has(envelope.type) ? envelope.type : envelope.type.toLowerCase().replaceAll("_", " ");
}

type GatesResult = EnvelopeOf<"GATES_RESULT">["payload"];

function renderGatesLabel({ base, clean }: GatesResult): string {
  if (base) return "base gates";
  return clean ? "final gates" : "gates";
}

/** Where the gates ran, and when, if that was for an earlier bubble. */
function listGatesPlace({ base, clean }: GatesResult): string[] {
  if (!clean) return [];
  return [
    clean.problem?.split("\n")[0] ?? "on a clean checkout",
    ...(base?.ran_at ? [`from the cache, run at ${base.ran_at}`] : []),
    ...(base?.red_in_worktree
      ? [`${base.red_in_worktree.join(", ")} red in the worktree of the same tree`]
      : []),
    ...(base?.needs_network ? [`${base.needs_network.join(", ")} green with the network alone`] : []),
  ];
}

function listGateResults(results: GatesResult["results"]): string {
  if (results.length === 0) return "no gates";
  return results
    .map(
      ({ status, name, flaky, duration_ms: took }) =>
        `${gateMarks[status]} ${name}${flaky ? " (flaky)" : ""} ${(took / 1000).toFixed(1)} s`,
    )
    .join("  ");
}

/** Gates that changed the files they judged prove nothing, however green they are. */
function describeChanged({ changed }: GatesResult): string {
  return changed.length > 0
    ? ` · does not count: ${clip(changed.join(", "), 100)} changed, and put back`
    : "";
}

/** Paragraphs stay apart in the one line that a row has. */
function quote(words: string): string {
  const said = words.trim();
  return `"${clip(said.includes("\n") ? said.replace(/\s*\n\s*/g, " · ") : said, 100)}"`;
}

function describeNext(next: EnvelopeOf<"TURN_ENDED">["payload"]["next"]): string {
  const parts = [
    next?.agent ? `${next.agent} takes over` : "",
    next?.session === "fresh" ? "in a new session" : "",
    next?.not_before ? `not before ${next.not_before}` : "",
  ].filter(Boolean);
  return parts.length > 0 ? ` · again ${parts.join(", ")}` : "";
}

/** The account that spoke, or the bubble above that was paused or continued. */
const describePauser = ({
  door,
  parent,
}: Pick<EnvelopeOf<"PAUSED">["payload"], "door" | "parent">): string =>
  parent ? `with ${parent}` : door ? `by ${door.user}` : "";

const gateMarks = { passed: "✓", skipped: "–", failed: "✗", timeout: "✗", error: "✗" } as const;

type Texts = { readonly [T in Envelope["type"]]: (payload: EnvelopeOf<T>["payload"]) => string };

const texts: Texts = {
  ...workflowTexts,
  BUBBLE_CREATED: (p) =>
    `${quote(p.task.title)} · workflow ${p.program.id} · gates: ${p.profile.gates.map((gate) => gate.name).join(", ") || p.profile.not_available || "none"}${p.salvaged ? ` · continues from the good part of ${p.salvaged.bubble} (up to message ${p.salvaged.seq} · ${p.salvaged.hash.slice(0, 8)})` : ""}${p.continues ? ` · continues ${p.continues.bubble}, open: ${p.continues.findings.map(({ id }) => id).join(", ")}` : ""}`,
  CONFIGURED: (p) =>
    `${p.values?.map(describeChange).join(" · ") ?? `changed: ${p.changed.join(", ")}`} · ${readFrom(p.read_at)}`,
  START_REQUESTED: (p) => `seats: ${p.seat} · by ${[p.door?.user, p.via].filter(Boolean).join(", ")}`,
  WORKSPACE_READY: (p) =>
    [
      `${p.branch} in ${p.path}${p.host ? ` on ${p.host}` : ""}`,
      p.put_back && `what stood there before is kept as ${p.put_back}`,
      p.problem,
      ...p.notes,
    ]
      .filter(Boolean)
      .join(" · "),
  WORKSPACE_FAILED: (p) => `${p.code} · ${p.message} (attempt ${p.attempt})`,
  DRIVER_CLAIMED: (p) => `pid ${p.pid} on ${p.host} (${p.seat}), attempt ${p.attempt}`,
  STEP_ADVANCED: (p) => `${p.from ?? "start"} → ${p.to ?? "end"} (${p.outcome}) · ${p.why}`,
  TURN_STARTED: (p) =>
    `${p.agent} as ${p.role} · ${p.turn}.${p.attempt}${p.fresh ? " · fresh session" : ""} · ${p.seat} · told in ${p.prompt}`,
  TURN_SPAWNED: (p) => `${p.turn}.${p.attempt} pid ${p.pid}`,
  TURN_ENDED: (p) => `${p.turn}.${p.attempt} ${p.outcome} · ${p.detail}${describeNext(p.next)}`,
  TURN_SESSION: (p) => `${p.turn}.${p.attempt} session ${p.session}`,
  TURN_WAITING: (p) =>
    p.what === null ? `${p.turn}.${p.attempt} continues` : `in its pane: ${quote(p.what)}`,
  TURN_USAGE: (p) => `${p.agent} · ${p.turn}.${p.attempt} · ${formatUsage(p.usage)}`,
  HANDOFF: (p) =>
    p.problems.length > 0
      ? `refused: ${p.problems.join("; ")}`
      : `${p.files_total} ${p.files_total === 1 ? "file" : "files"}, +${p.added} −${p.removed} · tree ${p.tree.slice(0, 10)}`,
  GATES_RESULT: (p) =>
    `${[...listGatesPlace(p), listGateResults(p.results), `tree ${p.tree.slice(0, 10)}`].join(" · ")}${describeChanged(p)}`,
  TASK: (p) =>
    `${quote(p.title)} · ${p.criteria.length} ${p.criteria.length === 1 ? "criterion" : "criteria"}${p.document ? ` · implements ${describeImplementedDocument(p.document)}` : ""}`,
  PASS: (p) => [quote(p.summary), passText(p)].filter(Boolean).join(" · "),
  CONVERGENCE: (p) =>
    `${quote(p.summary)} · clean passes: ${p.evidence.clean_passes.map((pass) => pass.agent).join(", ")}`,
  HUMAN_QUESTION: (p) => quote(p.question),
  QUESTION_WITHDRAWN: (p) => `${p.question}: ${p.why}`,
  HUMAN_REPLY: (p) =>
    [p.choice, p.message ? quote(p.message) : "", p.waived?.length ? `waived ${p.waived.join(", ")}` : ""]
      .filter(Boolean)
      .join(" · "),
  RESUMED: (p) => [p.how, p.message].filter(Boolean).join(" · "),
  PAUSED: (p) =>
    [describePauser(p), p.message ? quote(p.message) : "", p.now ? "what was under way was ended" : ""]
      .filter(Boolean)
      .join(" · "),
  PAUSE_ENDED: (p) => [describePauser(p), p.message ? quote(p.message) : ""].filter(Boolean).join(" · "),
  DELIVERY: (p) => `message ${p.message} → ${p.turn}: ${p.status}${p.detail ? ` · ${p.detail}` : ""}`,
  WARNING: (p) =>
    [`${p.code} · ${p.message}${p.agent ? ` (${p.agent})` : ""}`, ...(p.details ?? [])].join(" · "),
  GATES_WAIVED: (p) => `${p.gates.join(", ")} · ${quote(p.reason)}`,
  SCOPE_OVERRIDDEN: (p) => `${p.paths.join(", ")} · ${quote(p.reason)}`,
  TREE_CHANGED: (p) => p.files.join(", "),
  TREE_RESTORED: (p) => `tree ${p.tree.slice(0, 10)} · undone: ${p.patch}`,
  DONE_PACKAGE: (p) => quote(p.package.what ?? ""),
  APPROVAL_REQUEST: (p) => `digest ${p.digest.slice(0, 12)} · tree ${p.tree.slice(0, 10)}`,
  APPROVAL_DECISION: (p) =>
    [
      `${p.decision} by ${p.via}${p.door?.passkey ? `, ${describePasskey(p.door.passkey)}` : ""}`,
      p.message ? quote(p.message) : "",
      ...(p.findings ?? []).map(({ id, severity, title, file, line }) =>
        [id, severity, clip(title, 80), file && `${file}:${line ?? ""}`].filter(Boolean).join(" "),
      ),
    ]
      .filter(Boolean)
      .join(" · "),
  COMMITTED: (p) => `${p.commit.slice(0, 10)} on ${p.branch}`,
  FINISHED: (p) => p.outcome ?? "",
  FAILED: (p) => p.message,
  CANCELLED: (p) => p.reason,
};

function renderText(envelope: Envelope): string {
  const describe = texts[envelope.type] as (payload: unknown) => string;
  return describe(envelope.payload);
}

function passText(p: EnvelopeOf<"PASS">["payload"]): string {
  const found =
    p.findings?.map(
      (finding) =>
        `${finding.severity} ${finding.title}${finding.file ? `  ${finding.file}${finding.line ? `:${finding.line}` : ""}` : ""}`,
    ) ?? [];
  const answers = p.answers?.map((answer) => `${answer.id} ${answer.status}`) ?? [];
  if (p.findings && found.length === 0 && answers.length === 0) return "no findings";
  return [...found, ...answers, ...(p.disputes?.map((dispute) => `disputes ${dispute.id}`) ?? [])].join(
    " · ",
  );
}
