// The stage of one review: a throw-away repository with a bubble in it. An author that follows a script hands the change
// over; nothing the reviewer can see says whether a defect is in it.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Case } from "../../core/measure/case.ts";
import { completeConfigValues } from "../config/bubble-file.ts";
import { runGitInOwn } from "../host/own-repository.ts";
import { keepUserFolderIn } from "../host/user-folder.ts";
import { makeBubble } from "../making/make.ts";
import { confirmOwnPrograms } from "../trust/confirm.ts";
import type { OperatorCall } from "../trust/operator-call.ts";
import { createWorld } from "../world/world.ts";
import type { CaseSet } from "./case-set.ts";
import type { Reviewer } from "./reviewer.ts";

/** Makes repository and bubble below an empty folder. The bubble is called after the change, in every variant. */
export async function stage(
  folder: string,
  set: CaseSet,
  one: Case,
  reviewer: Reviewer,
): Promise<OperatorCall> {
  const repo = join(folder, "stall");
  writeAll(repo, set.repository);
  await makeFirstCommit(repo);
  const script = join(folder, "author.json");
  writeFileSync(script, JSON.stringify(buildHandover(one)));
  keepUserFolderIn(folder);
  const world = createWorld(repo, "process");
  const config = buildConfig({ repo, script }, one, reviewer);
  const profile = {
    gates: [{ name: "test", command: "node --test", required: true, timeout_seconds: 300 }],
    source: "package.json",
    confirmed: true,
  };
  await confirmOwnPrograms(world, { config, gates: profile.gates });
  const { refusal } = await makeBubble(world, {
    config,
    profile,
    task: { title: one.title, text: `# ${one.title}\n\n${one.task}`, criteria: [] },
    baseCommit: await world.workspace.resolve(repo, "main"),
  });
  if (refusal) throw refusal;
  return { world, bubble: one.change, via: "cli" };
}

function buildConfig(place: { repo: string; script: string }, one: Case, reviewer: Reviewer) {
  const { agent, settings, review, minutes } = reviewer;
  const author = agent === "author" ? "implementer" : "author";
  return completeConfigValues({
    id: one.change,
    repo_path: place.repo,
    base_branch: "main",
    bubble_branch: `bubble/${one.change}`,
    agents: { implementer: author, reviewer: agent },
    agent: { [author]: { adapter: "scripted", script: place.script }, [agent]: settings },
    // The first review is the whole of it: with one round the bubble waits for a human behind it.
    max_rounds: 1,
    // The author needs moments, and the reviewer is stopped when its own time is over.
    watchdog_timeout_minutes: minutes + 5,
    turn_timeout_minutes: minutes + 5,
    wait_for_quota: false,
    notifications: { enabled: false },
    ...(review === undefined ? {} : { review }),
  });
}

/** The author's script: the files as they shall be, and a whole package. */
function buildHandover({ title, files }: Case) {
  const writes = Object.entries(files).map(([path, text]) => ({ write: { path, text } }));
  const pass = {
    summary: title,
    what: title,
    why: "As the task says",
    risks: "None known",
    test_plan: "node --test",
    commit_message: title,
  };
  return { turns: [{ role: "implementer", steps: [...writes, { pass }] }] };
}

function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

async function makeFirstCommit(repo: string): Promise<void> {
  await runGit(repo, "init", "-q", "-b", "main");
  writeAll(join(repo, ".git", "info"), { exclude: ".pairflow/\n" });
  await runGit(repo, "config", "user.name", "Stall");
  await runGit(repo, "config", "user.email", "stall@localhost");
  await runGit(repo, "config", "commit.gpgsign", "false");
  await runGit(repo, "add", "-A");
  await runGit(repo, "commit", "-q", "--no-verify", "-m", "Stall 0.4");
}

const runGit = (repo: string, ...args: string[]) => runGitInOwn(repo, args, "bench.git");
