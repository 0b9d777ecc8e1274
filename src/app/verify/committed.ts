// The one commit of a bubble, as git has it: the approved tree, on the base, with the message of the package.
import type { RecordProblem } from "./chain.ts";
import type { ApprovedCommit, GitNames } from "./named-in-git.ts";
import { findMissingObjects, type MissingObjects, runGitQuestion } from "./objects.ts";

export async function checkCommitted(
  repo: string,
  { committed, pins }: GitNames,
  refs: ReadonlyMap<string, string>,
  missing: MissingObjects,
): Promise<{ errors: RecordProblem[]; notes: RecordProblem[] }> {
  if (!committed) return { errors: [], notes: [] };
  const { seq, commit, tree, branch } = committed;
  const where = `message ${seq} (COMMITTED)`;
  const lost = (await findMissingObjects(repo, [commit])).get(commit);
  const tip = refs.get(`refs/heads/${branch}`);
  if (lost === undefined) return compareCommit(repo, committed, tip);
  // Deleted with its branch after a squash merge, say, and then swept away; the approved tree is pinned all the same.
  const isPinned = pins.some((pin) => pin.tree === tree && !missing.has(tree));
  if (tip === undefined && isPinned) {
    const note = `${where}: the branch ${branch} was deleted and its commit ${commit.slice(0, 12)} swept away; the approved tree is still pinned`;
    return { errors: [], notes: [{ message: note }] };
  }
  return { errors: [{ message: `${where}: ${lost}` }], notes: [] };
}

async function compareCommit(
  repo: string,
  { seq, commit, tree, branch, parent, message }: ApprovedCommit,
  tip: string | undefined,
): Promise<{ errors: RecordProblem[]; notes: RecordProblem[] }> {
  const where = `message ${seq} (COMMITTED)`;
  const { stdout } = await runGitQuestion(repo, [
    "log",
    "-1",
    "--encoding=UTF-8",
    "--format=%T%x00%P%x00%B",
    commit,
  ]);
  const [hasTree, hasParent, hasMessage = ""] = stdout.split("\0");
  const wrong = [
    ...(hasTree === tree ? [] : [`has the tree ${hasTree} instead of the approved ${tree}`]),
    ...(hasParent === parent ? [] : [`stands on ${hasParent || "nothing"} instead of the base ${parent}`]),
    ...(hasMessage.trimEnd() === message.trimEnd() ? [] : ["has another message than the package"]),
  ];
  const errors = wrong.map((what) => ({ message: `${where}: the commit ${commit.slice(0, 12)} ${what}` }));
  return { errors, notes: await noteBranch(repo, { where, commit, branch, tip }) };
}

/** What became of the branch is a person's business, and worth knowing. */
async function noteBranch(
  repo: string,
  { where, commit, branch, tip }: { where: string; commit: string; branch: string; tip: string | undefined },
): Promise<RecordProblem[]> {
  if (tip === commit) return [];
  if (tip === undefined)
    return [{ message: `${where}: the branch ${branch} was deleted since; its commit is still there` }];
  const { code } = await runGitQuestion(repo, ["merge-base", "--is-ancestor", commit, tip]);
  const how = code === 0 ? "has more commits since" : "was moved away from the commit since";
  return [{ message: `${where}: the branch ${branch} ${how}` }];
}
