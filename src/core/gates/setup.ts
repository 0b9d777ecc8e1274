// The command that brings in what a repository depends on, by the lockfiles of its base commit. Only a proposal: a human
// confirms it together with the gates, which would be red or could not run without it.

export interface ProposedSetup {
  readonly command: string;
  /** The files it was recognised by. */
  readonly from: readonly string[];
}

interface Base {
  readonly files: readonly string[];
  text(path: string): string | undefined;
}

interface Rule {
  readonly file: string;
  readonly command: string;
  /** The file is there, but is it meant? Judged by what files say. */
  readonly when?: (base: Base) => boolean;
}

const frozen = "--frozen-lockfile";

/** One ecosystem a list, the most exact rule first: of each list at most one command is proposed. */
const families: readonly (readonly Rule[])[] = [
  [
    { file: "pnpm-lock.yaml", command: `pnpm install ${frozen}` },
    { file: "yarn.lock", command: `yarn install ${frozen}`, when: isYarnOne },
    { file: "yarn.lock", command: "yarn install --immutable" },
    { file: "bun.lock", command: `bun install ${frozen}` },
    { file: "bun.lockb", command: `bun install ${frozen}` },
    { file: "package-lock.json", command: "npm ci", when: hasPackages },
    { file: "npm-shrinkwrap.json", command: "npm ci", when: hasPackages },
    { file: "package.json", command: "npm install --no-audit --no-fund", when: hasPackages },
  ],
  [
    { file: "uv.lock", command: "uv sync --frozen" },
    { file: "poetry.lock", command: "poetry install --no-interaction" },
    {
      file: "requirements.txt",
      command: "python3 -m venv .venv && .venv/bin/pip install -q -r requirements.txt",
      when: ({ text }) => /^\s*[^#\s]/m.test(text("requirements.txt") ?? ""),
    },
  ],
  [{ file: "Cargo.lock", command: "cargo fetch --locked" }],
  [{ file: "go.sum", command: "go mod download" }],
];

/** The files whose text the rules look at. */
export const setupReads: readonly string[] = ["package.json", "yarn.lock", "requirements.txt"];

/** What should be run in a fresh tree before anything else; undefined when nothing suggests anything. */
export function proposeSetup(base: Base): ProposedSetup | undefined {
  const found = families.flatMap((rules) => {
    const rule = rules.find(({ file, when }) => base.files.includes(file) && (when?.(base) ?? true));
    return rule ? [rule] : [];
  });
  if (found.length === 0) return undefined;
  return {
    command: found.map(({ command }) => command).join(" && "),
    from: found.map(({ file }) => file),
  };
}

function isYarnOne({ text }: Base): boolean {
  return (text("yarn.lock") ?? "").includes("# yarn lockfile v1");
}

/** package.json names packages, or workspaces that must be linked. */
function hasPackages({ text }: Base): boolean {
  try {
    const read: unknown = JSON.parse(text("package.json") ?? "");
    const file = typeof read === "object" && read !== null ? (read as Record<string, unknown>) : {};
    const kinds = ["dependencies", "devDependencies", "optionalDependencies", "workspaces"];
    return kinds.some((kind) => Object.keys(Object(file[kind])).length > 0);
  } catch {
    return false;
  }
}
