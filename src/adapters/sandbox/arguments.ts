// A policy as the words of a bubblewrap command line: the whole machine read-only, then the mounts of the policy, then
// what is not shared. Overlays are mounted before by a few lines of shell: older bubblewraps cannot do it themselves.
import type { SandboxPolicy } from "../../core/sandbox/policy.ts";

/** One cache that can be written to without being changed. */
export interface Overlay {
  /** What is seen, the newest first. */
  readonly below: readonly string[];
  readonly upper: string;
  readonly work: string;
  /** Where it is put together, before it is mounted at its path. */
  readonly at: string;
}

/** A mount with everything that had to be looked up or made. */
export type MadeMount =
  | { readonly kind: "bind"; readonly path: string; readonly from: string; readonly isReadOnly: boolean }
  | { readonly kind: "empty"; readonly path: string }
  | { readonly kind: "overlay"; readonly path: string; readonly overlay: Overlay };

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** What root keeps inside: enough to install packages, nothing that undoes a mount. */
const rootKeeps = [
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "SETGID",
  "SETUID",
  "NET_BIND_SERVICE",
];

/** The words that stand before a command. */
export function buildBubblewrapArguments(
  program: string,
  mounts: readonly MadeMount[],
  { network, endsWithParent }: Pick<SandboxPolicy, "network" | "endsWithParent">,
  user: User,
): string[] {
  const overlays = mounts.flatMap((mount) => (mount.kind === "overlay" ? [mount.overlay] : []));
  const empties = mounts.flatMap(({ kind, path }) => (kind === "empty" ? ["--remount-ro", path] : []));
  const words = [
    program,
    ...["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"],
    ...mounts.flatMap(listMountWords),
    // Only now: what is shown inside a hidden folder had to find its place there.
    ...empties,
    ...["--unshare-pid", "--unshare-ipc"],
    ...(network ? [] : ["--unshare-net"]),
    ...(endsWithParent ? ["--die-with-parent"] : []),
    ...listRightsWords(user, overlays.length > 0),
    "--",
  ];
  return overlays.length === 0 ? words : [...listOverlayWords(overlays, user), ...words];
}

function listMountWords(mount: MadeMount): string[] {
  if (mount.kind === "empty") return ["--tmpfs", mount.path];
  if (mount.kind === "overlay") return ["--bind", mount.overlay.at, mount.path];
  // A read-only path may be gone again: another program's lock file, a branch that was just packed. Then nothing is there to protect.
  return [mount.isReadOnly ? "--ro-bind-try" : "--bind", mount.from, mount.path];
}

function listRightsWords({ uid, gid }: User, isInside: boolean): string[] {
  if (uid === 0) return ["--cap-drop", "ALL", ...rootKeeps.flatMap((name) => ["--cap-add", `CAP_${name}`])];
  // To mount overlays a process becomes root of a namespace of its own; inside, the program has the user's own id again.
  return isInside ? ["--unshare-user", "--uid", String(uid), "--gid", String(gid)] : [];
}

/** Mounts what the first arguments describe, four words each, then becomes the command behind them. */
const overlayScript = `
while [ "$1" != -- ]; do
  mount -t overlay overlay -o "lowerdir=$1,upperdir=$2,workdir=$3\${PAIRFLOW_OVERLAY_OPTION:-}" "$4" || exit 125
  shift 4
done
shift
unset PAIRFLOW_OVERLAY_OPTION
exec "$@"`;

function listOverlayWords(overlays: readonly Overlay[], { uid }: User): string[] {
  const described = overlays.flatMap(({ below, upper, work, at }) => [below.join(":"), upper, work, at]);
  // A namespace of its own may use overlays only with attributes that it may write itself.
  const option = uid === 0 ? [] : ["env", "PAIRFLOW_OVERLAY_OPTION=,userxattr"];
  const apart = uid === 0 ? ["unshare", "--mount"] : ["unshare", "--user", "--map-root-user", "--mount"];
  return [...option, ...apart, "/bin/sh", "-c", overlayScript, "sandbox", ...described, "--"];
}

/** A path that overlay's own option language would take for more than one. */
export const canOverlay = (path: string): boolean => !/[,:\\]/.test(path);
