// The bundle of what is asked most often, by people, prompts and status bars: the status of one bubble, the list of all,
// and the version. Half as long as that of the other looks, and all of it is read at every start.
import { chooseUnnamed } from "../../app/record/choose.ts";
import { bubbleList } from "../commands/bubble/list.ts";
import { bubbleStatus } from "../commands/bubble/status.ts";
import { runLine } from "../verb/run.ts";

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine([bubbleStatus, bubbleList], argv, { ...how, choose: chooseUnnamed });
}
