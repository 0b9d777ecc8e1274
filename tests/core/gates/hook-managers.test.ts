// Hooks of a repository that nobody has installed in this checkout: said when a bubble is made, with the command.
import { describe, expect, it } from "vitest";
import { noteMissingHooks } from "../../../src/core/gates/detect/hook-managers.ts";

describe("hooks that a repository brings along", () => {
  it("are named with the command that installs them while there is none", () => {
    expect(noteMissingHooks(["package.json", ".husky/pre-commit"], [])).toEqual([
      "hooks of husky (.husky/pre-commit) are not installed in this checkout and do not run: npx husky",
    ]);
    expect(noteMissingHooks([".pre-commit-config.yaml"], [])).toEqual([
      expect.stringMatching(/: pre-commit install$/),
    ]);
    expect(noteMissingHooks(["lefthook.yml"], [])).toEqual([expect.stringMatching(/: lefthook install$/)]);
  });

  it("are not, once a hook is installed, or where only a hook of a push or a folder below has one", () => {
    expect(noteMissingHooks([".husky/pre-commit"], ["pre-commit"])).toEqual([]);
    expect(noteMissingHooks([".husky/pre-push", "samples/lefthook.yml"], [])).toEqual([]);
  });
});
