// Where programs are, and how a person of this machine gets one that is missing.
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** The file that would be started, found as a shell finds it. */
export function findProgram(program: string, cwd: string, path = process.env.PATH ?? ""): string | undefined {
  const isPath = program.includes("/");
  const candidates = isPath
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : path
        .split(delimiter)
        .filter(Boolean)
        .map((folder) => join(folder, program));
  return candidates.find(isExecutable);
}

/** Folders can be "executed" too, so being a file is asked first. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Package managers by their program, the first that is there counts. */
const managers: readonly (readonly [program: string, line: string])[] = [
  ["brew", "brew install"],
  ["apt-get", "sudo apt-get install -y"],
  ["dnf", "sudo dnf install -y"],
  ["pacman", "sudo pacman -S --noconfirm"],
  ["apk", "sudo apk add"],
  ["zypper", "sudo zypper install -y"],
];

/** The line that installs packages of the system; Debian's where no manager is known. */
export function installLine(...packages: string[]): string {
  const [, line] = managers.find(([program]) => findProgram(program, "/")) ?? [];
  return `${line ?? "sudo apt-get install -y"} ${packages.join(" ")}`;
}
