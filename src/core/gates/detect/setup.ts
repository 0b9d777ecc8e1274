// The command that brings in what a repository depends on, by the lockfiles of its base commit. Only a proposal: a human
// confirms it together with the gates, which would be red or could not run without it.
import { quoteShellWord } from "../../model/value/shell-word.ts";
import type { BaseFiles } from "./condition.ts";
import { selectBaseFolder } from "./projects.ts";
import { detectPythonSetup, pythonReads } from "./python-setup.ts";

export interface ProposedSetup {
  readonly command: string;
  /** The files it was recognised by. */
  readonly from: readonly string[];
}

interface Rule {
  readonly file: string;
  readonly command: string;
  /** The file is there, but is it meant? Judged by what files say. */
  readonly when?: (base: BaseFiles) => boolean;
}

const frozen = "--frozen-lockfile";

/** One ecosystem a list, the most exact rule first: of each list at most one command is proposed. */
const families: Readonly<Record<"javascript" | "python" | "rust" | "go", readonly Rule[]>> = {
  javascript: [
    { file: "pnpm-lock.yaml", command: `pnpm install ${frozen}` },
    { file: "pnpm-workspace.yaml", command: "pnpm install" },
    { file: "yarn.lock", command: `yarn install ${frozen}`, when: isYarnOne },
    { file: "yarn.lock", command: "yarn install --immutable" },
    { file: "bun.lock", command: `bun install ${frozen}` },
    { file: "bun.lockb", command: `bun install ${frozen}` },
    { file: "package-lock.json", command: "npm ci", when: hasPackages },
    { file: "npm-shrinkwrap.json", command: "npm ci", when: hasPackages },
    { file: "package.json", command: "npm install --no-audit --no-fund", when: hasPackages },
  ],
  python: [
    { file: "uv.lock", command: "uv sync --frozen" },
    { file: "poetry.lock", command: "poetry install --no-interaction" },
  ],
  rust: [{ file: "Cargo.lock", command: "cargo fetch --locked" }],
  go: [
    { file: "go.work", command: "go mod download" },
    { file: "go.sum", command: "go mod download" },
  ],
};

/** The files whose text the rules look at. */
export const setupReads: readonly string[] = ["package.json", "yarn.lock", ...pythonReads];

/**
 * What should be run in a fresh tree before anything else; undefined when nothing suggests anything. Folders are those
 * whose gates are proposed; what the root makes ready for its kind of project is not done again in them.
 */
export function proposeSetup(base: BaseFiles, folders: readonly string[] = []): ProposedSetup | undefined {
  const root = listCommandsAt(base);
  const known = new Set(root.map(({ family }) => family));
  const below = folders.flatMap((folder) =>
    listCommandsAt(selectBaseFolder(base, folder))
      .filter(({ family }) => !known.has(family))
      .map(({ command, from }) => ({
        command: `(cd ${quoteShellWord(folder)} && ${command})`,
        from: from.map((file) => `${folder}/${file}`),
      })),
  );
  const found = [...root, ...below];
  if (found.length === 0) return undefined;
  return {
    command: found.map(({ command }) => command).join(" && "),
    from: found.flatMap(({ from }) => from),
  };
}

interface FoundSetup extends ProposedSetup {
  readonly family: keyof typeof families;
}

function listCommandsAt(base: BaseFiles): FoundSetup[] {
  return (Object.keys(families) as (keyof typeof families)[]).flatMap((family): FoundSetup[] => {
    const rule = families[family].find(
      ({ file, when }) => base.files.includes(file) && (when?.(base) ?? true),
    );
    if (rule) return [{ family, command: rule.command, from: [rule.file] }];
    const python = family === "python" ? detectPythonSetup(base) : undefined;
    return python ? [{ family, ...python }] : [];
  });
}

function isYarnOne({ text }: BaseFiles): boolean {
  return (text("yarn.lock") ?? "").includes("# yarn lockfile v1");
}

/** package.json names packages, or workspaces that must be linked. */
function hasPackages({ text }: BaseFiles): boolean {
  try {
    const read: unknown = JSON.parse(text("package.json") ?? "");
    const file = typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
    const kinds = ["dependencies", "devDependencies", "optionalDependencies", "workspaces"];
    return kinds.some((kind) => Object.keys(Object(file[kind])).length > 0);
  } catch {
    return false;
  }
}
