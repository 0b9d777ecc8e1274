// A task from an issue: a file, standard input, or what GitHub's own CLI says about a number or an address. Nothing is fetched
// without that program, which has the person's login.
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createNodeProcesses } from "../../adapters/process/node.ts";
import { quoteShellWord } from "../../core/model/value/shell-word.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { buildIssueTask, parseIssueText } from "../../core/plan/issue.ts";
import { findProgram } from "../host/programs.ts";
import { buildUsageError } from "../host/usage.ts";

type Env = Readonly<Record<string, string | undefined>>;

const isOnGithub = (word: string): boolean => /^#?\d+$/.test(word) || /^https?:\/\/\S+$/.test(word);

/** `-` is standard input. */
export async function readIssue(word: string, cwd: string, env: Env): Promise<string> {
  if (word === "-") return parseIssueText(readFileSync(0, "utf8"));
  const path = resolve(cwd, word);
  if (existsSync(path)) return parseIssueText(readFileSync(path, "utf8"));
  if (isOnGithub(word)) return askGithub(word.replace("#", ""), cwd, env);
  throw buildUsageError(
    "task.no-issue",
    `--issue ${word}: there is no such file, and it is neither a number nor an address`,
    "pairflow create --issue 12, or --issue issue.md, or: gh issue view 12 | pairflow create --issue -",
  );
}

const passed = ["PATH", "HOME", "GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "GH_CONFIG_DIR", "XDG_CONFIG_HOME"];
const limitMs = 30_000;

async function askGithub(issue: string, cwd: string, env: Env): Promise<string> {
  if (!findProgram("gh", cwd))
    throw buildUsageError(
      "task.no-gh",
      "gh is not on the PATH, and nothing else is asked about an issue",
      "install it (https://cli.github.com), or copy the text: pairflow create --issue issue.md",
    );
  const kept = Object.fromEntries(passed.flatMap((name) => (env[name] ? [[name, env[name] as string]] : [])));
  const argv = ["gh", "issue", "view", issue, "--json", "title,body"];
  const { code, stdout, stderr } = await createNodeProcesses().exec(argv, {
    cwd,
    env: kept,
    timeoutMs: limitMs,
  });
  if (code !== 0)
    throw buildUsageError(
      "task.no-issue",
      `gh: ${stderr.trim().split("\n")[0] || `exit ${code}`}`,
      "gh auth status",
    );
  return buildIssueTask(readGithubAnswer(issue, stdout));
}

/** What stands for gh on this PATH may be anything: its answer is read as one that can be wrong. */
function readGithubAnswer(issue: string, answer: string): { readonly title: string; readonly body: string } {
  const read = tryOr(() => JSON.parse(answer) as unknown, undefined);
  const said: Readonly<Record<string, unknown>> =
    typeof read === "object" && read !== null ? { ...read } : {};
  if (typeof said.title === "string" && said.title.trim() !== "")
    return { title: said.title, body: typeof said.body === "string" ? said.body : "" };
  throw buildUsageError(
    "task.no-issue",
    `gh answered for issue ${issue}, and not with its title and text`,
    `gh issue view ${quoteShellWord(issue)} --json title,body`,
  );
}
