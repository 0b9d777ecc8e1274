// The bundle of the first screen, which a newcomer types first and everybody most: a third of main, since nothing of it drives.
import { chooseUnnamed } from "../../app/record/choose.ts";
import { home } from "../commands/look/home.ts";
import { runLine } from "../verb/run.ts";

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine([home], ["home", ...argv], { ...how, choose: chooseUnnamed });
}
