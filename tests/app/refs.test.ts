// The files that a claim may refer to.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resolveHandedRefs } from "../../src/app/caller/refs.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pairflow-refs-"));
  mkdirSync(join(folder, "work", "src"), { recursive: true });
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes", "a.md"), "a\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("a file outside the worktree is handed over with its content", () => {
  const work = join(folder, "work");
  expect(resolveHandedRefs(["../notes/a.md"], work, work)).toEqual([{ name: "a.md", base64: "YQo=" }]);
});

it.each(["src", "../notes"])("a folder is refused: %s", (ref) => {
  const work = join(folder, "work");
  const refusal = { code: "ref.not-found", message: `${ref} is not a file` };
  expect(() => resolveHandedRefs([ref], work, work)).toThrow(expect.objectContaining(refusal));
});
