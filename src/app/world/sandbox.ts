// What this machine and its user have that confined programs need, and what they must not see. The rules about it are in
// core/sandbox; here the facts are looked up.
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { bubblewrap } from "../../adapters/sandbox/bubblewrap.ts";
import { removeFolder } from "../../adapters/workspace/isolated.ts";
import { localFolders, placeNamed } from "../../core/sandbox/places.ts";
import type { Machine } from "../../core/sandbox/policy.ts";
import type { Processes } from "../../ports/process.ts";
import type { Sandboxes } from "../../ports/sandbox.ts";
import { builtInPresets } from "../config/presets.ts";
import { certificateVariables, indexVariables } from "../host/environment.ts";
import { packageRoot } from "../host/package-root.ts";
import { userFolder } from "../host/user-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

const neededPlaces = ["/etc/resolv.conf", "/run/current-system", "/run/wrappers", "/run/opengl-driver"];

/** The sandboxes of this machine; `PAIRFLOW_SANDBOX=off` is a person's own word against them. */
export function sandboxesOf(
  processes: Pick<Processes, "exec">,
  tryIn: string,
  env: Env = process.env,
): Sandboxes {
  const { uid, gid } = userInfo();
  return bubblewrap({
    processes,
    user: { uid, gid },
    tryIn,
    platform: process.platform,
    remove: removeFolder,
    ...(env.PAIRFLOW_SANDBOX === "off" ? { off: "switched off by PAIRFLOW_SANDBOX=off" } : {}),
  });
}

/** What a person's machine has; looked up once, when first asked for. */
export function machineOf(repo: string, env: Env): () => Machine {
  let known: Machine | undefined;
  return () => (known ??= lookUp(repo, env));
}

function lookUp(repo: string, env: Env): Machine {
  const home = real(env.HOME || homedir()) ?? "/";
  const presets = builtInPresets();
  const named = (names: readonly string[]) =>
    realPaths(names.flatMap((name) => placeNamed(name, home, env) ?? []));
  return {
    home,
    temporary: realPaths(["/tmp", "/var/tmp", env.TMPDIR ?? ""]),
    sockets: realPaths(["/run", "/var/run", env.XDG_RUNTIME_DIR ?? "", env.TMUX_TMPDIR ?? ""]),
    needed: realPaths([
      ...neededPlaces,
      ...certificateVariables.map((name) => env[name] ?? ""),
      ...indexVariables.flatMap((name) => localFolders(env[name] ?? "")),
    ]),
    path: realPaths((env.PATH ?? "").split(delimiter)),
    tools: [
      ...realPaths([packageRoot(), dirname(dirname(process.execPath))]),
      ...named(presets.flatMap(({ tools }) => tools)),
    ],
    caches: named(presets.flatMap(({ caches }) => caches)),
    offline: Object.assign({}, ...presets.map(({ offline }) => offline)),
    write: realPaths((env.PAIRFLOW_SANDBOX_WRITE ?? "").split(delimiter)),
    hidden: realPaths([join(repo, ".pairflow"), ...userFolders(home, env)]),
  };
}

/** Where a person keeps what is theirs alone: what they have confirmed, and by custom the operator key. */
function userFolders(home: string, env: Env): string[] {
  return [userFolder(env), join(env.XDG_CONFIG_HOME || join(home, ".config"), "pairflow")];
}

/** The real paths of those that exist, each once. */
function realPaths(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => (path.startsWith("/") ? (real(path) ?? []) : []));
  return [...new Set(found)];
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
