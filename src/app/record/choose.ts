// The bubble that a command is about when its line names none: the one of the current folder, or the one that the rule
// of core/views chooses from all of them.
import { refuse } from "../../core/model/refusal.ts";
import {
  type Candidate,
  type ChoiceQuery,
  chooseBubble,
  whichBubble,
} from "../../core/views/bubble/choice.ts";
import { findBubbleHere, requireRepo } from "../host/locate.ts";
import { type ListedBubble, listBubbles } from "./listing.ts";
import { createRecordWorld } from "./world.ts";

export interface ChoiceRequest extends ChoiceQuery {
  readonly repo?: string | undefined;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command without its flags, for the line that names a bubble. */
  readonly command: string;
}

export interface ChosenBubble {
  readonly id: string;
  readonly because: string;
}

/** Undefined when the environment of a turn names the bubble. */
export async function chooseUnnamed(request: ChoiceRequest): Promise<ChosenBubble | undefined> {
  if (request.env.PAIRFLOW_BUBBLE) return undefined;
  const repo = requireRepo(request.repo, request.cwd, request.env);
  const here = findBubbleHere(repo, request.cwd);
  if (here !== undefined) return { id: here, because: "this folder is its worktree" };
  const candidates = (await listBubbles(createRecordWorld(repo))).map(toCandidate);
  const choice = chooseBubble(candidates, request);
  if (choice.id !== undefined) return choice;
  throw refuseToGuess(choice.among, choice.problem, request.command);
}

const toCandidate = ({ id, summary }: ListedBubble): Candidate => ({
  id,
  state: summary?.state ?? null,
  inbox: summary?.inbox ?? 0,
  title: summary?.title ?? "",
  isChild: summary?.parent !== undefined,
});

/** As many as a person reads; the list has the rest. */
const mostShown = 8;

function refuseToGuess(among: readonly Candidate[], problem: string, command: string) {
  const [first] = among;
  if (!first)
    return refuse(
      "bubble.none",
      "there is no bubble in this repository yet",
      'pairflow bubble create --task "what is to be done"',
    );
  const width = Math.max(...among.map(({ id }) => id.length));
  const lines = among
    .slice(0, mostShown)
    .map(({ id, state, title }) => `${id.padEnd(width)}  ${state ?? "UNREADABLE"}  ${title}`.trimEnd());
  const more = among.length - lines.length;
  // Where none suits the command, a line that names one would be refused too; the first screen has the right one for each.
  const hint = problem === whichBubble ? `pairflow ${command} ${first.id}` : "pairflow";
  return refuse("bubble.not-given", problem, hint, [
    ...lines,
    ...(more > 0 ? [`and ${more} more: pairflow bubble list`] : []),
  ]);
}
