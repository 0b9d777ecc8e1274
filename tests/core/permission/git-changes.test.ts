// Which changes of git settings ask a human: everything that is not on the closed list of harmless ones.
import { describe, expect, it } from "vitest";
import { compareGitSettings, describeMoves } from "../../../src/core/permission/git/changes.ts";

const none = { settings: {}, files: {} };
const with_ = (settings: Record<string, string>, files: Record<string, string> = {}) => ({ settings, files });

describe("a human is asked", () => {
  it.each([
    ...["core.fsmonitor", "core.hookspath", "core.attributesfile", "core.excludesfile", "core.sshcommand"],
    ...["filter.x.clean", "diff.x.textconv", "merge.x.driver", "alias.st", "include.path", "url.x.insteadof"],
    ...[
      "credential.helper",
      "gpg.program",
      "remote.origin.uploadpack",
      "branch.main.mergeoptions",
      "protocol.allow",
    ],
    ...[
      "submodule.x.update",
      "something.new",
      "extensions.partialclone",
      "core.pager",
      "clone: filter.x.clean",
    ],
  ])("when %s is added", (key) => {
    expect(compareGitSettings(none, with_({ [key]: "1" }))).toEqual({ asks: [`${key} added`], harmless: [] });
  });

  it("when a known remote gets another address, and not when a remote is added", () => {
    const key = "remote.origin.url";
    expect(compareGitSettings(with_({ [key]: "1" }), with_({ [key]: "2" })).asks).toEqual([`${key} changed`]);
    expect(compareGitSettings(none, with_({ [key]: "1" }))).toEqual({ asks: [], harmless: [`${key} added`] });
  });

  it("when a hook, an exclude or attributes appear, change or go", () => {
    const before = with_({}, { "hooks/pre-commit": "1", "info/exclude": "1" });
    const now = with_({}, { "hooks/pre-commit": "2", "info/attributes": "1" });
    expect(compareGitSettings(before, now).asks).toEqual([
      "hooks/pre-commit changed",
      "info/attributes added",
      "info/exclude removed",
    ]);
  });
});

it.each(["user.name", "user.email", "remote.up.fetch", "branch.main.remote", "push.default", "pull.rebase"])(
  "a person's own %s stops nothing",
  (key) => {
    const change = compareGitSettings(with_({ [key]: "1" }), with_({ [key]: "2" }));
    expect(change).toEqual({ asks: [], harmless: [`${key} changed`] });
  },
);

it("branches that moved, came and went are told with their commits, those of bubbles are not", () => {
  const before = { "refs/heads/main": "a".repeat(40), "refs/heads/old": "b".repeat(40) };
  const now = {
    "refs/heads/main": "c".repeat(40),
    "refs/heads/new": "d".repeat(40),
    "refs/heads/bubble/x": "e",
  };
  expect(describeMoves(before, now)).toEqual([
    "branch main moved from aaaaaaaaaaaa to cccccccccccc",
    "branch new was made at dddddddddddd",
    "branch old was deleted (it was at bbbbbbbbbbbb)",
  ]);
});
