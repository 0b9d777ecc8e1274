// Claim: no command of the product starts a program that the repository's or the user's git configuration names, from
// the first look at a repository to the deletion of a finished bubble.
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { rig, shortest } from "../acceptance/rig.ts";
import { bubble, configure } from "../cli/gates-scene.ts";
import { layTraps, trapAttributes, trapConfig, trapRepository } from "./traps.ts";

const tool = rig({ files: { "src/a.js": "good\n", "b.txt": "good\n", ".gitattributes": trapAttributes } });
configure(tool, 'gates: { additional: [{ name: ok, command: "true" }] }');
afterAll(() => tool.close());

const traps = layTraps(join(tool.folder, "traps"));
const key = ["--operator-key", tool.key];

it("in a repository and for a user whose configuration names one under every key", {
  timeout: 240_000,
}, async () => {
  trapRepository(join(tool.repo, ".git"), traps);
  appendFileSync(join(tool.folder, "home", ".gitconfig"), trapConfig(traps, "user"));
  // Files that differ from the index make git read them, through a filter if it had its way.
  writeFileSync(join(tool.repo, "b.txt"), "good and new\n");
  writeFileSync(join(tool.repo, "src", "a.js"), "good and new\n");
  const sprung = new Map<string, string[]>();
  let seen = 0;
  const look = (what: string) => {
    const all = traps.sprung();
    if (all.length > seen) sprung.set(what, all.slice(seen));
    seen = all.length;
  };
  const runs = async (...args: string[]) => {
    await tool.run(...args);
    look(args.join(" "));
  };
  await runs();
  await runs("doctor");
  await runs("init");
  await runs("sop", "list");
  await runs("conventions", "list");
  await runs("bubble", "create", "--id", "asked", "--task", "x", "--yes");
  await bubble(tool, "whole", shortest);
  look("a whole bubble");
  for (const words of ["bubble status", "bubble inbox", "log", "explain", "verify"])
    await runs(...words.split(" "), "--id", "whole");
  await runs("bubble", "list");
  await runs("bubble", "approve", "--id", "whole", "--yes", ...key);
  await runs("bubble", "commit", "--id", "whole", ...key);
  await runs("bubble", "delete", "--id", "whole", "--yes", ...key);
  await runs("workflow", "run", "pair", "--dry-run");
  await runs("demo", "--yes");
  expect(Object.fromEntries(sprung)).toEqual({});
  expect(tool.log("whole").at(-1)?.type).toBe("FINISHED");
});
