// One bubble of one registered repository, as a request names it.
import type { KnownRepository } from "../../app/host/repositories/list.ts";
import { readGood } from "../../app/record/bubble.ts";
import { createRecordWorld } from "../../app/record/world.ts";
import { BubbleId } from "../../core/model/config.ts";
import { refuse } from "../../core/model/refusal.ts";
import type { State } from "../../core/model/state.ts";
import { describeSchemaProblem } from "../../core/model/value/validate.ts";
import type { RecordWorld } from "../../engine/front/world.ts";

export interface NamedBubble {
  readonly repository: KnownRepository;
  readonly bubble: string;
  readonly world: RecordWorld;
}

/** Only names from our own list and ids become paths. */
export async function findNamedBubble(
  repositories: readonly KnownRepository[],
  repo: string,
  bubble: string,
): Promise<NamedBubble> {
  const repository = repositories.find(({ name }) => name === repo);
  const unknown = refuse("bubble.unknown", `there is no bubble ${bubble} in ${repo}`, "pairflow bubble list");
  if (!repository || describeSchemaProblem(BubbleId, bubble)) throw unknown;
  const world = createRecordWorld(repository.path);
  if (!(await world.records.exists(bubble))) throw unknown;
  return { repository, bubble, world };
}

export async function loadNamedState({ world, bubble }: NamedBubble): Promise<State> {
  return (await readGood(world, bubble)).state;
}
