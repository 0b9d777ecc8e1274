// What a confined program may see and write, as a list of mounts over the whole machine read-only. Of two mounts the one
// with the longer path wins, from any source: a folder can be hidden and one file in it shown again.
import { buildGitMounts, type GitFolders } from "./git.ts";
import type { Mount } from "./mount.ts";

export interface SandboxPolicy {
  /** Parents before what is in them. */
  readonly mounts: readonly Mount[];
  readonly network: boolean;
  /** It ends with the process that started it; false for turns, which outlive their driver. */
  readonly endsWithParent: boolean;
  /** Tells runs in one folder apart that are at work side by side. */
  readonly name: string;
  /** The folder that holds its own home, its temporary folder and what it writes over caches. */
  readonly folder: string;
}

/** What is known of the machine and its user; the same for everything that is confined. */
export interface Machine {
  readonly home: string;
  /** Folders for temporary files and for sockets of other programs. */
  readonly temporary: readonly string[];
  readonly sockets: readonly string[];
  /** Single paths inside those and the home that are needed: the resolver's file, certificates, local package indexes. */
  readonly needed: readonly string[];
  /** The PATH, in its order. */
  readonly path: readonly string[];
  /** Programs and what belongs to them, such as ~/.rustup. */
  readonly tools: readonly string[];
  /** What package managers and compilers keep between runs. */
  readonly caches: readonly string[];
  /** Variables of a run without network. */
  readonly offline: Readonly<Record<string, string>>;
  /** What the person lets every confined program write, or speak to. */
  readonly write: readonly string[];
  /** Folders of ours in which nobody else has any business. */
  readonly hidden: readonly string[];
}

/** One run of a program. */
export interface SandboxJob {
  readonly repo: string;
  /** The worktree or checkout it runs in. */
  readonly root: string;
  /** False: its files can be read only. */
  readonly writesRoot?: false;
  readonly git: GitFolders;
  /** Further paths it may write or read. */
  readonly write?: readonly string[];
  readonly read?: readonly string[];
  /** What of the home is there: paths from it. */
  readonly home: readonly string[];
  /** What of it may be written as well. */
  readonly homeWrite?: readonly string[];
  /** Words of a command line: programs and files that it names are there. */
  readonly words?: readonly string[];
  /** Whose writing over caches this is; gates run side by side and must not share it. */
  readonly layer: string;
  /** Whose writing it sees below its own. */
  readonly below?: string;
  /** It may write git's settings, hooks and refs, and what it writes there is dropped. Only where overlays can be mounted. */
  readonly draftsGit?: boolean;
  readonly network: boolean;
  readonly endsWithParent: boolean;
}

/** The whole policy of one run. */
export function buildSandboxPolicy(machine: Machine, job: SandboxJob): SandboxPolicy {
  const hidden = [...machine.temporary, ...machine.sockets, machine.home].filter(isHideable);
  const isOurs = (path: string) => machine.hidden.some((folder) => isBelow(path, folder));
  // What the person lets every program write is not made read-only again because somebody names it. A home inside such a
  // folder is still replaced.
  const isOpen = (path: string) =>
    machine.write.some(
      (open) =>
        isBelow(path, open) &&
        !hidden.some((one) => one !== open && isBelow(one, open) && isBelow(path, one)),
    );
  const isHidden = (path: string) =>
    !isOurs(path) && !isOpen(path) && hidden.some((folder) => isBelow(path, folder));
  // A variable may name the home itself: that would show all of it.
  const isReplaced = (path: string) => hidden.some((folder) => isBelow(folder, path));
  const shown = [...machine.needed, ...listToolsOnPath(machine), ...machine.tools].filter(
    (path) => isHidden(path) && !isReplaced(path),
  );
  const caches = machine.caches.filter((path) => !isOurs(path));
  const mounts: Mount[] = [
    ...machine.sockets.filter(isHideable).map(hide),
    ...machine.temporary.filter(isHideable).map((path) => buildOwnMount(path, "temporary")),
    ...(isHideable(machine.home) ? [buildOwnMount(machine.home, "home")] : []),
    ...shown.map(read),
    ...caches.map((path) => copyMount(path, job)),
    ...job.home
      .flatMap((name) => resolveInHome(machine.home, name))
      .filter(isHidden)
      .map(read),
    ...(job.words ?? [])
      .flatMap((word) => listNamedByWord(word, hidden))
      .filter(isHidden)
      .map(read),
    ...(job.homeWrite ?? [])
      .flatMap((name) => resolveInHome(machine.home, name))
      .filter(isHidden)
      .map((path): Mount => ({ kind: "write", path })),
    ...(isBelow(machine.home, job.repo) ? [] : [read(job.repo)]),
    ...(job.read ?? []).map(read),
    { kind: job.writesRoot === false ? "read" : "write", path: job.root },
    ...buildGitMounts(job.git, job.draftsGit),
    ...[...machine.write, ...(job.write ?? [])].map((path): Mount => ({ kind: "write", path })),
    ...machine.hidden.map(hide),
  ];
  return {
    mounts: sortMounts(mounts),
    network: job.network,
    endsWithParent: job.endsWithParent,
    name: job.layer,
    folder: getSandboxFolder(job.root),
  };
}

/** Beside the worktree or checkout, and removed with it. */
export const getSandboxFolder = (root: string): string => `${root}.sandbox`;

const read = (path: string): Mount => ({ kind: "read", path });
const hide = (path: string): Mount => ({ kind: "hide", path });
const buildOwnMount = (path: string, from: "home" | "temporary"): Mount => ({ kind: "own", path, from });

function copyMount(path: string, { layer, below }: SandboxJob): Mount {
  return { kind: "copy", path, layer, ...(below === undefined ? {} : { below }) };
}

/** The root of the machine is never replaced, whatever somebody calls a home. */
const isHideable = (path: string) => path.startsWith("/") && path !== "/";

/** Whether a path is this folder or lies in it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}

/** Parents first; of two for one path the last one counts. */
export function sortMounts(mounts: readonly Mount[]): Mount[] {
  const last = new Map(mounts.map((mount) => [mount.path, mount]));
  return [...last.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Folders beside programs that hold nothing but programs' own files, and those that may hold a login. */
const beside = ["lib", "lib64", "libexec"];
const mixed = [".local", ".config", ".cargo", ".gem"];

/** What a shell finds by its PATH, with the libraries that such folders have beside them. */
function listToolsOnPath({ path, home }: Machine): string[] {
  return path.filter(isHideable).flatMap((folder) => {
    const parent = folder.replace(/\/s?bin\/?$/, "");
    const isMixed =
      parent === home || isBelow(home, parent) || mixed.some((name) => parent === `${home}/${name}`);
    if (parent === folder) return [folder];
    return isMixed ? [folder, ...beside.map((name) => `${parent}/${name}`)] : [folder, parent];
  });
}

/** The file that a word names, with its folder if it is a script: what it loads lies there. Never a folder that is replaced. */
function listNamedByWord(word: string, hidden: readonly string[]): string[] {
  if (!word.startsWith("/") || word.split("/").includes("..")) return [];
  const folder = /[^/]\.[a-z]{1,5}$/.test(word) ? [word.slice(0, word.lastIndexOf("/"))] : [];
  return [...folder, word].filter((path) => !hidden.some((one) => isBelow(one, path)));
}

/** A path from the home; one that leads out of it is none. */
function resolveInHome(home: string, name: string): string[] {
  const parts = name.split("/");
  return name === "" || name.startsWith("/") || parts.includes("..") || parts.includes(".")
    ? []
    : [`${home}/${name}`];
}
