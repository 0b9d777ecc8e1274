// Home: what waits for a person in any repository, then who works, who is silent, and which plans nobody has committed to.
import { listRedGates } from "../../judge/convergence.ts";
import type { State } from "../../model/state.ts";
import { formatTime, parseTime } from "../../model/value/time.ts";
import { isGrant } from "../../permission/granting.ts";
import { computeSha256 } from "../../text/sha256.ts";
import { buildInboxView, type InboxItem } from "../bubble/inbox.ts";
import type { StatusView } from "../bubble/status.ts";
import type { Action } from "./bubbles.ts";
import type { PageHeader } from "./payload.ts";

export interface PageOption {
  readonly key: string;
  readonly does: string;
  /** It grants something: a session alone may not say it. */
  readonly grants: boolean;
  /** A number of further rounds may be given with it. */
  readonly takes_rounds: boolean;
  /** Some of the item's findings may be named with it; all of them if none is. */
  readonly takes_findings: boolean;
  /** Gates that are not green and are waived with it. */
  readonly waives_gates: readonly string[];
}

/** The bytes that ask for a signature. */
export interface PageChange {
  readonly digest: string;
  readonly tree: string;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  readonly gates: readonly { readonly name: string; readonly status: string }[];
  readonly clean_reviews: number;
  readonly open_findings: number;
}

export interface PageItem extends Omit<InboxItem, "options"> {
  readonly repo: string;
  readonly title: string;
  readonly max_rounds: number | null;
  readonly options: readonly PageOption[];
  /** How it is dealt with: words and options here, by reading and signing, or only where the command is typed. */
  readonly answer: "reply" | "review" | "command";
  /** What is left for a terminal, where one of the answers grants something. */
  readonly terminal: string | null;
  /** What it is about, to be chosen from. */
  readonly findings: readonly { readonly id: string; readonly severity: string; readonly title: string }[];
  readonly usd: number | null;
  readonly change?: PageChange;
  /** What the terminal of `pairflow ui` takes the last four characters of, and what it said when it was asked. */
  readonly seal?: { readonly digest: string; readonly asked: Asked | null };
}

/** What became of a question to the terminal of `pairflow ui`. */
export interface Asked {
  readonly state: "asked" | "refused" | "done";
  readonly says: string;
}

export interface WorkingRow {
  readonly repo: string;
  readonly bubble: string;
  readonly title: string;
  readonly round: number;
  readonly max_rounds: number;
  /** Who or what works: `codex implements`, `gate test`. */
  readonly doing: string;
  /** The machine it is on; null where the record is one machine's own. */
  readonly host: string | null;
  readonly since: string | null;
  /** The last sign of life, and what it said. */
  readonly sign_at: string | null;
  readonly says: string | null;
  /** Why nobody works although somebody should; null while there are signs. */
  readonly silent: string | null;
  readonly watchdog_at: string | null;
  readonly command: string | null;
  /** What brings it on from here, where something does. */
  readonly actions: readonly Action[];
}

export interface PlanRow {
  readonly repo: string;
  readonly slug: string;
  readonly title: string;
  readonly created_at: string;
  /** What to type next. */
  readonly next: string;
}

/** A bubble whose record cannot be read. */
export interface ProblemRow {
  readonly repo: string;
  readonly bubble: string;
  readonly problem: string;
  readonly command: string;
}

export interface InboxPage extends PageHeader {
  readonly page: "inbox";
  readonly items: readonly PageItem[];
  readonly works: readonly WorkingRow[];
  readonly silent: readonly WorkingRow[];
  readonly plans: readonly PlanRow[];
  readonly problems: readonly ProblemRow[];
  readonly bubbles: number;
  /** Words that were begun and not sent, by repository, bubble and question. */
  readonly drafts: Readonly<Record<string, string>>;
}

/** What one bubble asks, with all that is needed to answer it where it is shown. */
export function buildPageItems(repo: string, state: State, lastRound: number): PageItem[] {
  const red = listRedGates(state);
  return buildInboxView(state).map((item) => ({
    ...buildPageItem(repo, item, { red }),
    title: state.task.title,
    max_rounds: lastRound,
    usd: state.spent.total.usd ?? null,
    findings: listAskedFindings(state, item.id),
    ...(item.kind === "approve" ? buildChange(state) : {}),
  }));
}

/** `terminal`: that of `pairflow ui` can be asked for what a project's own question grants. */
export interface ItemDoors {
  readonly red?: readonly string[];
  readonly terminal?: { about(subject: string, digest: string): Asked | null } | undefined;
}

/** What a project itself asks is answered here too; only what grants something needs its own command. */
export function buildPageItem(
  repo: string,
  item: InboxItem,
  { red = [], terminal }: ItemDoors = {},
): PageItem {
  const listed = listOptions(item, terminal !== undefined);
  const options = listed.map((option) => buildPageOption(item.kind, option, red));
  const isLeft = item.kind === "convention" || options.some(({ grants }) => grants);
  const digest = item.convention && computeConventionDigest(item.convention);
  return {
    ...item,
    repo,
    title: item.convention?.name ?? "",
    max_rounds: null,
    usd: null,
    findings: [],
    options,
    answer: findWayToAnswer(item),
    terminal: isLeft ? item.command : null,
    ...(digest && terminal ? { seal: { digest, asked: terminal.about(item.id, digest) } } : {}),
  };
}

function listOptions({ kind, options }: InboxItem, hasTerminal: boolean): InboxItem["options"] {
  if (kind === "paused") return [{ key: "resume", does: "continues where it was paused" }];
  // Telling every later reviewer something is a grant for the whole project: no bubble's record could keep a key's proof of it.
  return kind === "convention" && !hasTerminal ? options.filter(({ key }) => key !== "accept") : options;
}

/** Exactly what would be told: both screens show the end of it. */
export function computeConventionDigest({
  name,
  pattern,
  applies_to,
}: Pick<NonNullable<InboxItem["convention"]>, "name" | "pattern" | "applies_to">): string {
  return computeSha256(new TextEncoder().encode(JSON.stringify([name, pattern, applies_to])));
}

/** In words of the terminal the options tell of flags; here a field stands for each. */
function buildPageOption(
  kind: string,
  { key, does }: InboxItem["options"][number],
  red: readonly string[],
): PageOption {
  const isOwn = kind !== "question";
  return {
    key,
    // An agent's own options are words; the referee adds nothing to them.
    does: isOwn ? does.replace(roundsFlag, "").replace(gateFlags, "") : "",
    grants: kind === "convention" ? key === "accept" : isGrant(isOwn ? kind : "agent", key),
    takes_rounds: isOwn && roundsFlag.test(does),
    takes_findings: isOwn && key === "waive",
    waives_gates: isOwn && key === "accept" ? red : [],
  };
}

const roundsFlag = /--rounds N grants N more rounds, /;
const gateFlags = /; needs(?: --waive-gate \S+)+/;

function listAskedFindings({ questions, findings }: State, id: string): PageItem["findings"] {
  const asked = questions.find((question) => question.id === id)?.findings ?? [];
  return findings
    .filter((finding) => asked.includes(finding.id))
    .map(({ id: own, severity, title }) => ({ id: own, severity, title }));
}

/** Questions with an id of the record are replied to, as are pauses; signatures are read first. */
function findWayToAnswer({ kind, id }: InboxItem): PageItem["answer"] {
  if (kind === "approve" || kind === "commit") return "review";
  return id.startsWith("q") || kind === "paused" || kind === "convention" ? "reply" : "command";
}

function buildChange(state: State): Pick<PageItem, "change"> | Pick<PageItem, "change" | "text"> {
  const { approval, tree, gates, reviews, findings } = state;
  if (!approval || !tree) return {};
  const ran = gates?.tree === tree.id ? gates.results : [];
  return {
    text: state.package?.what ?? state.task.title,
    change: {
      digest: approval.digest,
      tree: tree.id,
      files: tree.filesTotal,
      added: tree.added,
      removed: tree.removed,
      gates: ran.map(({ name, status }) => ({ name, status })),
      clean_reviews: reviews.filter((review) => review.clean && review.tree === tree.id).length,
      open_findings: findings.filter(({ status }) => status === "open").length,
    },
  };
}

/** One bubble that should be at work. `now`: when this was read. */
export function buildWorkingRow(repo: string, status: StatusView, now: string): WorkingRow {
  const gate = status.gates.running[0];
  const isDriven = status.driver.alive;
  const isQuiet = (status.silent_ms ?? 0) >= quietMs && !gate;
  const left = status.watchdog?.fires_in_ms;
  return {
    repo,
    bubble: status.bubble,
    title: status.title,
    round: status.round,
    max_rounds: status.max_rounds,
    doing: gate ? `gate ${gate.name}` : getDoing(status),
    host: status.host,
    since: gate?.since ?? status.active_since,
    sign_at: status.last_sign_at,
    says: gate?.last || null,
    silent: isDriven ? (isQuiet ? "no sign" : null) : "nobody drives it",
    watchdog_at: left === undefined ? null : addMilliseconds(now, left),
    command: status.next.command,
    actions: isDriven ? [] : ["resume"],
  };
}

/** Agents think; only a minute without any sign is worth a word. */
const quietMs = 60_000;

function getDoing({ active_agent: agent, active_role: role, next }: StatusView): string {
  return agent ? `${agent} · ${role}` : next.says;
}

const addMilliseconds = (now: string, ms: number): string => formatTime(parseTime(now) + ms);
