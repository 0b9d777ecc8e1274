// What a scripted agent of a dry run does in its turn: a small edit, a paper, a review in the loop's own dialect, or a score.
// It is a real agent with the real verbs; only its opinions are made up.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Refusal } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { getCompletionPromise } from "../../core/permission/completion-promise.ts";
import { buildExampleReviews } from "../../core/review/dialect/examples.ts";
import { listSubjects, type Subject } from "../../core/review/subjects.ts";
import { listOpenFindings } from "../../core/state/severity.ts";
import { findStep, getDialect, getIteration, getTaskKey } from "../../core/state/workflow-position.ts";
import { load } from "../../engine/front/command.ts";
import { Failure } from "../../ports/failure.ts";
import { findSpeaker, type SaidClaim, submitClaim } from "../caller/claims.ts";
import { buildDryPaper, findChangingLine, findJudgedPaper } from "./paper.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Every subject of a review finds a line of its own to rest on. */
const linesOfWork = 200;

/** Takes the turn that this process belongs to. Critics reject the first rounds of each task, as many as are asked for. */
export async function takeDryTurn(cwd: string, env: Env, rejections: number): Promise<Refusal | undefined> {
  const speech = findSpeaker({}, cwd, env);
  const { state } = await load(speech.world, speech.located.bubble);
  if (!state?.turn) throw new Failure("dry-run.no-turn", "nobody has the turn");
  const said = buildAnswer(state, rejections);
  if (said.edit) write(join(cwd, said.edit.path), said.edit.text);
  return (await submitClaim(speech, said.said, [], cwd)).refusal;
}

interface DryAnswer {
  readonly said: SaidClaim;
  readonly edit?: { readonly path: string; readonly text: string };
}

function buildAnswer(state: State, rejections: number): DryAnswer {
  const step = findStep(state, state.turn?.step ?? null);
  if (step?.kind === "turn" && step.answer === "score")
    return { said: { type: "pass", summary: "Scored in a dry run", score: 0.9 } };
  if (step?.kind === "turn" && step.answer === "findings")
    return {
      said: { type: "pass", summary: "", review: chooseReview(state, getIteration(state) > rejections) },
    };
  const paper = buildDryPaper(state);
  if (paper) return { said: { type: "pass", summary: "Written in a dry run", paper } };
  return { said: buildHandoff(state), edit: buildWork(state) };
}

function getWorkFile(state: State): string {
  return state.config.document ?? findExpectedFile(state) ?? `dry-run/${getTaskKey(state)}.md`;
}

/** A task of a plan says what it changes, and may change nothing else. */
function findExpectedFile({ program }: State): string | undefined {
  const files = program.payload?.files;
  const paths: unknown[] = Array.isArray(files) ? files : [];
  return paths.map(String).find((path) => /^[\w./-]+$/.test(path));
}

/** Every line is new in every turn, so that a finding about any of them can be answered as fixed. */
function buildWork(state: State): { path: string; text: string } {
  const lineOf = (line: number) =>
    `Line ${line} of a dry run, written by ${state.bubbleId} in turn ${state.turn?.id}`;
  const lines = Array.from({ length: linesOfWork }, (_, i) => lineOf(i + 1));
  return { path: findFileToFix(state) ?? getWorkFile(state), text: `${lines.join("\n")}\n` };
}

/**
 * Where something is open there is something to fix: a review task finds it in what another task made. What is locked
 * is fixed from elsewhere.
 */
const findFileToFix = (state: State): string | undefined =>
  listOpenFindings(state).find(({ file }) => file && !isLocked(state, file))?.file;

const isLocked = ({ locks = [] }: State, file: string) => locks.some(({ path }) => path === file);

/** What a critic points at; a merged tree may hold the files of other tasks alone. */
function findCitedFile(state: State): string {
  const paths = (state.tree?.files ?? []).map(({ path }) => path);
  return paths.find((path) => path === getWorkFile(state)) ?? paths[0] ?? getWorkFile(state);
}

function buildHandoff(state: State): SaidClaim {
  return {
    type: "pass",
    summary: `Dry run of ${getTaskKey(state)}\n${getCompletionPromise(state)}`,
    package: {
      what: "A file was written",
      why: "To see the workflow run",
      risks: "None: the repository is thrown away",
      test_plan: "Read the file",
      commit_message: "Dry run",
    },
  };
}

/** A whole review in the form of the dialect: the example's form with words and places of this tree. */
function chooseReview(state: State, approves: boolean): string {
  const tree = state.turn?.tree ?? state.tree?.id ?? "";
  const form = buildExampleReviews(getDialect(state), { tree })[approves ? "approving" : "rejecting"];
  const open = state.findings.filter(({ status }) => status === "open");
  const reason = (file: string) => (approves ? describeFixPlace(state, file) : "nothing changed about it");
  return JSON.stringify({
    ...form,
    ...fillOwnWords(
      form,
      approves ? "The dry run finds nothing to object to" : "The dry run rejects this round",
    ),
    sop_review: [],
    patterns: [],
    checked: approves ? listSubjects(state).map((subject, i) => buildEvidence(state, subject, i)) : [],
    prior_findings: open.map(({ id, file = "" }) => ({
      id,
      status: approves ? "fixed" : "open",
      reason: reason(file),
    })),
    findings: approves ? [] : (form.findings as object[]).map((finding) => inventFinding(state, finding)),
  });
}

function describeFixPlace(state: State, file: string): string {
  if (isLocked(state, file)) return `fixed by ${getWorkFile(state)}:1, since ${file} is locked`;
  return `every line of ${findCitedFile(state)} was written anew`;
}

/** The field that carries the words has another name in each dialect. */
function fillOwnWords(form: object, words: string): Record<string, string> {
  const fields = ["summary", "feedback", "critique"].filter((field) => field in form);
  return Object.fromEntries(fields.map((field) => [field, words]));
}

function buildEvidence(state: State, { kind, id }: Subject, index: number) {
  const paper = findJudgedPaper(state);
  const file = paper?.file ?? (kind === "file" ? id : findCitedFile(state));
  const line = paper ? (paper.lines[index % paper.lines.length]?.line ?? 1) : index + 1;
  const why = `line ${line} of ${file} was read for ${id} and says what it should`;
  return { for: kind === "file" ? null : [id], file, line, end_line: null, quote: null, why };
}

function inventFinding(state: State, finding: object): object {
  const advice = "Write it once more";
  const paper = findJudgedPaper(state);
  const place = paper && findChangingLine(paper.lines);
  return {
    ...finding,
    title: `Rejected by the dry run in round ${state.round}`,
    file: paper?.file ?? findCitedFile(state),
    line: place?.line ?? 1,
    end_line: null,
    quote: place?.text ?? "Line 1 of a dry run",
    why: "A dry run objects to this line, to see where that leads",
    ...("recommendation" in finding ? { recommendation: advice } : { advice }),
  };
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
