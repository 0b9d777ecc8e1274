// How a Python project without a lockfile is made ready: an environment of its own with what its requirement files name,
// the project itself where its tests import it as installed, and the test runner.
import { compileGlobs } from "../../text/glob.ts";
import type { BaseFiles } from "./condition.ts";

export interface PythonSetup {
  readonly command: string;
  readonly from: readonly string[];
}

const lists = [
  "requirements.txt",
  "requirements-dev.txt",
  "requirements_dev.txt",
  "requirements-test.txt",
  "dev-requirements.txt",
  "test-requirements.txt",
];
const extras = ["test", "tests", "testing", "dev"];

/** The files whose text is looked at. */
export const pythonReads: readonly string[] = ["pyproject.toml", "setup.py", "setup.cfg", ...lists];

/** Undefined when the project needs nothing, or nothing says what. */
export function detectPythonSetup(base: BaseFiles): PythonSetup | undefined {
  const named = lists.filter((file) => /^\s*[^#\s]/m.test(base.text(file) ?? ""));
  const project = findProjectFile(base);
  if (named.length === 0 && project === undefined) return undefined;
  const extra = project === undefined ? undefined : findExtra(base);
  const parts = [
    ...named.map((file) => `-r ${file}`),
    ...(project === undefined ? [] : [extra ? `-e ".[${extra.name}]"` : "-e ."]),
    ...(isRunnerNeeded(base, [...named.map((file) => base.text(file) ?? ""), extra?.text ?? ""])
      ? ["pytest"]
      : []),
  ];
  return {
    command: `python3 -m venv .venv && .venv/bin/pip install -q ${parts.join(" ")}`,
    from: [...named, ...(project === undefined ? [] : [project])],
  };
}

/** The file that makes it installable, where it must be installed: it is below src, or depends on packages. */
function findProjectFile(base: BaseFiles): string | undefined {
  const isBelowSource = base.files.some((path) => /^src\/[^/]+\/__init__\.pyi?$/.test(path));
  const project = base.text("pyproject.toml") ?? "";
  if (/^\[build-system\]/m.test(project))
    return isBelowSource || /^dependencies\s*=\s*\[\s*["']/m.test(project) ? "pyproject.toml" : undefined;
  if (!base.files.includes("setup.py")) return undefined;
  const spoken = `${base.text("setup.py") ?? ""}\n${base.text("setup.cfg") ?? ""}`;
  return isBelowSource || /\binstall_requires\b/.test(spoken) ? "setup.py" : undefined;
}

/** The optional dependencies that are meant for tests. */
function findExtra(base: BaseFiles): { readonly name: string; readonly text: string } | undefined {
  const [, section = ""] = (base.text("pyproject.toml") ?? "").split(/^\[project\.optional-dependencies\]$/m);
  const own = section.split(/^\[/m)[0] ?? "";
  for (const name of extras) {
    const found = new RegExp(`^${name}\\s*=\\s*\\[([^\\]]*)`, "m").exec(own);
    if (found) return { name, text: found[1] ?? "" };
  }
  return undefined;
}

/** pytest is what runs, and nothing that is installed brings it in. */
function isRunnerNeeded(base: BaseFiles, installed: readonly string[]): boolean {
  const hasTests = base.files.some(compileGlobs(["pytest.ini", "tests/**/*.py"]));
  const isNamed = ["pyproject.toml", "setup.cfg", "setup.py"].some((path) =>
    /pytest/.test(base.text(path) ?? ""),
  );
  return (hasTests || isNamed) && !installed.some((text) => /^[\s"']*pytest/m.test(text));
}
