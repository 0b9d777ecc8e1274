// The bundle of what is asked most often, by people, prompts and status bars: the status of one bubble, the list of all,
// and the version. Half as long as that of the other looks, and all of it is read at every start.
import { chooseUnnamed } from "../../app/record/choose.ts";
import { bubbleList } from "../commands/bubble/list.ts";
import { bubbleStatus } from "../commands/bubble/status.ts";
import { captureLine, runLine } from "../verb/run.ts";

const statusVerbs = [bubbleStatus, bubbleList];

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(statusVerbs, argv, { ...how, choose: chooseUnnamed });
}

/** A look inside the process of a program: what the command would print, and its exit code. */
export function look(argv: readonly string[], where: { cwd: string; env: NodeJS.ProcessEnv }) {
  return captureLine(statusVerbs, argv, where);
}
