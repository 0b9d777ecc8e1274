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

/** `claude` and `codex`: the native programs; `…Npm`: what npm puts on the PATH; the others speak the Agent Client Protocol. */
export type CliName = "claude" | "codex" | "claudeNpm" | "codexNpm" | "opencode" | "codexAcp";

/** The program that the test command installed, or one installed now; throws when there is none. */
export function cliProgram(name: CliName): string {
  return installed()[name];
}

let programs: Record<CliName, string> | undefined;

function installed(): Record<CliName, string> {
  const script = resolve(import.meta.dirname, "..", "..", "scripts", "agent-clis.mjs");
  programs ??= JSON.parse(
    process.env.PAIRFLOW_AGENT_CLIS ?? execFileSync(process.execPath, [script], { encoding: "utf8" }),
  ) as typeof programs;
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

/** OpenCode with the scripted model as its only one, which asks before every command. */
export function opencodeEnv({ url }: Pick<CliHomeOptions, "url">): Record<string, string> {
  const scripted = {
    npm: "@ai-sdk/anthropic",
    name: "Scripted",
    options: { baseURL: `${url}/v1`, apiKey: dummyKey },
    models: { one: { name: "One", tool_call: true, limit: { context: 200_000, output: 8_000 } } },
  };
  const config = {
    ...{ autoupdate: false, share: "disabled", model: "scripted/one", small_model: "scripted/one" },
    ...{ permission: { bash: "ask", edit: "ask" }, provider: { scripted } },
    ...{ enabled_providers: ["scripted"], lsp: false, formatter: false },
  };
  return {
    OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  };
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
