// A pass that hands in a paper: nothing else belongs to it, and the paper must be one of the kind that is asked for.
import type { CommandOf } from "../../../model/command.ts";
import { assertInvariant, type Refusal, refuse } from "../../../model/refusal.ts";
import type { State } from "../../../model/state.ts";
import { clip } from "../../../model/value/sizes.ts";
import { buildPaperContext, findAskedPaper } from "../../../paper/context.ts";
import type { PaperValue } from "../../../paper/kind.ts";
import { readPaper } from "../../../paper/read.ts";
import { isReview } from "../../../review/citations.ts";
import { checkDispute } from "./disputes.ts";

/** The paper, completed with what only the referee knows; or why it cannot count. */
export function completePaper(
  state: State,
  command: CommandOf<"pass">,
  at: string,
): { readonly paper: PaperValue } | { readonly refusal: Refusal } {
  const kind = findAskedPaper(state);
  assertInvariant(kind, "a turn that hands in a paper names a kind that exists");
  const form = `pairflow schema ${kind.name} --example`;
  const odd = checkNothingBeside(command) ?? checkDispute(state, command);
  if (odd) return { refusal: odd };
  if (command.paper === undefined || command.paper === null)
    return {
      refusal: refuse("paper.missing", `this turn hands in the paper ${kind.name}, and there is none`, form),
    };
  const read = readPaper(kind, command.paper, buildPaperContext(state, at));
  if (read.ok) return { paper: read.value };
  const problems = read.problems.slice(0, 20).map((problem) => clip(problem, 1000));
  return { refusal: refuse("paper.invalid", `the paper ${kind.name} cannot count as it is`, form, problems) };
}

function checkNothingBeside(command: CommandOf<"pass">): Refusal | undefined {
  return isReview(command) || command.noChange || command.package
    ? refuse(
        "pass.paper-only",
        "this turn hands in a paper and changes no file: findings, --no-change and a package are others' to give",
        'pairflow pass --summary "…" --paper paper.json',
      )
    : undefined;
}
