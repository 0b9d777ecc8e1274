// What of a person's environment other programs get: an allow-list, so that keys and tokens stay where they are.
import { delimiter, join } from "node:path";
import { packageRoot } from "./package-root.ts";

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

export function allowedEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(env).filter(
    ([name, value]) =>
      value !== undefined && (names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

/** The allow-list, with our own command on the PATH so that agents can use the verbs. */
export function agentEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const allowed = allowedEnv(env);
  return {
    TERM: "xterm-256color",
    ...allowed,
    PATH: [join(packageRoot(), "bin"), allowed.PATH ?? ""].join(delimiter),
  };
}
