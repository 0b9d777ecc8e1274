// A human's word about a convention: accepted, dismissed, retired. Nothing here is decided by a count, and what was
// accepted is limited, so that critics are told rules and not a diary.
import { type Refusal, refuse } from "../../model/refusal.ts";
import { checkGlob } from "../../text/glob.ts";
import { type Convention, parseConventions } from "../conventions.ts";
import type { Candidate, LearnedConventions } from "../learning.ts";
import {
  describeConventionEvidence,
  find,
  type KnownConvention,
  type LearningFiles,
  pickNaming,
  quoteForShell,
  quoteName,
  refuseLearning,
  splitNonEmptyLines,
} from "./conventions.ts";

/** Accepted conventions there may be; another one needs one to be retired. */
export const mostAccepted = 50;

export interface ConsentWord {
  readonly by: string;
  readonly at: string;
  readonly reason?: string;
}

export type ConsentResult =
  | {
      readonly ok: true;
      readonly kept: LearningFiles;
      readonly known: KnownConvention;
      readonly convention?: Convention;
    }
  | { readonly ok: false; readonly refusal: Refusal };

/** It is told to the reviewers of later bubbles, with who said so and by which evidence. */
export function accept(
  kept: LearningFiles,
  word: string,
  said: ConsentWord,
  globs: readonly string[] = [],
): ConsentResult {
  const found = find(kept, word);
  if (!found.ok) return found;
  const { known } = found;
  if (known.accepted)
    return refuseLearning(
      "conventions.already",
      `${quoteName(known.name)} is accepted already`,
      "pairflow conventions list",
    );
  const applies_to = globs.length > 0 ? globs : known.applies_to;
  const refusal = checkGlobs(known.name, applies_to) ?? checkRoom(kept);
  if (refusal) return { ok: false, refusal };
  const convention: Convention = {
    ...pickNaming(known),
    applies_to: [...applies_to],
    accepted_by: said.by,
    accepted_at: said.at,
    evidence: [
      ...known.evidence.map(describeConventionEvidence),
      ...(said.reason ? [`accepted because: ${said.reason}`] : []),
    ],
  };
  const file = `${removeLine(kept.file, known.name)}${JSON.stringify(convention)}\n`;
  return {
    ok: true,
    kept: { file, learned: rememberDecision(kept.learned, known, undefined) },
    known,
    convention,
  };
}

/** It is counted on, and nobody is asked about it again. */
export function dismiss(kept: LearningFiles, word: string, said: ConsentWord): ConsentResult {
  const found = find(kept, word);
  if (!found.ok) return found;
  const { known } = found;
  if (known.accepted)
    return refuseLearning(
      "conventions.already",
      `${quoteName(known.name)} is accepted; what is accepted is retired, not dismissed`,
      `pairflow conventions retire ${quoteForShell(known.name)} --reason "…"`,
    );
  const learned = rememberDecision(kept.learned, known, { kind: "dismissed", ...said });
  return { ok: true, kept: { ...kept, learned }, known };
}

/** It leaves the file and is not asked about again: bubbles from the next commit on are told nothing of it. */
export function retire(kept: LearningFiles, word: string, said: ConsentWord): ConsentResult {
  const found = find(kept, word);
  if (!found.ok) return found;
  const { known } = found;
  if (!known.accepted)
    return refuseLearning(
      "conventions.not-accepted",
      `${quoteName(known.name)} is not accepted, so there is nothing to retire`,
      `pairflow conventions dismiss ${quoteForShell(known.name)}`,
    );
  const learned = rememberDecision(kept.learned, known, { kind: "retired", ...said });
  return { ok: true, kept: { learned, file: removeLine(kept.file, known.accepted.name) }, known };
}

function checkGlobs(name: string, globs: readonly string[]): Refusal | undefined {
  const wrong = globs.flatMap((glob) => {
    const problem = checkGlob(glob);
    return problem ? [`${quoteName(glob)} ${problem}`] : [];
  });
  if (wrong.length === 0) return undefined;
  return refuse(
    "conventions.bad-pattern",
    `${quoteName(name)} does not say which files it is about`,
    `pairflow conventions accept ${quoteForShell(name)} --applies-to 'src/**'`,
    wrong,
  );
}

function checkRoom({ file }: LearningFiles): Refusal | undefined {
  const { accepted } = parseConventions(file);
  if (accepted.length < mostAccepted) return undefined;
  const [oldest] = [...accepted].sort((a, b) => (a.accepted_at < b.accepted_at ? -1 : 1));
  return refuse(
    "conventions.full",
    `${accepted.length} conventions are accepted, and no more than ${mostAccepted} may be`,
    `pairflow conventions retire ${quoteForShell(oldest?.name ?? "")} --reason "…"`,
  );
}

/** Remembers the decision; what was never counted here gets its place now, so that the no outlives the file. */
function rememberDecision(
  learned: LearnedConventions,
  known: KnownConvention,
  decision: Candidate["decision"],
): LearnedConventions {
  const { candidates, numbers } = learned;
  const isIt = ({ number }: Candidate) => number === known.number;
  if (candidates.some(isIt))
    return {
      ...learned,
      candidates: candidates.map((one) => {
        const { decision: _before, ...rest } = one;
        return !isIt(one) ? one : decision ? { ...rest, decision } : rest;
      }),
    };
  if (!decision) return learned;
  const made = {
    ...pickNaming(known),
    number: numbers + 1,
    applies_to: [...known.applies_to],
    evidence: [],
    decision,
  };
  return { ...learned, numbers: numbers + 1, candidates: [...candidates, made] };
}

/** The file as it is, without the line of this name. */
function removeLine(file: string, name: string): string {
  const stays = splitNonEmptyLines(file).filter(
    (line) => (JSON.parse(line) as { name: string }).name.trim() !== name,
  );
  return stays.map((line) => `${line}\n`).join("");
}
