// What of a person's environment other programs get: an allow-list, so that keys and tokens stay where they are. An
// agent gets the variables of its own adapter on top, and those it is given by name; nobody else gets these.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { AgentSettings } from "../../core/model/config.ts";
import { checkVariableName, extractSecret } from "../../core/redaction/variables.ts";
import type { AgentAdapter } from "../../ports/agent/adapter.ts";
import { findPackageRoot } from "./package-root.ts";

type Env = Readonly<Record<string, string | undefined>>;

const names = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "TMPDIR",
  "TERM",
  "COLORTERM",
  "JAVA_HOME",
  "GOPATH",
  "GOROOT",
  "GOCACHE",
  "CARGO_HOME",
  "RUSTUP_HOME",
  "NVM_DIR",
  "PYENV_ROOT",
  "VIRTUAL_ENV",
  "BUN_INSTALL",
  "DENO_DIR",
  // Fault campaigns and tests steer every process of a bubble by these.
  "PAIRFLOW_CRASH_FILE",
  "PAIRFLOW_CRASH_AT",
  "PAIRFLOW_CLOCK_SHIFT_FILE",
  "PAIRFLOW_TMUX_SOCKET",
  "PAIRFLOW_ACKNOWLEDGE_MS",
]);
const prefixes = ["LC_", "XDG_"];

/** Files and folders of certificates: behind the proxy of a company no package arrives without them. */
export const certificateVariables = [
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "NODE_EXTRA_CA_CERTS",
  "REQUESTS_CA_BUNDLE",
  "CURL_CA_BUNDLE",
  "GIT_SSL_CAINFO",
  "NIX_SSL_CERT_FILE",
  "PIP_CERT",
] as const;

/** Where package managers look for packages: addresses, or folders of this machine. */
export const indexVariables: readonly string[] = [
  ..."NPM_CONFIG_REGISTRY npm_config_registry COREPACK_NPM_REGISTRY GOPROXY".split(" "),
  ..."PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_FIND_LINKS".split(" "),
  ..."UV_DEFAULT_INDEX UV_INDEX UV_INDEX_URL UV_EXTRA_INDEX_URL UV_FIND_LINKS".split(" "),
];

/** How this machine reaches the network, and where its package managers look. A value with a login in it is not handed on. */
const network = new Set([
  ..."HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy".split(" "),
  ...indexVariables,
  ..."PIP_NO_INDEX UV_NO_INDEX GOPRIVATE GONOPROXY GONOSUMDB GOSUMDB GOFLAGS GOTOOLCHAIN GOMODCACHE".split(
    " ",
  ),
]);

/** What every program gets: gates, setup commands, git, tmux. */
export function pickAllowedEnv(env: Env): Record<string, string> {
  const always = new Set<string>([...names, ...certificateVariables]);
  return pickVariables(
    env,
    (name, value) =>
      always.has(name) ||
      prefixes.some((prefix) => name.startsWith(prefix)) ||
      (network.has(name) && !hasLogin(value)),
  );
}

/** `https://name:word@host`, or a token alone before the at sign. */
const hasLogin = (value: string) => /:\/\/[^/\s@]+@/.test(value);

/** What an agent's process gets: the allow-list, its own variables, and our own command on the PATH for the verbs. */
export function buildAgentEnv(env: Env, variables: readonly string[] = []): Record<string, string> {
  const allowed = pickAllowedEnv(env);
  return {
    TERM: "xterm-256color",
    ...allowed,
    ...pickAgentVariables(env, variables),
    PATH: [join(findPackageRoot(), "bin"), allowed.PATH ?? ""].join(delimiter),
  };
}

/** The variables of the environment that these names mean; `A_*` means all that begin with A_. Ours are never handed on. */
export function pickAgentVariables(env: Env, wanted: readonly string[]): Record<string, string> {
  const whole = new Set(wanted);
  const beginnings = wanted.filter((name) => name.endsWith("_*")).map((name) => name.slice(0, -1));
  return pickVariables(
    env,
    (name) =>
      checkVariableName(name) === undefined &&
      (whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning))),
  );
}

/** What one agent may have by name: its adapter's variables, and those that its settings list under `variables`. */
export function listAgentVariables(
  adapter: Pick<AgentAdapter, "variables"> | undefined,
  settings: AgentSettings | undefined,
): string[] {
  const listed: unknown = settings?.variables;
  const own = Array.isArray(listed) ? listed.filter((name): name is string => typeof name === "string") : [];
  return [...(adapter?.variables ?? []), ...own.filter((name) => checkVariableName(name) === undefined)];
}

/**
 * What a driver gets, wherever it is started from: all of the person's environment, so that it can hand on what each
 * agent is due and knows every secret it must keep off the record. What belongs to one terminal or one turn stays behind.
 */
export function pickDriverEnv(env: Env): Record<string, string> {
  return pickVariables(env, (name) => !ofOneProcess.has(name));
}

const ofOneProcess = new Set([
  ..."PAIRFLOW_TURN PAIRFLOW_TURN_ID PAIRFLOW_BUBBLE PAIRFLOW_REPO PAIRFLOW_ROLE PAIRFLOW_OUT".split(" "),
  ..."PAIRFLOW_WORK PAIRFLOW_SEAT TERM TMUX TMUX_PANE STY WINDOWID PWD OLDPWD SHLVL _".split(" "),
]);

/** The values in this environment that must never be written down. */
export function listSecrets(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const secret = extractSecret(name, value);
    return secret === undefined || isFile(secret) ? [] : [secret];
  });
}

/** Variables called …_KEY or …_CREDENTIALS may hold the path of a file, which is no secret and stands in many texts. */
function isFile(value: string): boolean {
  return /^[~./]/.test(value) && (value.startsWith("~/") || existsSync(value));
}

function pickVariables(env: Env, isWanted: (name: string, value: string) => boolean): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isWanted(entry[0], entry[1]),
  );
  return Object.fromEntries(kept);
}
