// The names of bubbles: which are taken by a record or a branch, the next free one, and what children and successors are
// called.
import type { BubbleConfig } from "../../core/model/config.ts";
import { type Refusal, refuse } from "../../core/model/refusal.ts";
import { incrementSlug, slugifyTitle } from "../../core/plan/slug.ts";
import type { World } from "../../engine/front/world.ts";
import type { Hash } from "../../ports/system/clock.ts";
import { askGit } from "../host/git-questions.ts";
import { loadWhole } from "../record/whole.ts";

type BranchedConfig = Pick<BubbleConfig, "id" | "repo_path" | "bubble_branch">;

/** A folder without a first line was left by a creation that was cut off: it is adopted, not in the way. */
export async function isTaken(world: World, id: string): Promise<boolean> {
  if (!(await world.records.exists(id))) return false;
  const { state } = await loadWhole(world, world.repo, id);
  return state !== undefined;
}

export const refuseExisting = (id: string): Refusal =>
  refuse("bubble.exists", `bubble ${id} exists already`, `pairflow bubble status --id ${id}`);

/** Our own pin beside a branch means that it is the bubble's. */
export async function isBranchTaken({ id, repo_path, bubble_branch }: BranchedConfig): Promise<boolean> {
  const has = (ref: string) => askGit(repo_path, "rev-parse", "--verify", "--quiet", ref);
  return Boolean(await has(`refs/heads/${bubble_branch}`)) && !(await has(`refs/pairflow/${id}/base`));
}

/** The branch must be free now, or the bubble could never start. */
export async function checkBranch(config: BranchedConfig): Promise<void> {
  if (!(await isBranchTaken(config))) return;
  const { bubble_branch } = config;
  throw refuse(
    "workspace.branch-taken",
    `there is already a branch ${bubble_branch}`,
    `choose another id, or: git branch -m ${bubble_branch} ${bubble_branch}-old`,
  );
}

/** This name, or the next one with a number that neither a record nor a branch has. */
export async function findFreeName(world: World, name: string): Promise<string> {
  const passed = new Set<string>();
  for (let id = name; ; id = incrementSlug(name, (one) => passed.has(one))) {
    const branch = { id, repo_path: world.repo, bubble_branch: `bubble/${id}` };
    // What cannot be read is somebody's all the same.
    const isRecord = await isTaken(world, id).catch(() => true);
    if (!isRecord && !(await isBranchTaken(branch))) return id;
    passed.add(id);
  }
}

/** Short enough to be typed, and to stand in a list beside a title. */
const mostOfName = 32;

/** A free name made from words. Words without a single Latin letter or digit make none: then it is `otherwise`. */
export function nameAfterWords(world: World, words: string, otherwise: string): Promise<string> {
  const hasLetters = /[a-z0-9]/i.test(words.normalize("NFKD"));
  return findFreeName(world, hasLetters ? slugifyTitle(words, mostOfName) : otherwise);
}

/** The artifact that says which wish of another bubble made this one. */
export const startedByName = "started-by.json";

const longest = 63;
const tries = 99;

/** Ids to try one after the other: <name>, <name>-2, <name>-3 … */
export function* generateSiblingIds(name: string, hash: Hash): Generator<string> {
  const plain = name.replace(/[^a-z0-9_-]+/gi, "-");
  for (let n = 1; n <= tries; n++) yield shortenName(n === 1 ? plain : `${plain}-${n}`, hash);
}

/** A name that is too long is cut, and told apart by its hash. */
function shortenName(name: string, hash: Hash): string {
  if (name.length <= longest) return name;
  const mark = hash.sha256(name).slice(0, 8);
  return `${name.slice(0, longest - mark.length - 1)}-${mark}`;
}
