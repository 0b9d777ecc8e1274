// A page that other machines reach: its name, its certificate, its password, and what that means.
import { buildUsageError, readNamedText } from "../../app/host/usage.ts";
import { generatePassword } from "../../server/session/password.ts";
import type { Shell } from "../verb/declaration.ts";

interface OutsideFlags {
  readonly cert?: string;
  readonly "cert-key"?: string;
  readonly "password-file"?: string;
}

export interface OutsidePage {
  readonly name: string;
  readonly tls?: { readonly cert: string; readonly key: string };
  readonly password: string;
  /** Nobody knows it yet. */
  readonly isNew: boolean;
}

const shortest = 12;

export function readOutsidePage(name: string, flags: OutsideFlags): OutsidePage {
  const { cert, "cert-key": key, "password-file": file } = flags;
  if ((cert === undefined) !== (key === undefined))
    throw buildUsageError("usage.missing-flag", "--cert and --cert-key go together", "pairflow ui --help");
  const password = file === undefined ? generatePassword() : (readText(file).split("\n")[0] ?? "").trim();
  if (password.length < shortest)
    throw buildUsageError(
      "ui.password-short",
      `the password in ${file} has less than ${shortest} characters`,
    );
  const tls =
    cert !== undefined && key !== undefined ? { cert: readText(cert), key: readText(key) } : undefined;
  return { name: name.toLowerCase(), ...(tls ? { tls } : {}), password, isNew: file === undefined };
}

const readText = (file: string): string =>
  readNamedText(file, ({ message }) =>
    buildUsageError("ui.file-unreadable", `${file} could not be read: ${message}`),
  );

/** Said before anybody can come in. */
export function sayOutside(shell: Shell, { tls, password, isNew }: OutsidePage): void {
  if (isNew) shell.say(`Password for this start: ${password}`);
  shell.say("A person who knows the password reads every record and can answer, rework and stop.");
  shell.say(
    tls
      ? "Approving takes a passkey made under this name. Ctrl-C ends it."
      : "Without --cert everything crosses the network in the clear, and nothing is granted. Ctrl-C ends it.",
  );
}
