// Bringing lines to the disk when it is not known whether they are there. A sync that failed may have dropped the bytes
// and forgotten about it, so that the next sync succeeds and proves nothing: the bytes are written once more, then synced.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  writeSync,
} from "node:fs";

const PIECE_BYTES = 256 * 1024;
/**
 * The owner's execute bit of a transcript says that a sync of it failed and its bytes are not proven to be on the disk.
 * It needs no room, and is needed only as long as the machine runs: after a restart the file is what the disk holds.
 */
const doubtBit = 0o100;

export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Writes the bytes of a range over themselves and syncs them. Throws what the disk says. */
export function proveRange(path: string, { from, to }: Range): void {
  const fd = openSync(path, constants.O_RDWR);
  try {
    const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, Math.max(0, to - from)));
    for (let at = from; at < to; ) {
      const got = readSync(fd, piece, 0, Math.min(piece.length, to - at), at);
      if (got === 0) break;
      writeAll(fd, piece.subarray(0, got), at);
      at += got;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** From now on nobody builds on this file before its bytes are proven. */
export function markDoubt(path: string, fd: number): void {
  try {
    chmodSync(path, fstatSync(fd).mode | doubtBit);
  } catch {
    // On such a disk every later write fails as well.
  }
}

/** Proves the file if somebody has marked it; throws what the disk says, and then the mark stays. */
export function settleDoubt(path: string, fd: number): void {
  if ((fstatSync(fd).mode & doubtBit) !== 0) proveFile(path, fd);
}

/** Proves every byte of a file, and takes the mark away. */
export function proveFile(path: string, fd: number): void {
  const { mode, size } = fstatSync(fd);
  proveRange(path, { from: 0, to: size });
  if ((mode & doubtBit) !== 0) fchmodSync(fd, mode & 0o777 & ~doubtBit);
}

function writeAll(fd: number, bytes: Buffer, at: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, at + done);
}
