// What records and locks need of the file system, tried with files that are removed again: appends that do not overwrite one
// another, a sync, names and links that exactly one process can make, an atomic replacement, a notice of a change.
import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { quoteShellWord } from "../../../core/model/value/shell-word.ts";
import { type Check, reportError, reportOk, reportWarning } from "../../host/check.ts";

const newsMs = 2_000;

export function checkDiskPromises(repo: string): Check {
  const name = "record";
  if (!existsSync(join(repo, ".pairflow")))
    return reportError(name, "there is no .pairflow folder yet", "pairflow init");
  const runtime = join(repo, ".pairflow", "runtime");
  const folder = join(runtime, `.probe-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    const broken = promises.find(({ holds }) => !holds(folder));
    if (!broken)
      return reportOk(name, `appending, syncing and linking work in .pairflow${describeCaseNote(folder)}`);
    return reportError(name, broken.says, `findmnt -T ${quoteShellWord(repo)}`);
  } catch (error) {
    const says = `.pairflow cannot be written: ${(error as Error).message}`;
    return reportError(name, says, `sudo chown -R "$(id -un)" ${quoteShellWord(join(repo, ".pairflow"))}`);
  } finally {
    takeAway(folder);
  }
}

/** What could not be made cannot be taken away either, and has been told. */
function takeAway(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The person who fixes the folder removes it.
  }
}

interface DiskPromise {
  readonly says: string;
  holds(folder: string): boolean;
}

const promises: readonly DiskPromise[] = [
  { says: "appends overwrite one another on this disk", holds: appendsAdd },
  { says: "two processes can make the same file on this disk", holds: namesAreTaken },
  { says: "this disk has no links, which locks are made of", holds: doLinksWork },
  { says: "a file cannot be replaced at one stroke on this disk", holds: renameReplaces },
];

function appendsAdd(folder: string): boolean {
  const path = join(folder, "appended");
  const flags = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;
  const [one, two] = [openSync(path, flags), openSync(path, flags)];
  try {
    writeSync(one, "one");
    writeSync(two, "two");
    writeSync(one, "three");
    fsyncSync(one);
    return readFileSync(path, "utf8") === "onetwothree";
  } finally {
    closeSync(one);
    closeSync(two);
  }
}

function namesAreTaken(folder: string): boolean {
  const path = join(folder, "taken");
  writeFileSync(path, "", { flag: "wx" });
  return isRefusedWith("EEXIST", () => writeFileSync(path, "", { flag: "wx" }));
}

function doLinksWork(folder: string): boolean {
  const [target, hard, soft] = [join(folder, "linked"), join(folder, "hard"), join(folder, "soft")];
  writeFileSync(target, "");
  try {
    linkSync(target, hard);
    symlinkSync("nobody", soft);
  } catch {
    return false;
  }
  return (
    isRefusedWith("EEXIST", () => linkSync(target, hard)) &&
    isRefusedWith("EEXIST", () => symlinkSync("other", soft))
  );
}

function renameReplaces(folder: string): boolean {
  const [old, young] = [join(folder, "old"), join(folder, "young")];
  writeFileSync(old, "old");
  writeFileSync(young, "young");
  try {
    renameSync(young, old);
  } catch {
    return false;
  }
  return readFileSync(old, "utf8") === "young" && !existsSync(young);
}

function isRefusedWith(code: string, act: () => void): boolean {
  try {
    act();
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === code;
  }
}

/** Ids that differ only in case are one bubble there. */
function describeCaseNote(folder: string): string {
  writeFileSync(join(folder, "case"), "");
  return existsSync(join(folder, "CASE")) ? "; it takes upper and lower case for the same" : "";
}

/** Without news of changes the drivers look once a second: slower, and nothing breaks. */
export async function watchCheck(repo: string): Promise<Check> {
  const name = "watching";
  const folder = join(repo, ".pairflow", "runtime", `.probe-watch-${process.pid}`);
  try {
    mkdirSync(folder, { recursive: true });
    const news = await canWatch(folder);
    if (news) return reportOk(name, "changes of files are reported at once");
    const says = "this disk does not report changes of files; bubbles react up to a second later";
    return reportWarning(name, says, `findmnt -T ${quoteShellWord(repo)}`);
  } catch (error) {
    const says = `files cannot be watched (${(error as Error).message}); bubbles react up to a second later`;
    const fix = "sudo sysctl fs.inotify.max_user_watches=524288 fs.inotify.max_user_instances=1024";
    return reportWarning(name, says, fix);
  } finally {
    takeAway(folder);
  }
}

function canWatch(folder: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const watcher = watch(folder, () => settle(true));
    const limit = setTimeout(() => settle(false), newsMs);
    const settle = (heard: boolean) => {
      clearTimeout(limit);
      watcher.close();
      resolve(heard);
    };
    watcher.once("error", (error) => {
      clearTimeout(limit);
      watcher.close();
      reject(error);
    });
    writeFileSync(join(folder, "news"), "x");
  });
}
