// A person who has confirmed what the settings of a throw-away repository run, so that tests are about something else.
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFileTrust } from "../../src/adapters/trust/file.ts";
import { completeConfigValues, parseBubbleToml } from "../../src/app/config/bubble-file.ts";
import { parseProjectConfig } from "../../src/app/config/project.ts";
import { getUserFile, makeUserFolder } from "../../src/app/host/user-folder.ts";
import type { TrustedProgram } from "../../src/core/trust/program.ts";
import { listTrustedPrograms } from "../../src/core/trust/programs.ts";

interface Place {
  readonly repo: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Confirms what the project's configuration and every bubble.toml name now; files that cannot be read name nothing. */
export function confirmSettings({ repo, env }: Place): void {
  const file = getUserFile("trust", repo, env);
  const trust = createFileTrust(file, repo, makeUserFolder);
  const bubbles = join(repo, ".pairflow", "bubbles");
  const files = existsSync(bubbles) ? readdirSync(bubbles).map((id) => join(bubbles, id, "bubble.toml")) : [];
  const { fileHash } = trust;
  const programs = [
    ...listPrograms(parseOnce(join(repo, ".pairflow", "config.yaml"), parseProject), fileHash),
    ...files.flatMap((file) => listPrograms(parseOnce(file, parseBubble), fileHash)),
  ];
  const known = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = programs.map((program) => JSON.stringify({ repo, ...program }));
  const fresh = [...new Set(lines)].filter((line) => !known.includes(line));
  if (fresh.length === 0) return;
  makeUserFolder(dirname(file));
  appendFileSync(file, `\n${fresh.join("\n")}\n`, { mode: 0o600 });
}

type Config = ReturnType<typeof completeConfigValues>;

const listPrograms = (
  config: Config | undefined,
  fileHash: (value: string) => string | undefined,
): TrustedProgram[] => (config ? listTrustedPrograms({ config, gates: [], fileHash }) : []);

/** The gates of a bubble were confirmed when it was created, or were written into the file since. */
const parseBubble = (text: string, file: string): Config => ({
  ...allBound(parseBubbleToml(text, file)),
  commands: {},
});

function parseProject(text: string, file: string): Config {
  const { agents, defaults } = parseProjectConfig(text, file);
  const config = completeConfigValues({
    ...defaults,
    ...{ id: "any", repo_path: "/", base_branch: "main", bubble_branch: "any" },
    agents: { implementer: "codex" },
    agent: agents,
  });
  return allBound(config);
}

/** Any role may be played by any agent that is described. */
function allBound<C extends Config>(config: C): C {
  return { ...config, agents: Object.fromEntries(Object.keys(config.agent).map((name) => [name, name])) };
}

const parsed = new Map<string, { readonly text: string; readonly config: Config | undefined }>();

/** Every command of a test asks, and the same few files answer: what was parsed from the same words is kept. */
function parseOnce(file: string, parse: (text: string, file: string) => Config): Config | undefined {
  const text = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  if (text === undefined) return undefined;
  const known = parsed.get(file);
  if (known?.text === text) return known.config;
  const config = tryParse(() => parse(text, file));
  parsed.set(file, { text, config });
  return config;
}

function tryParse(parse: () => Config): Config | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
