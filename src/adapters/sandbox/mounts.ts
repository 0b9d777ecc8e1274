// From a policy to mounts that can be made: what does not exist is left out, links are not followed into what somebody
// else may have put there, and own folders are made.
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { tryOr } from "../../core/model/value/try-or.ts";
import type { Mount } from "../../core/sandbox/mount.ts";
import { type SandboxPolicy, sortMounts } from "../../core/sandbox/policy.ts";
import { canOverlay, type MadeMount } from "./arguments.ts";

export interface MountSurroundings {
  /** Whether overlays can be mounted here. */
  readonly copies: boolean;
  /** The temporary folder of this run alone. */
  readonly temporary: string;
  /** Holds what it writes over drafts; of this run alone. */
  readonly drafts: string;
}

/** The mounts of a policy, as they can be made now. */
export function makeMounts(policy: SandboxPolicy, around: MountSurroundings): MadeMount[] {
  const standing = sortMounts(policy.mounts.flatMap(resolveMount));
  return standing.flatMap((mount) => makeMount(mount, policy.folder, around));
}

/** The mount at its real path. What is shown must be named by it: a link may have been put there to show something else. */
function resolveMount(mount: Mount): Mount[] {
  const path = tryRealPath(mount.path);
  if (path === undefined) return [];
  const isShown = mount.kind === "read" || mount.kind === "write";
  return isShown && path !== mount.path ? [] : [{ ...mount, path }];
}

function tryRealPath(path: string): string | undefined {
  return tryOr(() => realpathSync(path), undefined);
}

function makeMount(mount: Mount, folder: string, around: MountSurroundings): MadeMount[] {
  const { path } = mount;
  if (mount.kind === "read" || mount.kind === "write")
    return [{ kind: "bind", path, from: path, isReadOnly: mount.kind === "read" }];
  if (mount.kind === "own") {
    const from = mount.from === "temporary" ? around.temporary : makeFolder(join(folder, "home"));
    return [{ kind: "bind", path, from, isReadOnly: false }];
  }
  const isFolder = lstatSync(path).isDirectory();
  if (mount.kind === "hide")
    return [isFolder ? { kind: "empty", path } : { kind: "bind", path, from: "/dev/null", isReadOnly: true }];
  if (!isFolder) return [{ kind: "bind", path, from: path, isReadOnly: true }];
  return mount.kind === "draft" ? makeDraft(path, around) : makeCopy(mount, folder, around);
}

/** Where it cannot be laid over, it can only be read. */
function makeDraft(path: string, { copies, drafts }: MountSurroundings): MadeMount[] {
  if (!copies || !canOverlay(drafts) || !canOverlay(path))
    return [{ kind: "bind", path, from: path, isReadOnly: true }];
  const at = (what: string) => makeFolder(join(drafts, what, getName(path)));
  return [
    {
      kind: "overlay",
      path,
      overlay: { below: [path], upper: at("upper"), work: at("work"), at: at("whole") },
    },
  ];
}

const getName = (path: string) => path.replaceAll("/", "%").slice(-200);

/**
 * With overlays: the cache as it is, and what is written goes elsewhere. Without: the person's cache read-only, or, where a
 * setup fills it, nothing of it at all, since a cache that cannot be written stops most package managers.
 */
function makeCopy(
  { path, layer, below }: Extract<Mount, { kind: "copy" }>,
  folder: string,
  { copies }: MountSurroundings,
): MadeMount[] {
  const name = getName(path);
  const at = (what: string, of = layer) => join(folder, "caches", of, what, name);
  if (!copies || !canOverlay(folder) || !canOverlay(path))
    return below === undefined ? [{ kind: "bind", path, from: path, isReadOnly: true }] : [];
  const written = below === undefined ? undefined : tryRealPath(at("upper", below));
  const overlay = {
    below: [...(written === undefined || below === layer ? [] : [written]), path],
    upper: makeFolder(at("upper")),
    work: makeFolder(at("work")),
    at: makeFolder(at("whole")),
  };
  return [{ kind: "overlay", path, overlay }];
}

function makeFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
