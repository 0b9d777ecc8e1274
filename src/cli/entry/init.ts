// The bundle of `init`, which is typed once in a repository and by a newcomer first of all: less than half of main, since it starts no
// bubble. What does stands in main, and is loaded from there if it is ever wanted.
import { chooseUnnamed } from "../../app/record/choose.ts";
import { init } from "../commands/project/init.ts";
import { runLine } from "../verb/run.ts";

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine([init], argv, { ...how, choose: chooseUnnamed });
}
