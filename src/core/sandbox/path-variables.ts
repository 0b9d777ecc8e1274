// How presets name folders of a person's machine: `${CARGO_HOME:-~/.cargo}/registry` is the variable's value where it is
// set, else the path behind the dash; `~` is the home.
import { tryOr } from "../model/value/try-or.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const form = /^\$\{([A-Z][A-Z0-9_]*):-([^}]*)\}(.*)$/;

/** The absolute path it means, or undefined: a name that is empty or leads nowhere means nothing. */
export function resolveSandboxPath(text: string, home: string, variables: Variables): string | undefined {
  const match = form.exec(text);
  const [, name = "", otherwise = "", rest = ""] = match ?? [];
  const value = variables[name];
  const whole = match ? `${value === undefined || value === "" ? otherwise : value}${rest}` : text;
  const path = whole.startsWith("~/") ? `${home}${whole.slice(1)}` : whole;
  return path.startsWith("/") && !path.split("/").includes("..") ? path.replace(/\/+$/, "") : undefined;
}

/** The folders of this machine that a variable of package indexes names: paths and `file:` addresses between others. */
export function findLocalFolders(value: string): string[] {
  return value.split(/[\s,|]+/).flatMap((part) => {
    const path = part.replace(/^file:\/\/(?:localhost)?(?=\/)/, "");
    return path.startsWith("/") && !path.split("/").includes("..")
      ? [tryOr(() => decodeURIComponent(path), path)]
      : [];
  });
}
