// Pinned commits as git bundles in a store of blobs. A bundle holds what is new since the base commit; the clone of another
// machine has the rest, or is told that it lacks it. The same commit gives the same bundle, and its name is the commit's.
import { readFileSync } from "node:fs";
import type { CrashPoint } from "../../../ports/crash-point.ts";
import { Failure } from "../../../ports/failure.ts";
import type { Travel, TravellingPin } from "../../../ports/record/travel.ts";
import type { Blobs } from "../../../ports/system/blobs.ts";
import type { Processes } from "../../../ports/system/process.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { openRepo } from "../location.ts";
import { localOnly, readRefs, setRefs } from "../plumbing/refs.ts";
import { type Kit, pickGitEnv, runGit, tryGit } from "../plumbing/runner.ts";
import { baseFolder, createBases, nameWish } from "./bases.ts";
import { lendBundleFile } from "./file.ts";
import { checkPin, requirePinned, toBaseMissing, toUnknownPin } from "./pins.ts";

export interface BundleTravelOptions {
  readonly processes: Processes;
  readonly runtimeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly blobs: Blobs;
  readonly crashPoint?: CrashPoint;
}

/** Travel over blobs; keeps V1–V4. */
export function createBundleTravel(options: BundleTravelOptions): Travel {
  const { processes, runtimeDir, blobs, crashPoint = () => {} } = options;
  const kit: Kit = { processes, runtimeDir, env: pickGitEnv(options.env), crashPoint };
  const nameOf = ({ bubble }: WorkspacePlace, { commit }: TravellingPin) => `${bubble}/${commit}.bundle`;

  return {
    async publish(place, pin) {
      checkPin(place, pin);
      if (await blobs.has(nameOf(place, pin))) return;
      await blobs.put(nameOf(place, pin), await writeBundle(kit, place, pin));
    },
    async fetch(place, pin) {
      checkPin(place, pin);
      const repo = openRepo(place.repo);
      if ((await readRefs(kit, repo, [pin.ref])).get(pin.ref) === pin.commit) return;
      const bytes = await blobs.get(nameOf(place, pin));
      if (!bytes) throw toUnknownPin(place, pin);
      await lendBundleFile(bytes, (file) => readBundle(kit, place, pin, file));
      await setRefs(kit, repo, place, [{ ref: pin.ref, to: pin.commit }]);
    },
    ...createBases(kit, blobs),
    async listSent() {
      return (await blobs.list()).flatMap(({ name, at }) => {
        const [, bubble, commit] = /^(.+)\/([0-9a-f]{40,64})\.bundle$/.exec(name) ?? [];
        if (!commit) return [];
        return [bubble === baseFolder ? { commit, at } : { ...(bubble ? { bubble } : {}), commit, at }];
      });
    },
    async takeBack({ bubble, commit }) {
      await blobs.remove(`${bubble ?? baseFolder}/${commit}.bundle`);
      // Who still lacks it asks again.
      if (bubble === undefined) await blobs.remove(nameWish(commit));
    },
  };
}

async function writeBundle(kit: Kit, place: WorkspacePlace, pin: TravellingPin): Promise<Buffer> {
  const repo = openRepo(place.repo);
  await requirePinned(kit, place, pin);
  return lendBundleFile(new Uint8Array(), async (file) => {
    // One thread, so that the same commit is the same bytes everywhere.
    const args = ["-c", "pack.threads=1", "bundle", "create", "--quiet", file, pin.ref];
    await runGit(kit, repo, [...args, `^${place.baseCommit}`]);
    return readFileSync(file);
  });
}

/** Brings the objects in; no ref changes. */
async function readBundle(kit: Kit, place: WorkspacePlace, pin: TravellingPin, file: string): Promise<void> {
  const repo = openRepo(place.repo);
  const plain = ["--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"];
  const done = await tryGit(kit, repo, ["fetch", ...plain, file, pin.ref], { env: localOnly });
  if (done.code !== 0 && /lacks these prerequisite commits/.test(done.stderr)) throw toBaseMissing(place);
  const found = await tryGit(kit, repo, ["cat-file", "-t", pin.commit]);
  if (done.code === 0 && found.stdout.trim() === "commit") return;
  throw new Failure(
    "travel.damaged",
    `What was published of ${pin.commit} is not that commit: ${done.stderr.trim()}`,
    { hint: "The host that made it can publish it again once the stored bundle is removed." },
  );
}
