// Writing the view of a pair session, and putting its hash on the record: a later change of the file is seen.
import type { State } from "../../core/model/state.ts";
import {
  buildPairSessionView,
  namePairSession,
  serializePairSession,
} from "../../core/views/pair/session.ts";
import { handle } from "../handle/command.ts";
import type { RecordWorld } from "../world/world.ts";

export async function writePairSession(
  world: RecordWorld,
  state: State,
  task: string,
  driver: string,
): Promise<void> {
  const actor = { kind: "driver", id: driver } as const;
  const artifact = namePairSession(task);
  const text = serializePairSession(state, task);
  const problem = await world.records.view(state.bubbleId, artifact, text);
  world.crashPoint("pair-session.written");
  if (problem) await warn(world, state, driver, `${artifact} could not be written: ${problem}`);
  await handle(world, state.bubbleId, {
    type: "pair-session",
    actor,
    task,
    artifact,
    // Without a file there is nothing to compare with later; the run continues.
    sha256: problem ? "" : world.hash.sha256(text),
    iteration: buildPairSessionView(state, task).pair_session.iteration,
  });
}

/** Once: the same trouble with every iteration is no news. */
async function warn(world: RecordWorld, state: State, driver: string, message: string): Promise<void> {
  if (state.warnings.last?.message === message) return;
  const actor = { kind: "driver", id: driver } as const;
  await handle(world, state.bubbleId, { type: "warn", actor, code: "view.unwritable", message });
}
