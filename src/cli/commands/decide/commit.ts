// pairflow bubble commit: writes the approved tree as one commit on the bubble's branch; never pushes.
import { writeFileSync } from "node:fs";
import { askGit } from "../../../app/host/git-questions.ts";
import { buildUsageError } from "../../../app/host/usage.ts";
import { commitBubble } from "../../../app/operate/sign.ts";
import type { OperatorCall } from "../../../app/trust/operator-call.ts";
import type { State } from "../../../core/model/state.ts";
import { quoteShellWord } from "../../../core/model/value/shell-word.ts";
import { buildPackageView } from "../../../core/signing/package.ts";
import { buildPullRequest } from "../../../core/signing/pull-request.ts";
import { grantFlags, openGrantingCall } from "../../operator/operator-call.ts";
import { defineVerb } from "../../verb/declaration.ts";

export const bubbleCommit = defineVerb({
  words: "bubble commit",
  also: ["commit"],
  about: "Commit exactly the approved tree on the bubble's branch",
  access: "granting",
  suits: ["APPROVED_FOR_COMMIT"],
  example: "pairflow bubble commit --id fix-cart",
  flags: {
    ...grantFlags,
    "override-scope": {
      kind: "switch",
      about: "commit although files are outside the bubble's scope (recorded)",
    },
    pr: {
      kind: "switch",
      about: "also write the text of a pull request, and say what to type for it; nothing is pushed",
    },
    reason: { kind: "text", value: '"<text>"', about: "with --override-scope: why" },
  },
  async run(shell, { flags }) {
    if (flags["override-scope"] && !flags.reason)
      throw buildUsageError(
        "usage.missing-flag",
        "--override-scope needs --reason",
        "pairflow bubble commit --help",
      );
    const call = await openGrantingCall(shell, flags);
    const done = await commitBubble(
      call,
      flags["override-scope"] ? { reason: flags.reason ?? "" } : undefined,
    );
    if (done.refusal) return { refusal: done.refusal };
    const branch = done.state?.commit?.branch ?? "";
    const said = done.repeats === undefined ? "Committed" : "Already committed";
    const repeated = done.repeats !== undefined;
    const request = flags.pr && done.state ? await writePullRequest(call, done.state) : undefined;
    const next = request
      ? ["Next", ...request.commands.map((line) => `  ${line}`)]
      : [`Next: ${await suggestMerge(call, branch, done.state)}`];
    return {
      text: [`${said} ${done.commit?.slice(0, 10)} on ${branch} (not pushed)`, ...next].join("\n"),
      json: {
        ...{ bubble: call.bubble, commit: done.commit, branch, repeated },
        ...(request ? { pull_request: request } : {}),
      },
    };
  },
});

/** What to type in the checkout that this is typed in. */
async function suggestMerge(call: OperatorCall, branch: string, state: State | undefined): Promise<string> {
  const base = state?.config.base_branch ?? "";
  const here = await askGit(call.world.repo, "symbolic-ref", "--short", "HEAD");
  return `${here === base || base === "" ? "" : `git switch ${base} && `}git merge ${branch}`;
}

/** The text beside the bubble's other files, and the two commands that a person gives. */
async function writePullRequest({ world, bubble }: OperatorCall, state: State) {
  const { title, body } = buildPullRequest(buildPackageView(state));
  const file = world.paths.output(bubble, "pull-request.md");
  writeFileSync(file, body);
  const { base_branch: base, bubble_branch: branch } = state.config;
  return {
    title,
    file,
    commands: [
      ...(await suggestPush(world.repo, base, branch)),
      `gh pr create --base ${base} --head ${branch} --title ${quoteShellWord(title)} --body-file ${quoteShellWord(file)}`,
    ],
  };
}

/** To where the base branch comes from; a repository that knows no other one is told of it first. */
async function suggestPush(repo: string, base: string, branch: string): Promise<string[]> {
  const remotes = ((await askGit(repo, "remote")) ?? "").split("\n").filter(Boolean);
  const ofBase = await askGit(repo, "config", `branch.${base}.remote`);
  const known = [ofBase, "origin", ...remotes].find((name) => name !== undefined && remotes.includes(name));
  const add = known === undefined ? ["git remote add origin <address of the repository>"] : [];
  return [...add, `git push -u ${quoteShellWord(known ?? "origin")} ${branch}`];
}
