// Where the gates ran that a signature rests on: on a clean checkout of the tree, or where files that are in no commit
// can decide.
import { isGreen } from "../../judge/convergence.ts";
import { findCleanRun } from "../../judge/gate-runs/final.ts";
import { type SentenceRule, sayNames, sayOne } from "../sentence.ts";

const inWorktree: SentenceRule = {
  code: "gates.in-worktree",
  appears: "the gates of this tree ran in the worktree and not on a clean checkout",
  say: (state) => {
    const { gates, tree, config } = state;
    const ran = gates?.tree === tree?.id && (gates?.results.length ?? 0) > 0;
    if (!ran || tree?.paper || findCleanRun(state)) return [];
    const why = config.final_gates === "worktree" ? " (final_gates = worktree)" : "";
    return sayOne(`gates ran in the worktree only, where files that are in no commit can decide${why}`);
  },
};

const unprepared: SentenceRule = {
  code: "gates.no-clean-run",
  appears: "the clean checkout of this tree could not be made ready, so that no gate ran there",
  say: (state) => {
    const problem = findCleanRun(state)?.clean?.problem?.split("\n")[0];
    const text = problem && `no gate ran on a clean checkout of this tree: ${problem}`;
    return sayOne(text, { problem });
  },
};

const redOnClean: SentenceRule = {
  code: "gates.red-on-clean",
  appears: "a required gate is not green on a clean checkout of this tree, waived or not",
  say: (state) => {
    const red = (findCleanRun(state)?.results ?? []).filter((result) => result.required && !isGreen(result));
    return sayNames(
      red.map(({ name }) => name),
      (names) => `not green on a clean checkout of this tree: ${names}`,
    );
  },
};

export const finalRunSentences: readonly SentenceRule[] = [inWorktree, unprepared, redOnClean];
