// What this machine and its user have that confined programs need, and what they must not see. The rules about it are in
// core/sandbox; here the facts are looked up.
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createBubblewrap } from "../../adapters/sandbox/bubblewrap.ts";
import { removeFolder } from "../../adapters/workspace/checkout/isolated.ts";
import { tryOr } from "../../core/model/value/try-or.ts";
import { findLocalFolders, resolveSandboxPath } from "../../core/sandbox/path-variables.ts";
import type { Machine } from "../../core/sandbox/policy.ts";
import type { Processes } from "../../ports/system/process.ts";
import type { Sandboxes } from "../../ports/system/sandbox.ts";
import { loadBuiltInPresets } from "../config/presets.ts";
import { certificateVariables, indexVariables } from "../host/environment.ts";
import { findPackageRoot } from "../host/package-root.ts";
import { getUserFolder } from "../host/user-folder.ts";

type Env = Readonly<Record<string, string | undefined>>;

const neededPlaces = ["/etc/resolv.conf", "/run/current-system", "/run/wrappers", "/run/opengl-driver"];

/** The sandboxes of this machine; `PAIRFLOW_SANDBOX=off` is a person's own word against them. */
export function createSandboxes(
  processes: Pick<Processes, "exec">,
  tryIn: string,
  env: Env = process.env,
): Sandboxes {
  const { uid, gid } = userInfo();
  return createBubblewrap({
    processes,
    user: { uid, gid },
    tryIn,
    platform: process.platform,
    remove: removeFolder,
    ...(env.PAIRFLOW_SANDBOX === "off" ? { off: "switched off by PAIRFLOW_SANDBOX=off" } : {}),
  });
}

/** What a person's machine has; looked up once, when first asked for. */
export function createMachineLookup(repo: string, env: Env): () => Machine {
  let known: Machine | undefined;
  return () => (known ??= lookUp(repo, env));
}

function lookUp(repo: string, env: Env): Machine {
  const home = tryRealPath(env.HOME || homedir()) ?? "/";
  const presets = loadBuiltInPresets();
  const named = (names: readonly string[]) =>
    listRealPaths(names.flatMap((name) => resolveSandboxPath(name, home, env) ?? []));
  return {
    home,
    temporary: listRealPaths(["/tmp", "/var/tmp", env.TMPDIR ?? ""]),
    sockets: listRealPaths(["/run", "/var/run", env.XDG_RUNTIME_DIR ?? "", env.TMUX_TMPDIR ?? ""]),
    needed: listRealPaths([
      ...neededPlaces,
      ...certificateVariables.map((name) => env[name] ?? ""),
      ...indexVariables.flatMap((name) => findLocalFolders(env[name] ?? "")),
    ]),
    path: listRealPaths((env.PATH ?? "").split(delimiter)),
    tools: [
      ...listRealPaths([findPackageRoot(), dirname(dirname(process.execPath))]),
      ...named(presets.flatMap(({ tools }) => tools)),
    ],
    caches: named(presets.flatMap(({ caches }) => caches)),
    offline: Object.assign({}, ...presets.map(({ offline }) => offline)),
    write: listRealPaths((env.PAIRFLOW_SANDBOX_WRITE ?? "").split(delimiter)),
    hidden: listRealPaths([join(repo, ".pairflow"), ...listUserFolders(home, env)]),
  };
}

/** Where a person keeps what is theirs alone: what they have confirmed, and by custom the operator key. */
function listUserFolders(home: string, env: Env): string[] {
  return [getUserFolder(env), join(env.XDG_CONFIG_HOME || join(home, ".config"), "pairflow")];
}

/** The real paths of those that exist, each once. */
function listRealPaths(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => (path.startsWith("/") ? (tryRealPath(path) ?? []) : []));
  return [...new Set(found)];
}

function tryRealPath(path: string): string | undefined {
  return tryOr(() => realpathSync(path), undefined);
}
