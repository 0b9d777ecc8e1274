// A home of the test's own for each real CLI: nothing of the person who runs the tests reaches it, no dialog stands in
// its way, and the only model it knows is the scripted one on loopback.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

export interface CliHome {
  /** The home folder itself. */
  readonly folder: string;
  /** The whole environment of the CLI; nothing else may be inherited. */
  readonly env: Readonly<Record<string, string>>;
}

export interface CliHomeOptions {
  /** Made if it is missing. */
  readonly folder: string;
  /** Of the scripted model, without a path. */
  readonly url: string;
}

/** Not a key of anybody. */
const dummyKey = "dummy-key-for-the-scripted-model-000000000000";

/** The program that the test command installed, or one installed now; throws when there is none. */
export function cliProgram(name: "claude" | "codex"): string {
  return process.env[`PAIRFLOW_${name.toUpperCase()}`] ?? installed()[name];
}

let programs: Record<"claude" | "codex", string> | undefined;

function installed(): Record<"claude" | "codex", string> {
  const script = resolve(import.meta.dirname, "..", "..", "scripts", "agent-clis.mjs");
  programs ??= JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" })) as typeof programs;
  if (programs === undefined) throw new Error(`${script} named no programs`);
  return programs;
}

/** Claude Code as if its person had gone through the first start and accepted the key. */
export async function claudeHome({ folder, url }: CliHomeOptions): Promise<CliHome> {
  await mkdir(join(folder, ".claude"), { recursive: true });
  const state = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: [dummyKey.slice(-20)], rejected: [] },
  };
  await writeFile(join(folder, ".claude.json"), JSON.stringify(state));
  const env = {
    ...plain(folder),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: dummyKey,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
    CLAUDE_CODE_DISABLE_TERMINAL_TITLE: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  return { folder, env };
}

/** Codex with the scripted model as its provider, whose key it takes from the environment. */
export async function codexHome({ folder, url }: CliHomeOptions): Promise<CliHome> {
  const home = join(folder, ".codex");
  // It keeps no helpers below the system's folder for temporary files, and without them its sandbox cannot run anything.
  const temporary = join(folder, "tmp");
  await Promise.all([mkdir(home, { recursive: true }), mkdir(temporary, { recursive: true })]);
  await writeFile(join(home, "config.toml"), codexConfig(url));
  return { folder, env: { ...plain(folder), TMPDIR: temporary, CODEX_HOME: home, CODEX_API_KEY: dummyKey } };
}

function codexConfig(url: string): string {
  return `model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"

[analytics]
enabled = false

[features]
plugins = false
apps = false
`;
}

function plain(folder: string): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: folder, LANG: "C.UTF-8", TERM: "xterm-256color" };
}
