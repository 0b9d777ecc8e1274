// Where this package's own files are: workflows, prompts, presets, the command itself.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder with package.json above this code, whether it runs bundled or from source. */
export function findPackageRoot(): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json")) && existsSync(join(folder, "workflows"))) return folder;
    if (folder === dirname(folder)) throw new Error("the package's own folder was not found");
  }
}

/** The command as an argument list, to be started from other processes. */
export function getSelfCommand(): string[] {
  return [process.execPath, join(findPackageRoot(), "bin", "pairflow")];
}

/** The folder with the command itself. */
export const getOwnBin = (): string => join(findPackageRoot(), "bin");

/** The command that drives a bubble, as the status pane and the background driver run it. */
export function driveCommand(repo: string, bubble: string, seat: string): string[] {
  return [...getSelfCommand(), "bubble", "drive", "--id", bubble, "--repo", repo, "--seat", seat];
}

/** The command that shows a bubble, as the status pane runs it where a worker drives. */
export function watchCommand(repo: string, bubble: string): string[] {
  return [...getSelfCommand(), "bubble", "status", "--id", bubble, "--repo", repo, "--watch"];
}

/** The role's text in prompts/; roles without one get none. */
export function readRoleText(role: string): string {
  const file = join(findPackageRoot(), "prompts", `${role}.md`);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
