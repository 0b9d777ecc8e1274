// How to get a tool, for those that presets and lock files call for by themselves. A gate's own sentence is about what
// it runs; where the runner in front of it is missing, that sentence would be wrong.
import type { Gate } from "../../model/gate.ts";
import { splitCommandWords } from "../output/missing-tool.ts";

const hints: Readonly<Record<string, string>> = {
  npm: "Install Node.js, which brings npm: https://nodejs.org",
  npx: "Install Node.js, which brings npx: https://nodejs.org",
  node: "Install Node.js: https://nodejs.org",
  pnpm: "Install pnpm: npm install --global pnpm",
  yarn: "Install Yarn: npm install --global yarn",
  bun: "Install Bun: https://bun.sh",
  uv: "Install uv: https://docs.astral.sh/uv/getting-started/installation",
  poetry: "Install Poetry: https://python-poetry.org/docs/#installation",
  python3: "Install Python: https://www.python.org/downloads",
  go: "Install Go: https://go.dev/doc/install",
  cargo: "Install Rust: https://rustup.rs",
  mvn: "Install Maven: https://maven.apache.org/install.html",
  gradle: "Install Gradle: https://gradle.org/install",
  make: "Install make: https://www.gnu.org/software/make",
};

/** A sentence that can be followed: the runner's own, the gate's, or how to look. */
export function installHint({ command, install }: Pick<Gate, "command" | "install">, tool: string): string {
  const isRunner = splitCommandWords(command)[0] === tool && Object.hasOwn(hints, tool);
  return (isRunner ? hints[tool] : undefined) ?? install ?? `Check with: command -v ${tool}`;
}
