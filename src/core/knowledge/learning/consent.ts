// A human's word about a convention: accepted, dismissed, retired. Nothing here is decided by a count, and what was
// accepted is limited, so that critics are told rules and not a diary.
import { type Refusal, refuse } from "../../model/refusal.ts";
import { globProblem } from "../../text/glob.ts";
import { type Convention, parseConventions } from "../conventions.ts";
import type { Candidate, Learned } from "../learning.ts";
import { find, type Kept, type Known, linesOf, named, no, quoted, sentence, shellWord } from "./known.ts";

/** Accepted conventions there may be; whoever wants another one retires one. */
export const mostAccepted = 50;

export interface Word {
  readonly by: string;
  readonly at: string;
  readonly reason?: string;
}

export type Decided =
  | { readonly ok: true; readonly kept: Kept; readonly known: Known; readonly convention?: Convention }
  | { readonly ok: false; readonly refusal: Refusal };

/** It is told to the reviewers of later bubbles, with who said so and by which evidence. */
export function accept(kept: Kept, word: string, said: Word, globs: readonly string[] = []): Decided {
  const found = find(kept, word);
  if (!found.ok) return found;
  const { known } = found;
  if (known.accepted)
    return no(
      refuse("conventions.already", `${quoted(known.name)} is accepted already`, "pairflow conventions list"),
    );
  const applies_to = globs.length > 0 ? globs : known.applies_to;
  const refusal = badGlobs(known.name, applies_to) ?? full(kept);
  if (refusal) return { ok: false, refusal };
  const convention: Convention = {
    ...named(known),
    applies_to: [...applies_to],
    accepted_by: said.by,
    accepted_at: said.at,
    evidence: [...known.evidence.map(sentence), ...(said.reason ? [`accepted because: ${said.reason}`] : [])],
  };
  const file = `${withoutLine(kept.file, known.name)}${JSON.stringify(convention)}\n`;
  return { ok: true, kept: { file, learned: decidedOn(kept.learned, known, undefined) }, known, convention };
}

/** It is counted on, and nobody is asked about it again. */
export function dismiss(kept: Kept, word: string, said: Word): Decided {
  const found = find(kept, word);
  if (!found.ok) return found;
  const { known } = found;
  if (known.accepted)
    return no(
      refuse(
        "conventions.already",
        `${quoted(known.name)} is accepted; what is accepted is retired, not dismissed`,
        `pairflow conventions retire ${shellWord(known.name)} --reason "…"`,
      ),
    );
  const learned = decidedOn(kept.learned, known, { kind: "dismissed", ...said });
  return { ok: true, kept: { ...kept, learned }, known };
}

/** It leaves the file and is not asked about again: bubbles from the next commit on are told nothing of it. */
export function retire(kept: Kept, word: string, said: Word): Decided {
  const found = find(kept, word);
  if (!found.ok) return found;
  const { known } = found;
  if (!known.accepted)
    return no(
      refuse(
        "conventions.not-accepted",
        `${quoted(known.name)} is not accepted, so there is nothing to retire`,
        `pairflow conventions dismiss ${shellWord(known.name)}`,
      ),
    );
  const learned = decidedOn(kept.learned, known, { kind: "retired", ...said });
  return { ok: true, kept: { learned, file: withoutLine(kept.file, known.accepted.name) }, known };
}

function badGlobs(name: string, globs: readonly string[]): Refusal | undefined {
  const wrong = globs.flatMap((glob) => {
    const problem = globProblem(glob);
    return problem ? [`${quoted(glob)} ${problem}`] : [];
  });
  if (wrong.length === 0) return undefined;
  return refuse(
    "conventions.bad-pattern",
    `${quoted(name)} does not say which files it is about`,
    `pairflow conventions accept ${shellWord(name)} --applies-to 'src/**'`,
    wrong,
  );
}

function full({ file }: Kept): Refusal | undefined {
  const { accepted } = parseConventions(file);
  if (accepted.length < mostAccepted) return undefined;
  const [oldest] = [...accepted].sort((a, b) => (a.accepted_at < b.accepted_at ? -1 : 1));
  return refuse(
    "conventions.full",
    `${accepted.length} conventions are accepted, and no more than ${mostAccepted} may be`,
    `pairflow conventions retire ${shellWord(oldest?.name ?? "")} --reason "…"`,
  );
}

/** Remembers the decision; what was never counted here gets its place now, so that the no outlives the file. */
function decidedOn(learned: Learned, known: Known, decision: Candidate["decision"]): Learned {
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
    ...named(known),
    number: numbers + 1,
    applies_to: [...known.applies_to],
    evidence: [],
    decision,
  };
  return { ...learned, numbers: numbers + 1, candidates: [...candidates, made] };
}

/** The file as it is, without the line of this name. */
function withoutLine(file: string, name: string): string {
  const stays = linesOf(file).filter((line) => (JSON.parse(line) as { name: string }).name.trim() !== name);
  return stays.map((line) => `${line}\n`).join("");
}
