// The bundle with every command.

import { chooseUnnamed } from "../../app/record/choose.ts";
import { verbs } from "../commands/verbs.ts";
import { runLine } from "../verb/run.ts";

/** What the bundle of `init` leaves out. */
export { replyToAgent } from "../../app/caller/verb-answers.ts";
export { createSiblings } from "../../app/world/siblings.ts";

/** The declarations as text, for the build: the bundle that answers `pairflow help` has them without the verbs. */
export const serializeDeclarations = (): string => JSON.stringify(verbs);

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(verbs, argv, { ...how, choose: chooseUnnamed });
}
