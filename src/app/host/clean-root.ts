// Where clean checkouts stand: a folder of this user alone, outside every repository and below no folder whose name
// begins with a dot, since some programs refuse to serve or to test such paths.
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { Failure } from "../../ports/failure.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The folder of all clean checkouts of this user; nothing is made. */
export function getCleanRoot(env: Env): string {
  if (env.PAIRFLOW_CHECKOUTS) return env.PAIRFLOW_CHECKOUTS;
  // Sandboxes of agents let them write to the temporary folder, but not here; it is on a disk, too.
  const place = isFolder("/var/tmp") ? "/var/tmp" : tmpdir();
  return join(place, `pairflow-${userInfo().uid}`);
}

/** A repository that is thrown away leaves no checkouts outside its folder. */
export function keepCheckoutsIn(folder: string): void {
  process.env.PAIRFLOW_CHECKOUTS = join(folder, "checkouts");
}

/** A place for the checkout of one bubble. Throws Failure `checkout.not-ours` when somebody else holds the folder. */
export function ensureCleanPlace(env: Env, tag: string, bubble: string): string {
  return join(ensureOwnRoot(env), tag, bubble);
}

/** The folder itself, made and ours alone. Throws the same. */
export function ensureOwnRoot(env: Env): string {
  const root = getCleanRoot(env);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const found = lstatSync(root);
  const isOurs = found.isDirectory() && (found.uid === userInfo().uid || userInfo().uid === -1);
  if (!isOurs || (found.mode & 0o022) !== 0)
    throw new Failure(
      "checkout.not-ours",
      `${root} is not a folder that only this user can write to; no tree is checked out there`,
      { hint: `export PAIRFLOW_CHECKOUTS="$HOME/pairflow-checkouts"` },
    );
  return root;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
