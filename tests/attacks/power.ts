// A disk whose power can be cut: an ext4 image on a loop device. What a copy of the image holds at a moment is what would
// be left if the power went at that moment, since everything the kernel keeps in memory is in the mounted file system only.
import { execFileSync, spawnSync } from "node:child_process";
import { constants, copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Disk {
  /** Where it is mounted. */
  readonly path: string;
  /** Copies what is on the disk now. */
  cut(): string;
  /** Repairs a copy as a booting machine would, mounts it and looks at it. */
  afterwards<T>(copy: string, look: (path: string) => Promise<T>): Promise<T>;
  remove(): void;
}

/** Why there can be no such disk here; undefined when there can. */
export function whyNoDisk(): string | undefined {
  if (process.platform !== "linux") return "it needs Linux";
  if (process.getuid?.() !== 0) return "it needs root, for mounting";
  for (const tool of ["mkfs.ext4", "e2fsck", "mount", "umount"])
    if (spawnSync("sh", ["-c", `command -v ${tool}`]).status !== 0) return `it needs ${tool}`;
  try {
    makeDisk().remove();
    return undefined;
  } catch (error) {
    return `no loop device: ${(error as Error).message.split("\n")[0]}`;
  }
}

/** The journal is not committed and nothing written back by itself within a test: only what was synced is there. */
export function makeDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), "pairflow-power-"));
  const image = join(folder, "disk.img");
  const path = join(folder, "disk");
  mkdirSync(path);
  run("truncate", "-s", "96M", image);
  run("mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0", image);
  mount(image, path, "commit=3600,noatime");
  const mounted = new Set([path]);
  let copies = 0;
  const unmount = (place: string) => {
    run("umount", place);
    mounted.delete(place);
  };
  return {
    path,
    cut() {
      copies += 1;
      const copy = join(folder, `after-${copies}.img`);
      copyFileSync(image, copy, constants.COPYFILE_FICLONE);
      return copy;
    },
    async afterwards(copy, look) {
      const place = `${copy}.d`;
      mkdirSync(place);
      // 1: errors were corrected, which is what happens after a power cut.
      const checked = spawnSync("e2fsck", ["-f", "-y", copy]);
      if ((checked.status ?? 8) > 1) throw new Error(`e2fsck: ${checked.stdout}`);
      mount(copy, place, "noatime");
      mounted.add(place);
      try {
        return await look(place);
      } finally {
        unmount(place);
        rmSync(copy);
      }
    },
    remove() {
      for (const place of mounted) spawnSync("umount", ["-l", place]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mount(image: string, path: string, options: string): void {
  run("mount", "-t", "ext4", "-o", `loop,${options}`, image, path);
}

function run(...[program = "", ...args]: string[]): void {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "pipe"] });
}
