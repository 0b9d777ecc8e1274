// Objects of git made durable before a ref or a line of the record names them: those that were just written, and those
// that an agent's own git wrote without syncing and that were found already there. Each is also read and hashed, since
// a power cut leaves files that bear an object's name and not its bytes.
import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { type FileHandle, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { createInflate, inflateSync } from "node:zlib";
import { Failure } from "../../../ports/failure.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { listNames } from "../../disk/files.ts";
import { getCommonDir } from "../plumbing/private-git.ts";
import { type Dirs, type Kit, runGit } from "../plumbing/runner.ts";
import { listYoungFiles, runInParallel, syncAll, syncPath, toNotDurable } from "./files.ts";

/** Objects up to this size are hashed in one go. */
const smallBytes = 1_000_000;

/**
 * What these commits or trees reach. What the base and the newest pin reach is left out, since it is durable already:
 * creation and the pin before this one saw to it. Throws Failure `git.object-gone`.
 */
export async function listNewObjects(
  kit: Kit,
  dirs: Dirs & { readonly gitDir: string },
  place: Pick<WorkspacePlace, "baseCommit" | "bubble">,
  roots: readonly string[],
): Promise<string[]> {
  const wanted = [...new Set(roots)].filter((root) => root !== place.baseCommit);
  if (wanted.length === 0) return [];
  // A glob, because the newest pin may not be there yet, and a name that is not there is an error.
  const known = [place.baseCommit, `--glob=refs/pairflow/${place.bubble}/lates[t]`];
  const args = ["--objects", "--no-object-names", "--missing=print", ...wanted, "--not", ...known];
  const listed = (await runGit(kit, dirs, ["rev-list", ...args])).split("\n").filter((id) => id !== "");
  const missing = listed.filter((id) => id.startsWith("?"));
  if (missing.length > 0 && !isPartial(dirs.gitDir)) throw toObjectGone(missing[0]?.slice(1) ?? "");
  return listed.filter((id) => !id.startsWith("?"));
}

/** Makes these objects durable. */
export async function syncNewObjects(
  kit: Kit,
  dirs: Dirs & { readonly gitDir: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await syncListed(listStoresIn(dirs.gitDir), ids);
  kit.crashPoint("git.objects.synced");
}

/** Makes durable whatever was written to the object store lately: what a commit of the user's own rests on. */
export async function syncYoung(gitDir: string): Promise<void> {
  const now = Date.now();
  for (const store of listStoresIn(gitDir)) {
    const folders = listNames(store).filter((name) => name === "pack" || /^[0-9a-f]{2}$/.test(name));
    const young = folders.flatMap((name) => listYoungFiles(join(store, name), now));
    await syncAll(young);
    if (young.length > 0) await syncAll([...young.map((path) => dirname(path)), store]);
  }
}

async function syncListed(stores: readonly string[], ids: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  let arePacked = false;
  await runInParallel(ids, async (id) => {
    const store = await syncLoose(stores, id);
    if (store === undefined) arePacked = true;
    else folders.add(join(store, id.slice(0, 2))).add(store);
  });
  const packs = arePacked ? stores.map((store) => join(store, "pack")) : [];
  const now = Date.now();
  await syncAll(packs.flatMap((folder) => listYoungFiles(folder, now)));
  await syncAll([...folders, ...packs]);
}

/** The store in which the object lies loose, or undefined: then it is in a pack. */
async function syncLoose(stores: readonly string[], id: string): Promise<string | undefined> {
  for (const store of stores) {
    const path = join(store, id.slice(0, 2), id.slice(2));
    if (await syncObject(path, id)) return store;
  }
  return undefined;
}

async function syncObject(path: string, id: string): Promise<boolean> {
  try {
    if (!(await syncPath(path))) return false;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    // After a sync that failed, another one of the same file proves nothing: its bytes are written anew.
    await writeAnew(path, id);
    return true;
  }
  if (!(await isWhole(path, id))) throw toObjectDamaged(path);
  return true;
}

async function writeAnew(path: string, id: string): Promise<void> {
  if (!(await isWhole(path, id))) throw toObjectDamaged(path);
  const temporary = `${path}.tmp-${process.pid}`;
  let file: FileHandle | undefined;
  try {
    file = await open(temporary, "wx", 0o444);
    await file.writeFile(await readFile(path));
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw toNotDurable(path, error);
  } finally {
    await file?.close();
  }
}

/** Whether a loose object's bytes are those its name stands for. */
async function isWhole(path: string, id: string): Promise<boolean> {
  const hash = createHash(id.length === 64 ? "sha256" : "sha1");
  try {
    const packed = readFileSync(path);
    if (packed.length <= smallBytes) hash.update(inflateSync(packed));
    else for await (const part of createReadStream(path).pipe(createInflate())) hash.update(part as Buffer);
  } catch (error) {
    // Taken into a pack meanwhile, by a `git gc` of somebody: git has checked it then.
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
  return hash.digest("hex") === id;
}

/** The first file among these objects that lies loose and is not what its name says. */
export async function findDamagedObject(gitDir: string, ids: readonly string[]): Promise<string | undefined> {
  const stores = listStoresIn(gitDir);
  let damaged: string | undefined;
  await runInParallel(ids, async (id) => {
    for (const store of stores) {
      const path = join(store, id.slice(0, 2), id.slice(2));
      if (existsSync(path) && !(await isWhole(path, id))) damaged = path;
    }
  });
  return damaged;
}

/** The object store and those it borrows from. */
function listStoresIn(gitDir: string): string[] {
  const objects = join(getCommonDir(gitDir), "objects");
  const found: string[] = [];
  const add = (store: string) => {
    if (found.includes(store)) return;
    found.push(store);
    const list = join(store, "info", "alternates");
    const lines = existsSync(list) ? readFileSync(list, "utf8").split("\n") : [];
    for (const line of lines.filter((one) => one !== "" && !one.startsWith("#"))) add(resolve(store, line));
  };
  add(objects);
  return found;
}

/** A partial clone lacks objects by design: its server has them. */
export function isPartial(gitDir: string): boolean {
  return listStoresIn(gitDir).some((store) =>
    listNames(join(store, "pack")).some((name) => name.endsWith(".promisor")),
  );
}

function toObjectGone(id: string): Failure {
  return new Failure("git.object-gone", `git has no object ${id}, which the work rests on`, {
    hint: "git fsck --full",
    retryable: true,
  });
}

function toObjectDamaged(path: string): Failure {
  return new Failure(
    "git.object-damaged",
    `${path} is not the object its name stands for; a power cut leaves such files`,
    { hint: `rm -f ${path}    # git writes it anew from the worktree`, retryable: true },
  );
}
