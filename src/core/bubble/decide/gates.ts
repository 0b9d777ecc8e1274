// What the gates said about a tree: red goes to the producer, what cannot run or judges something else goes to a human.

import { headAndTail } from "../../gates/excerpt.ts";
import type { CommandOf } from "../../model/command.ts";
import { type Refusal, refuse } from "../../model/refusal.ts";
import { fitting } from "../../model/sizes.ts";
import { isWaived, redGates } from "../../policy/convergence.ts";
import { currentStep } from "../../policy/place.ts";
import { advance } from "../../workflow/interpret.ts";
import type { Book } from "../book.ts";

/** What one line of the transcript holds of paths and outputs, in bytes; the artifact has the whole. */
const room = { paths: 4_000, excerpts: 24_000 };

/** Gate results bind to one tree. Red → the producer; unrunnable or void twice → a human. */
export function gatesRan(book: Book, command: CommandOf<"gates-ran">): Refusal | undefined {
  const step = currentStep(book.state);
  const { tree, results, changed, put_back, output } = command;
  if (step?.kind !== "gates" || book.state.lifecycle !== "RUNNING" || tree !== book.state.tree?.id)
    return refuse("driver.not-due", "this gate run is not due any more");
  const earlier = book.state.gates?.tree === tree ? book.state.gates : undefined;
  const attempt = (earlier?.attempt ?? 0) + 1;
  book.write(
    "GATES_RESULT",
    {
      tree,
      attempt,
      results: shortened(results),
      changed: fitting(changed, room.paths),
      put_back: fitting(put_back, room.paths),
      output,
      ...(command.commit_message === undefined ? {} : { commit_message: command.commit_message }),
    },
    { refs: [`artifact://${output}`] },
  );
  const broken = results.filter(
    (result) => result.required && result.status === "error" && !isWaived(book.state, result.name),
  );
  if (changed.length > 0) {
    if (attempt >= 2)
      askAboutGates(
        book,
        `The gates change files of the tree they judge (${changed.slice(0, 5).join(", ")}), so their result counts for nothing`,
      );
  } else if (broken.length > 0) {
    const hints = broken.map((result) => `${result.name}: ${result.hint ?? "cannot run"}`);
    askAboutGates(book, `A required gate cannot run (${hints.join("; ")})`);
  } else {
    const red = redGates(book.state);
    advance(
      book,
      red.length === 0 ? "success" : "fail",
      red.length === 0
        ? "gates are green on this tree"
        : `${red.join(", ")} failed on this tree; the critic was not asked`,
    );
  }
  return undefined;
}

/** Every result, with as much of its output as all of them leave room for. */
function shortened(results: CommandOf<"gates-ran">["results"]): CommandOf<"gates-ran">["results"] {
  const each = Math.floor(room.excerpts / Math.max(3, results.length));
  return results.map((result) => ({ ...result, excerpt: headAndTail(result.excerpt, each) }));
}

function askAboutGates(book: Book, what: string): void {
  book.write(
    "HUMAN_QUESTION",
    {
      question: `${what}. Mend it, then choose retry.`,
      kind: "gates",
      options: [{ key: "retry", does: "runs the gates again on the same tree" }],
    },
    { to: "human" },
  );
}
