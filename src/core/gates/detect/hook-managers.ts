// Hooks that a repository brings along and that a manager must install first: until then git runs none of them, and
// neither does a bubble. A person who cloned and never installed the packages would miss that.

interface HookManager {
  readonly name: string;
  /** Any of them at the root says that the repository uses it. */
  readonly files: readonly string[];
  /** Run once in the checkout. */
  readonly install: string;
}

const managers: readonly HookManager[] = [
  { name: "husky", files: [".husky/pre-commit", ".husky/commit-msg"], install: "npx husky" },
  { name: "pre-commit", files: [".pre-commit-config.yaml"], install: "pre-commit install" },
  {
    name: "lefthook",
    files: ["lefthook", ".lefthook"].flatMap((name) => [`${name}.yml`, `${name}.yaml`, `${name}.toml`]),
    install: "lefthook install",
  },
];

/** One line for each manager whose hooks are in the base while no hook is installed. */
export function noteMissingHooks(filesAtBase: readonly string[], installed: readonly string[]): string[] {
  if (installed.length > 0) return [];
  return managers.flatMap(({ name, files, install }) => {
    const file = files.find((path) => filesAtBase.includes(path));
    return file === undefined
      ? []
      : [`hooks of ${name} (${file}) are not installed in this checkout and do not run: ${install}`];
  });
}
