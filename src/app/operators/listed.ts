// Lists of operators that others keep: the machine's owner in /etc, which wins where it is there, and the repository, read from a
// commit so that no bubble can change it for itself.
import { readFileSync, statSync } from "node:fs";
import { type OperatorKey, OperatorList } from "../../core/model/page/proof.ts";
import { check } from "../../core/model/value/validate.ts";
import { Failure } from "../../ports/failure.ts";
import { readYaml } from "../files/yaml.ts";
import { askGit } from "../host/git-questions.ts";
import { parseSoundKey } from "./kept.ts";

export const repositoryList = ".pairflow/operators.yaml";
export const machineList = "/etc/pairflow/operators.yaml";

/** Room for two hundred keys. */
const longest = 256 * 1024;

/** The list of the machine's owner; undefined when there is none, or when others could have written it. */
export function readMachineKeys(file = machineList): OperatorKey[] | undefined {
  try {
    const { uid, mode } = statSync(file);
    if (uid !== 0 || (mode & 0o022) !== 0) return undefined;
  } catch {
    return undefined;
  }
  return listKeysIn(readFileSync(file, "utf8"), file);
}

/** Those that a commit of the repository names; undefined: it has no such file. */
export async function readListedKeys(repo: string, commit: string): Promise<OperatorKey[] | undefined> {
  const where = `${commit.slice(0, 12)}:${repositoryList}`;
  const named = await askGit(repo, "ls-tree", "--name-only", "--full-tree", commit, "--", repositoryList);
  if (named === "") return undefined;
  const text = named && (await askGit(repo, "show", `${commit}:${repositoryList}`));
  if (text === undefined)
    throw new Failure("operators.unreadable", `${where} could not be read`, { retryable: true });
  return listKeysIn(text, where);
}

/** A list that cannot be read names nobody: it stops, it never lets through. */
function listKeysIn(text: string, file: string): OperatorKey[] {
  const read = check(OperatorList, readYaml(text, file, "operators.unreadable", longest).value);
  if (!read.ok) {
    const [issue] = read.issues;
    throw new Failure("operators.unreadable", `${file}: ${issue?.path.join(".")} ${issue?.message}`);
  }
  const wrong = read.value.operators.find((key) => !parseSoundKey(key));
  if (wrong)
    throw new Failure("operators.unreadable", `${file}: the fingerprint of ${wrong.name} is of another key`);
  return read.value.operators;
}
