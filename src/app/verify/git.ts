// What the record says about git, looked up there: pins that point where a line says, commits and trees with every
// object, and the one commit of the bubble. A person may delete the branch after merging it; that is said, and no damage.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "../../core/model/record/envelope.ts";
import { fetchCommits, type RecordWorld } from "../../engine/front/world.ts";
import { Failure } from "../../ports/failure.ts";
import { isWithoutHashes } from "./artifacts.ts";
import type { RecordProblem } from "./chain.ts";
import { checkCommitted } from "./committed.ts";
import { collectGitNames, type GitNames } from "./named-in-git.ts";
import { findMissingObjects, type MissingObjects, readBubbleRefs } from "./objects.ts";

export interface GitCheck {
  readonly errors: readonly RecordProblem[];
  readonly notes: readonly RecordProblem[];
}

/** Looks up everything that the good part of the record names in git, and says which lines have no hashes. */
export async function lookBeside(world: RecordWorld, repo: string, bubble: string): Promise<GitCheck> {
  await fetchNamed(world, repo, bubble);
  const envelopes: Envelope[] = [];
  for await (const batch of world.log.read(bubble)) envelopes.push(...batch.envelopes);
  const old = envelopes.filter(isWithoutHashes).map(({ seq }) => seq);
  const { errors, notes } = await lookInGit(repo, bubble, collectGitNames(envelopes));
  return { errors, notes: [...hashNotes(old), ...notes] };
}

/** What other machines made is looked up here. What nobody has is missing, and told as such. */
export async function fetchNamed(world: RecordWorld, repo: string, bubble: string): Promise<void> {
  try {
    await fetchCommits({ ...world, repo }, bubble);
  } catch (error) {
    if (!(error instanceof Failure && error.code.startsWith("travel."))) throw error;
  }
}

async function lookInGit(repo: string, bubble: string, named: GitNames): Promise<GitCheck> {
  if (named.foreignBase !== undefined) {
    const note = `the record begins with ${named.foreignBase}, which is no commit of git; what it names there was not looked up`;
    return { errors: [], notes: [{ message: note }] };
  }
  const invented = named.invented.map(({ seq, type, id }) => ({
    message: `message ${seq} (${type}) names ${id === "" ? "nothing" : id}, which is no id of git`,
  }));
  if (named.pins.length === 0 && !named.committed) return { errors: invented, notes: [] };
  if (!existsSync(join(repo, ".git"))) {
    const note = `${repo} is no git repository; what the record names there was not looked up`;
    return { errors: [], notes: [{ message: note }] };
  }
  const refs = await readBubbleRefs(repo, bubble, named.branch);
  const ids = named.pins.flatMap(({ commit, tree }) => [commit, tree]);
  const missing = await findMissingObjects(repo, [...new Set(ids)]);
  const committed = await checkCommitted(repo, named, refs, missing);
  return {
    errors: [
      ...invented,
      ...named.pins.flatMap((pin) => listPinProblems(pin, refs, missing)),
      ...committed.errors,
    ],
    notes: committed.notes,
  };
}

function hashNotes(old: readonly number[]): RecordProblem[] {
  const [first, last] = [old[0], old.at(-1)];
  if (first === undefined) return [];
  const which =
    first === last ? `message ${first} was` : `${old.length} messages from ${first} to ${last} were`;
  return [
    {
      message: `${which} written before hashes: their artifacts are there, and their bytes cannot be compared`,
    },
  ];
}

function listPinProblems(
  { seq, type, commit, tree, ref }: GitNames["pins"][number],
  refs: ReadonlyMap<string, string>,
  missing: MissingObjects,
): RecordProblem[] {
  const where = `message ${seq} (${type})`;
  const lost = [commit, tree].flatMap((id) => missing.get(id) ?? []);
  if (lost[0] !== undefined) return [{ message: `${where}: ${lost[0]}` }];
  const now = refs.get(ref);
  if (now === commit) return [];
  return [
    {
      message: now
        ? `${where} pins ${commit.slice(0, 12)} as ${ref}, which is ${now.slice(0, 12)} now`
        : `${where} pins ${commit.slice(0, 12)} as ${ref}, which is not there any more`,
      fix: `git update-ref ${ref} ${commit}`,
    },
  ];
}
