// The commit that a bubble began with, for a clone that lacks it: one bundle with its whole history, made when somebody asks for it by
// the first machine that has it and hears of the wish, and named by the commit, so that all bubbles of that base share it.
import { readFileSync } from "node:fs";
import { Failure } from "../../../ports/failure.ts";
import type { Travel } from "../../../ports/record/travel.ts";
import type { Blobs } from "../../../ports/system/blobs.ts";
import { openRepo } from "../location.ts";
import { localOnly } from "../plumbing/refs.ts";
import { type Kit, runGit, runGitLine, tryGit } from "../plumbing/runner.ts";
import { lendBundleFile } from "./file.ts";
import { hasCommit } from "./pins.ts";

/** No bubble has such a name. */
export const baseFolder = "~base";
const nameBase = (commit: string) => `${baseFolder}/${commit}.bundle`;
export const nameWish = (commit: string): string => `${baseFolder}/${commit}.wanted`;
/** What the commit is called inside of the bundle; it stands in no clone for longer than that takes. */
const nameBaseRef = (commit: string) => `refs/pairflow-base/${commit}`;

export function createBases(kit: Kit, blobs: Blobs): Pick<Travel, "fetchBase" | "sendWantedBase"> {
  return {
    async fetchBase(place) {
      const { repo, baseCommit } = place;
      if (await hasCommit(kit, place, baseCommit)) return true;
      const bytes = await blobs.get(nameBase(baseCommit));
      if (!bytes) {
        await blobs.put(nameWish(baseCommit), Buffer.from("wanted"));
        return false;
      }
      await lendBundleFile(bytes, (file) => readBase(kit, repo, baseCommit, file));
      if (await hasCommit(kit, place, baseCommit)) return true;
      throw toDamagedBase(baseCommit);
    },
    async sendWantedBase(place) {
      const { repo, baseCommit } = place;
      const isOpen = (await blobs.has(nameWish(baseCommit))) && !(await blobs.has(nameBase(baseCommit)));
      if (!isOpen || !(await hasCommit(kit, place, baseCommit)) || (await isShallow(kit, repo))) return;
      await blobs.put(nameBase(baseCommit), await writeBase(kit, repo, baseCommit));
    },
  };
}

/** A clone without its whole history has nothing whole to send. */
const isShallow = async (kit: Kit, repo: string): Promise<boolean> =>
  (await runGitLine(kit, openRepo(repo), ["rev-parse", "--is-shallow-repository"])) === "true";

async function writeBase(kit: Kit, repo: string, commit: string): Promise<Buffer> {
  const home = openRepo(repo);
  const ref = nameBaseRef(commit);
  await runGit(kit, home, ["update-ref", ref, commit]);
  try {
    return await lendBundleFile(new Uint8Array(), async (file) => {
      await runGit(kit, home, ["-c", "pack.threads=1", "bundle", "create", "--quiet", file, ref]);
      return readFileSync(file);
    });
  } finally {
    await runGit(kit, home, ["update-ref", "-d", ref]);
  }
}

/** Brings the objects in, synced; no ref changes. The bubble's own pins hold them as soon as it is prepared. */
async function readBase(kit: Kit, repo: string, commit: string, file: string): Promise<void> {
  const plain = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  const args = ["-c", "core.fsync=committed", "fetch", ...plain, file, nameBaseRef(commit)];
  const { code } = await tryGit(kit, openRepo(repo), args, { env: localOnly });
  if (code !== 0) throw toDamagedBase(commit);
}

const toDamagedBase = (commit: string): Failure =>
  new Failure("travel.damaged", `What was sent of the base commit ${commit} is not that commit.`, {
    hint: "git fetch --all    # in this clone, so that nothing needs to be sent",
  });
