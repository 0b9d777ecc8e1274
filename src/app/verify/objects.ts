// Whether git has an object with everything it reaches. Loose objects are read and hashed, since a power cut leaves files
// that bear an object's name and not its bytes; what is in a pack was checked when the pack was made.
import { createNodeProcesses } from "../../adapters/process/node.ts";
import { findDamagedObject, isPartial } from "../../adapters/workspace/durable/objects.ts";
import { openRepo } from "../../adapters/workspace/location.ts";
import { pickGitEnv } from "../../adapters/workspace/plumbing/runner.ts";
import { buildGitCommand } from "../host/git-questions.ts";

const maxBytes = 256 * 1024 * 1024;

/** For each object that is not whole: why. */
export type MissingObjects = ReadonlyMap<string, string>;

/** Which of these commits and trees are not there with all their objects. History is not walked. */
export async function findMissingObjects(repo: string, ids: readonly string[]): Promise<MissingObjects> {
  if (ids.length === 0) return new Map();
  const together = await findProblem(repo, ids);
  if (together === undefined) return new Map();
  // Rare, and then it matters which.
  const found = new Map<string, string>();
  for (const id of ids) {
    const problem = await findProblem(repo, [id]);
    if (problem !== undefined) found.set(id, problem);
  }
  return found;
}

async function findProblem(repo: string, ids: readonly string[]): Promise<string | undefined> {
  const args = ["rev-list", "--no-walk", "--objects", "--no-object-names", "--missing=print", "--stdin"];
  const result = await runGitQuestion(repo, args, ids.join("\n"));
  if (result.code !== 0)
    return `git cannot read ${ids.map(shortenId).join(", ")}: ${getFirstLine(result.stderr)}`;
  const listed = result.stdout.split("\n").filter((id) => id !== "");
  const { gitDir } = openRepo(repo);
  const gone = listed.find((id) => id.startsWith("?"));
  if (gone !== undefined && !isPartial(gitDir))
    return `git has no object ${gone.slice(1)}, which it rests on`;
  const damaged = await findDamagedObject(gitDir, listed);
  return damaged === undefined ? undefined : `${damaged} is not the object its name stands for`;
}

/** The bubble's refs, by name. */
export async function readBubbleRefs(
  repo: string,
  bubble: string,
  branch: string,
): Promise<Map<string, string>> {
  const wanted = [`refs/pairflow/${bubble}/`, `refs/heads/${branch}`];
  const { stdout } = await runGitQuestion(repo, [
    "for-each-ref",
    "--format=%(refname) %(objectname)",
    ...wanted,
  ]);
  const rows = stdout.split("\n").filter((line) => line !== "");
  return new Map(rows.map((line) => line.split(" ") as [string, string]));
}

/** What git prints, whatever its end. */
export function runGitQuestion(repo: string, args: readonly string[], input = "") {
  return createNodeProcesses().exec(buildGitCommand(repo, ...args), {
    env: pickGitEnv(process.env),
    input,
    maxBytes,
    timeoutMs: 600_000,
  });
}

const shortenId = (id: string) => id.slice(0, 12);
const getFirstLine = (text: string) => text.trim().split("\n")[0] ?? "";
