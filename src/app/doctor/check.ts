// The form of one finding of the doctor, and the check that three tools share.

export interface Check {
  readonly name: string;
  /** A warning stops nobody: something is missing that not everybody needs, or is merely untidy. */
  readonly status: "ok" | "warning" | "error";
  readonly says: string;
  /** What to type, or to do. */
  readonly fix?: string;
}

type Version = readonly [major: number, minor: number];

/** Judges the first version number in a text; a text without one means that the tool is not there. */
export function versionCheck(name: string, text: string, [major, minor]: Version, fix: string): Check {
  const found = /(\d+)\.(\d+)\S*/.exec(text);
  if (!found) return { name, status: "error", says: "not installed, or not on the PATH", fix };
  const [version, foundMajor, foundMinor] = [found[0], Number(found[1]), Number(found[2])];
  const isOld = foundMajor < major || (foundMajor === major && foundMinor < minor);
  if (!isOld) return { name, status: "ok", says: version };
  return { name, status: "error", says: `${version} is too old; ${major}.${minor} is needed`, fix };
}
