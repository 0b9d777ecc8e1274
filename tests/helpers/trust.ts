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
    ...read(join(repo, ".pairflow", "config.yaml"), (text) => projectPrograms(text, fileHash)),
    ...files.flatMap((file) =>
      read(file, (text) =>
        // The gates of a bubble were confirmed when it was created, or were written into the file since.
        listTrustedPrograms({
          config: { ...allBound(parseBubbleToml(text, file)), commands: {} },
          gates: [],
          fileHash,
        }),
      ),
    ),
  ];
  const known = existsSync(file) ? readFileSync(file, "utf8") : "";
  const lines = programs.map((program) => JSON.stringify({ repo, ...program }));
  const fresh = [...new Set(lines)].filter((line) => !known.includes(line));
  if (fresh.length === 0) return;
  makeUserFolder(dirname(file));
  appendFileSync(file, `\n${fresh.join("\n")}\n`, { mode: 0o600 });
}

function projectPrograms(text: string, fileHash: (value: string) => string | undefined): TrustedProgram[] {
  const { agents, defaults } = parseProjectConfig(text, "config.yaml");
  const config = completeConfigValues({
    ...defaults,
    ...{ id: "any", repo_path: "/", base_branch: "main", bubble_branch: "any" },
    agents: { implementer: "codex" },
    agent: agents,
  });
  return listTrustedPrograms({ config: allBound(config), gates: [], fileHash });
}

/** Any role may be played by any agent that is described. */
function allBound<C extends ReturnType<typeof completeConfigValues>>(config: C): C {
  return { ...config, agents: Object.fromEntries(Object.keys(config.agent).map((name) => [name, name])) };
}

function read(file: string, programs: (text: string) => TrustedProgram[]): TrustedProgram[] {
  try {
    return programs(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
}
