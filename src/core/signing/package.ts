// The approval package: the producer's five parts, and what the referee adds: files, gates, findings, waivers.
import { describeGateResult } from "../gates/result-sentence.ts";
import { describeSensitiveEdit, findSensitiveEdits } from "../gates/sensitive.ts";
import type { GateResult } from "../model/gate.ts";
import type { CleanCheckout } from "../model/record/checkout.ts";
import type { ImplementedDocument } from "../model/record/payloads/parts.ts";
import type { State } from "../model/state.ts";
import { buildCriterionViews, type CriterionView, describeCriterion } from "../package/criteria.ts";
import { listSentencesBeforeSigning } from "../package/list.ts";
import type { Sentence } from "../package/sentence.ts";
import { describeChange, listJudgingSettings } from "../state/settings.ts";
import { renderImplementedDocument } from "./document.ts";
import { buildCleanPart, getGatesTitle, listPreparationLines } from "./final-run.ts";
import { type RunPart, runPart, runSections, runSubject } from "./package-run.ts";

export interface PackageView {
  readonly bubble: string;
  readonly title: string;
  readonly what: string;
  readonly why: string;
  readonly risks: string;
  readonly test_plan: string;
  readonly commit_message: string;
  /** The approved document that this implements. */
  readonly document?: ImplementedDocument;
  /** With the agents whose clean review of exactly this tree gave evidence for it. */
  readonly criteria: readonly CriterionView[];
  readonly files: readonly {
    readonly path: string;
    readonly status: string;
    readonly added: number | null;
    readonly removed: number | null;
  }[];
  readonly files_total: number;
  readonly gates: readonly Pick<GateResult, "name" | "status" | "required" | "hint" | "coverage">[];
  readonly reviews: readonly { readonly agent: string; readonly round: number; readonly clean: boolean }[];
  readonly findings: readonly {
    readonly id: string;
    readonly severity: string;
    readonly title: string;
    readonly status: string;
    readonly because: string | null;
  }[];
  /** Edits of tests, gates, CI and rules: the person who signs should look at these as such. */
  readonly sensitive: readonly string[];
  /** SOPs the reviewers answered for. */
  readonly sops: readonly string[];
  /** What the person who signs should know that no gate shows. */
  readonly know: readonly Sentence[];
  readonly tree: string;
  readonly base: string;
  /** How the checkout was made ready that the gates ran in; absent: they ran in the worktree. */
  readonly clean?: CleanCheckout;
  /** Of workflows with tasks or a result of their own. */
  readonly run?: RunPart;
}

export function buildPackageView(state: State): PackageView {
  const pack = state.package ?? {};
  return {
    bubble: state.bubbleId,
    title: state.task.title,
    what: pack.what ?? "",
    why: pack.why ?? "",
    risks: pack.risks ?? "",
    test_plan: pack.test_plan ?? "",
    commit_message: pack.commit_message ?? "",
    ...(state.document ? { document: state.document } : {}),
    criteria: buildCriterionViews(state),
    files: state.tree?.files ?? [],
    files_total: state.tree?.filesTotal ?? 0,
    gates:
      state.gates?.tree === state.tree?.id && !state.gates?.void
        ? (state.gates?.results ?? []).map(({ name, status, required, hint, coverage, flaky }) => ({
            name,
            status,
            required,
            ...(hint === undefined ? {} : { hint }),
            ...(coverage === undefined ? {} : { coverage }),
            ...(flaky ? { flaky } : {}),
          }))
        : [],
    reviews: state.reviews
      .filter(({ tree }) => tree === state.tree?.id)
      .map(({ agent, round, clean }) => ({ agent, round, clean })),
    findings: state.findings.map(({ id, severity, title, status, closedBecause }) => ({
      id,
      severity,
      title,
      status,
      because: closedBecause ?? null,
    })),
    sensitive: [
      ...findSensitiveEdits(state.tree?.files ?? []).map(describeSensitiveEdit),
      ...listJudgingSettings(state).map(
        (change) => `bubble.toml, after the start: ${describeChange(change)}`,
      ),
    ],
    sops: (state.tree?.context?.sops ?? []).map(({ id, severity }) => `${id} (${severity})`),
    know: listSentencesBeforeSigning(state),
    tree: state.tree?.id ?? "",
    base: state.baseCommit,
    ...buildCleanPart(state),
    ...runPart(state),
  };
}

/**
 * What a signature is over: everything that would make it another decision, in one canonical text. Scope overrides
 * given before stand in the package; one given afterwards is a line of its own and leaves the signature valid.
 */
export function buildApprovalSubject(state: State, packageSha: string): string {
  const view = buildPackageView(state);
  const ran = state.gates?.tree === state.tree?.id ? (state.gates?.results ?? []) : [];
  const gates = ran.map(({ name, command, status, exit_code }) => ({ name, command, status, exit_code }));
  const reviews = state.reviews.map(({ agent, round, seq, clean, tree }) => ({
    agent,
    round,
    seq,
    clean,
    tree,
  }));
  return JSON.stringify({
    bubble: view.bubble,
    base: view.base,
    tree: view.tree,
    branch: state.config.bubble_branch,
    message: view.commit_message,
    package: packageSha,
    gates,
    ...(view.clean ? { clean: view.clean } : {}),
    reviews,
    findings: view.findings,
    waived_gates: [...state.waivedGates, ...Object.keys(state.gateWaivers ?? {})],
    ...(state.tree?.context ? { knowledge: state.tree.context.digest } : {}),
    ...(view.run ? { run: runSubject(view.run) } : {}),
  });
}

export function renderPackageMarkdown(view: PackageView): string {
  const count = (value: number | null) => (value === null ? "binary" : String(value));
  const lines = (items: readonly string[]) =>
    items.length > 0 ? items.map((item) => `- ${item}`).join("\n") : "- none";
  const missing = "_(not written by the producer)_";
  const parts: [string, string][] = [
    ["What changed", view.what || missing],
    ["Why", view.why || missing],
    ["Tradeoffs and residual risks", view.risks || missing],
    [
      "Changed files",
      lines(
        view.files.map(
          (file) => `${file.path} (${file.status}, +${count(file.added)} −${count(file.removed)})`,
        ),
      ) +
        (view.files_total > view.files.length
          ? `\n- … and ${view.files_total - view.files.length} more`
          : ""),
    ],
    ["Manual test plan", view.test_plan || missing],
    ["Commit message", `\`\`\`\n${view.commit_message || missing}\n\`\`\``],
    ...(view.document
      ? [["Document it implements", lines([renderImplementedDocument(view.document)])] as [string, string]]
      : []),
    ["Acceptance criteria", lines(view.criteria.map(describeCriterion))],
    [getGatesTitle(view), lines([...view.gates.map(describeGateResult), ...listPreparationLines(view)])],
    [
      "Reviews of exactly this tree",
      lines(
        view.reviews.map(
          (review) => `${review.agent}, round ${review.round}: ${review.clean ? "clean" : "with findings"}`,
        ),
      ),
    ],
    [
      "Findings",
      lines(
        view.findings.map(
          (finding) =>
            `${finding.id} ${finding.severity} ${finding.title}: ${finding.status}${finding.because ? ` (${finding.because})` : ""}`,
        ),
      ),
    ],
    ...(view.sops.length > 0 ? [["SOPs answered", lines(view.sops)] as [string, string]] : []),
    ...runSections(view.run).map(([title, items]): [string, string] => [title, lines(items)]),
    ["Edits of what judges the work", lines(view.sensitive)],
    ["Know before you sign", lines(view.know.map(({ text }) => text))],
  ];
  return `# ${view.bubble}: ${view.title}\n\nTree ${view.tree} on base ${view.base}\n\n${parts.map(([title, body]) => `## ${title}\n\n${body}`).join("\n\n")}\n`;
}
