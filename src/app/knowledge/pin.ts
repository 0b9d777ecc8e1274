// What a project knows about how its work is judged: read from a commit, and pinned with a bubble.
import { type Knowledge, serializeKnowledge } from "../../core/knowledge/knowledge.ts";
import type { PayloadOf } from "../../core/model/record/envelope.ts";
import type { State } from "../../core/model/state.ts";
import type { RecordWorld, World } from "../../engine/front/world.ts";
import { buildUsageError } from "../host/usage.ts";
import type { KnowledgePart } from "./part.ts";
import { readParts } from "./read.ts";

type Reading = Pick<World, "workspace" | "trees">;
type Pinned = NonNullable<PayloadOf<"BUBBLE_CREATED">["knowledge"]>;

/** The knowledge at a commit. Throws one usage error with all that is wrong: half of it is worse than none. */
export async function readKnowledge(world: Reading, repo: string, commit: string): Promise<Knowledge> {
  const { value, problems } = await lookAtKnowledge(world, repo, commit);
  const [first, ...others] = problems;
  if (!first) return value;
  const details = [
    ...(first.details ?? []),
    ...others.flatMap((problem) => [problem.message, ...(problem.details ?? [])]),
  ];
  throw buildUsageError(first.code, first.message, first.hint, details);
}

/** The knowledge at a commit as far as it can be read, and all that is wrong with it. */
export async function lookAtKnowledge(
  world: Reading,
  repo: string,
  commit: string,
): Promise<KnowledgePart<Knowledge>> {
  const files = await world.workspace.filesAt(repo, commit);
  return readParts({
    commit,
    files,
    read: (paths) =>
      world.trees.read(
        // Outside any bubble the repository is all there is to know.
        { config: { repo_path: repo } } as Pick<State, "config">,
        paths.map((path) => ({ tree: commit, path })),
      ),
  });
}

/** Keeps the knowledge beside the bubble's record; undefined when there is nothing to keep. */
export async function pinKnowledge(
  world: Pick<RecordWorld, "records">,
  bubble: string,
  knowledge: Knowledge | undefined,
): Promise<Pinned | undefined> {
  if (!knowledge || isEmpty(knowledge)) return undefined;
  const { name, sha256 } = await world.records.put(bubble, "knowledge.json", serializeKnowledge(knowledge));
  return { artifact: name, sha256, sops: knowledge.sops.length };
}

const isEmpty = ({ sops, constitution, conventions, hidden }: Knowledge): boolean =>
  sops.length + constitution.length + conventions.length + hidden.length === 0;
