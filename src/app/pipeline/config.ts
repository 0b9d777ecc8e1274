// pipeline.config.json, in its published form, with two tables of our own: who plays what (`agents`) and with which
// model (`models`). Strict: what means nothing here is an error with its line and column.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { chain, PipelineFile, workers } from "../../core/model/pipeline-file.ts";
import { check, type Issue } from "../../core/model/value/validate.ts";
import { readStrictJson } from "../../core/review/dialect/strict-json.ts";
import { suggestWord } from "../../core/text/nearest.ts";
import {
  buildFileError,
  type FileProblem,
  formatFileSpot,
  spell,
  type ValuePath,
} from "../files/problems.ts";
import { findMisplacedLists, findUnknownKeys } from "../files/schema-keys.ts";
import { addSubject } from "../files/sentence.ts";
import { readYaml } from "../files/yaml.ts";
import { buildUsageError, readNamedText } from "../host/usage.ts";

type Table = Readonly<Record<string, string | undefined>>;

export interface PipelineConfig {
  /** The file it was read from, as seen from the repository; undefined: there is none. */
  readonly file?: string;
  /** `trigger.payload.settings` of the run. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly agents: Table;
  readonly models: Table;
}

export const configFiles = ["pipeline.config.json", ".pairflow/pipeline.config.json"] as const;
const code = "pipeline.bad-config";
const hint = "the keys are in docs/pipeline.md; pairflow pipeline dry-run checks the file";

/** The configuration of this repository as it is on the disk now; the usual one without a file. */
export function readPipelineConfig(repo: string): PipelineConfig {
  const [file, second] = configFiles.filter((name) => existsSync(join(repo, name)));
  if (file === undefined) return parsePipelineConfig("{}", configFiles[0]);
  if (second !== undefined)
    throw buildUsageError(code, `there are two configurations: ${file} and ${second}`, `rm ${second}`);
  return { ...parsePipelineConfig(readText(join(repo, file), file), file), file };
}

const readText = (path: string, file: string): string =>
  readNamedText(path, ({ message }) => buildUsageError(code, `${file}: ${message}`, hint));

export function parsePipelineConfig(text: string, file: string): PipelineConfig {
  const value = parseJson(text, file);
  const lists = findMisplacedLists(PipelineFile, value);
  const result = check(PipelineFile, value);
  if (lists.length > 0 || !result.ok) {
    const { places } = readYaml(text, file, code);
    const problems =
      lists.length > 0 ? lists.map(reportNoTable) : result.ok ? [] : listProblems(value, result.issues);
    throw buildFileError(file, problems, places, hint);
  }
  const { autonomy = {}, ralphLoop = {}, agents = {}, models = {} } = result.value;
  return { settings: buildSettings(autonomy, ralphLoop, models), agents, models };
}

type Autonomy = NonNullable<PipelineFile["autonomy"]>;
type RalphLoop = NonNullable<PipelineFile["ralphLoop"]>;

/** In the workflow's own words; what nobody has said is left to plan and story. */
function buildSettings(autonomy: Autonomy, loop: RalphLoop, models: Table): PipelineConfig["settings"] {
  const given = {
    mode: autonomy.mode,
    default_mode: loop.defaultMode,
    default_max_iterations: loop.defaultMaxIterations,
    completion_promise: loop.completionPromise,
    plan_review_limit: autonomy.planReviewLoopLimit ?? 10,
    code_review_limit: autonomy.codeReviewLoopLimit ?? 15,
    models: Object.fromEntries(workers.flatMap((role) => (models[role] ? [[role, models[role]]] : []))),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The nearest known word beside each unknown one; all else in the schema's sentences. */
function listProblems(value: unknown, issues: readonly Issue[]): FileProblem[] {
  const unknown = findUnknownKeys(PipelineFile, value).map(({ path, key, known }): FileProblem => {
    const reviewer = /-reviewer$/.test(key)
      ? `; reviewers are named by their place: ${chain.join(", ")}`
      : "";
    return {
      code,
      message: `there is no key ${spell(path)}${reviewer || suggestWord(key, known)}`,
      path,
      part: "key",
    };
  });
  const others = issues
    .filter(({ unknownKey }) => unknownKey === undefined)
    .map(
      ({ path, message }): FileProblem => ({
        code,
        message: addSubject(path as ValuePath, message),
        path: path as ValuePath,
        part: "value",
      }),
    );
  return [...unknown, ...others];
}

const reportNoTable = (path: ValuePath): FileProblem => ({
  code,
  message: `${spell(path) || "the file"} must be a table`,
  path,
  part: "value",
});

/** A key that stands twice would count once, and nobody would know which. */
function parseJson(text: string, file: string): unknown {
  const read = readStrictJson(text);
  if (read.ok) return read.value;
  const { at, problem } = read;
  throw buildUsageError(code, at ? `${formatFileSpot(file, at)}: ${at.words}` : `${file}: ${problem}`, hint);
}
