// The bundle of what people look at: nothing that parses YAML or TOML, and nothing that starts a program.
import { chooseUnnamed } from "../../app/record/choose.ts";
import { foldLines } from "../../app/record/whole.ts";
import { bubbleInbox } from "../commands/bubble/inbox.ts";
import { explain } from "../commands/look/explain.ts";
import { inbox } from "../commands/look/inbox.ts";
import { log } from "../commands/look/log.ts";
import { verify } from "../commands/look/verify.ts";
import { pipelineStatusVerb } from "../commands/pipeline/status.ts";
import { reviewLog } from "../commands/review/log.ts";
import { toTrouble } from "../verb/result.ts";
import { captureLine, runLine } from "../verb/run.ts";

/** The declarations of all verbs, those of the other bundles too; put in by the build. */
declare const __PAIRFLOW_VERBS__: string;

const readVerbs = [bubbleInbox, inbox, log, explain, reviewLog, pipelineStatusVerb, verify];

export function run(argv: readonly string[], how: { name: string }): Promise<void> {
  return runLine(readVerbs, argv, {
    ...how,
    declared: () => JSON.parse(__PAIRFLOW_VERBS__),
    choose: chooseUnnamed,
  });
}

/** A look inside the process of a program: what the command would print, and its exit code. */
export function look(argv: readonly string[], where: { cwd: string; env: NodeJS.ProcessEnv }) {
  return captureLine(readVerbs, argv, where);
}

/** The status that these lines fold to, or what is wrong with them. */
export function foldRecord(lines: readonly unknown[]) {
  try {
    return { status: foldLines(lines) };
  } catch (error) {
    return { error: toTrouble(error) };
  }
}
