// Pinned commits in a git remote, under refs of their own: for repositories whose bundles would be large, and for those whose machines
// reach one remote anyway. Of the clone's configuration only the remote's address is read; how to log in is the user's own setting.
import type { CrashPoint } from "../../../ports/crash-point.ts";
import { Failure } from "../../../ports/failure.ts";
import type { Travel, TravellingPin } from "../../../ports/record/travel.ts";
import type { Processes } from "../../../ports/system/process.ts";
import type { WorkspacePlace } from "../../../ports/workspace.ts";
import { openRepo } from "../location.ts";
import { parseSettings } from "../plumbing/private-git.ts";
import { readRefs, setRefs } from "../plumbing/refs.ts";
import { type Kit, pickGitEnv, readConfig, tryGit } from "../plumbing/runner.ts";
import { checkPin, hasCommit, requirePinned, toBaseMissing, toUnknownPin } from "./pins.ts";

export interface RemoteTravelOptions {
  readonly processes: Processes;
  readonly runtimeDir: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A remote of the clone by its name, or an address. */
  readonly remote: string;
  /** Keeps projects apart that share a remote. */
  readonly project: string;
  readonly crashPoint?: CrashPoint;
}

/** Nothing of ours is among the refs that a clone fetches by itself. */
const prefix = "refs/pairflow-travel";

/** Travel over a remote; keeps V1–V4. */
export function createRemoteTravel(options: RemoteTravelOptions): Travel {
  const { processes, runtimeDir, env, remote, project, crashPoint = () => {} } = options;
  const kit: Kit = { processes, runtimeDir, env: pickGitEnv(env), crashPoint };
  const nameRef = ({ bubble }: WorkspacePlace, { commit }: TravellingPin) =>
    `${prefix}/${project}/${bubble}/${commit}`;
  const open = (repo: string, way: "push" | "fetch") =>
    openLine(kit, { repo, remote, way, agent: env.SSH_AUTH_SOCK });

  return {
    async publish(place, pin) {
      checkPin(place, pin);
      await requirePinned(kit, place, pin);
      const line = await open(place.repo, "push");
      const done = await line.run(`${pin.commit}:${nameRef(place, pin)}`);
      if (done.code !== 0) throw toUnreachable(line, place.repo, done.stderr);
    },
    async fetch(place, pin) {
      checkPin(place, pin);
      const repo = openRepo(place.repo);
      if ((await readRefs(kit, repo, [pin.ref])).get(pin.ref) === pin.commit) return;
      // It would come along, but a clone that far behind has settings and knowledge of another time.
      if (!(await hasCommit(kit, place, place.baseCommit))) throw toBaseMissing(place);
      const line = await open(place.repo, "fetch");
      const { code, stderr } = await line.run(nameRef(place, pin), "--no-tags", "--no-write-fetch-head");
      if (/couldn't find remote ref/.test(stderr)) throw toUnknownPin(place, pin);
      if (code !== 0) throw toUnreachable(line, place.repo, stderr);
      if (!(await hasCommit(kit, place, pin.commit))) throw toDamaged(line, nameRef(place, pin), pin);
      await setRefs(kit, repo, place, [{ ref: pin.ref, to: pin.commit }]);
    },
    // Who reaches one remote anyway brings its clone up to date from there.
    fetchBase: (place) => hasCommit(kit, place, place.baseCommit),
    async sendWantedBase() {},
    listSent: async () => [],
    async takeBack() {},
    async probe(repo) {
      const line = await open(repo, "push");
      const { code, stderr } = await line.run(`HEAD:${prefix}/${project}/probe`, "--dry-run");
      if (code !== 0) throw toUnreachable(line, repo, stderr);
      return `commits travel by ${line.address}, under ${prefix}/${project}`;
    },
  };
}

type Line = Awaited<ReturnType<typeof openLine>>;

/** Where a clone's remote is, and how its user logs in there. */
async function openLine(
  kit: Kit,
  at: { repo: string; remote: string; way: "push" | "fetch"; agent: string | undefined },
) {
  const { repo, remote, way, agent } = at;
  const address = await findAddress(kit, repo, remote, way);
  const login = await readLogin(kit, repo);
  const env = { GIT_ALLOW_PROTOCOL: "file:https:ssh", ...(agent ? { SSH_AUTH_SOCK: agent } : {}) };
  const plain = [way, "--quiet", "--no-recurse-submodules", ...(way === "push" ? ["--no-verify"] : [])];
  return {
    address,
    run: (spec: string, ...more: string[]) =>
      tryGit(kit, openRepo(repo), [...login, ...plain, ...more, address, spec], { env }),
  };
}

async function findAddress(kit: Kit, root: string, remote: string, way: "push" | "fetch"): Promise<string> {
  if (/[/:]/.test(remote)) return remote;
  const { gitDir, workTree } = openRepo(root);
  const asked = ["remote", "get-url", ...(way === "push" ? ["--push"] : []), remote];
  const told = await readConfig(kit, { gitDir, workTree }, asked);
  const [address = ""] = told.stdout.trim().split("\n");
  if (told.code === 0 && address !== "") return address;
  throw new Failure("travel.no-remote", `${root} has no remote ${remote}, by which its commits travel.`, {
    hint: `git -C ${root} remote add ${remote} <address>`,
  });
}

/** Settings that say how to reach and to log in to a server. The repository's have no say: they may name any program. */
async function readLogin(kit: Kit, root: string): Promise<string[]> {
  const found = ["-c", "core.sshCommand=ssh -o BatchMode=yes"];
  for (const scope of ["--system", "--global"]) {
    const asked = ["config", scope, "-z", "--list", "--includes"];
    const { code, stdout } = await readConfig(kit, { workTree: root }, asked);
    if (code !== 0) continue;
    for (const [key, value] of parseSettings(stdout))
      if (/^(credential|http|ssh)\.|^core\.sshcommand$/.test(key) && !key.includes("="))
        found.push("-c", `${key}=${value}`);
  }
  return found;
}

const toUnreachable = ({ address }: Line, repo: string, stderr: string): Failure =>
  new Failure("travel.unreachable", `The remote ${address} did not do it: ${clipWords(stderr)}`, {
    hint: `git -C ${repo} ls-remote ${address}    # can this user reach it, and write there?`,
    retryable: true,
  });

const toDamaged = ({ address }: Line, ref: string, { commit }: TravellingPin): Failure =>
  new Failure("travel.damaged", `What was published of ${commit} is not that commit.`, {
    hint: `git push ${address} --delete ${ref}    # then the host that made it can publish it again`,
  });

const clipWords = (text: string): string => text.trim().split("\n").slice(0, 5).join("\n");
