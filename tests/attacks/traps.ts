// A repository whose configuration names a program under every key that can name one. Each program leaves its key in a
// file when it runs: an empty file means that git started none of them.
import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface Traps {
  /** Keys whose program ran, in order. */
  readonly sprung: () => string[];
  readonly program: (name: string) => string;
}

/** Makes programs that tell when they run. As filters they also change what they are given. */
export function layTraps(folder: string): Traps {
  const told = join(folder, "sprung.txt");
  mkdirSync(folder, { recursive: true });
  const program = (name: string) => {
    const file = join(folder, name.replace(/[^a-z0-9]+/gi, "-"));
    writeFileSync(file, `#!/bin/sh\necho '${name}' >>'${told}'\nsed 's/good/evil/g' 2>/dev/null\nexit 0\n`);
    chmodSync(file, 0o755);
    return file;
  };
  const sprung = () => (existsSync(told) ? readFileSync(told, "utf8").split("\n").filter(Boolean) : []);
  return { sprung, program };
}

/** Keys of git's configuration whose value is a program, and attributes that call for drivers. */
const keys = [
  "alias.status",
  "core.alternateRefsCommand",
  "core.askPass",
  "core.editor",
  "core.fsmonitor",
  "core.gitProxy",
  "core.pager",
  "core.sshCommand",
  "credential.helper",
  "diff.external",
  "diff.trap.command",
  "diff.trap.textconv",
  "filter.trap.clean",
  "filter.trap.smudge",
  "filter.trap2.process",
  "gpg.program",
  "gpg.ssh.program",
  "gpg.ssh.defaultKeyCommand",
  "gpg.x509.program",
  "interactive.diffFilter",
  "man.trap.cmd",
  "merge.trap.driver",
  "pager.log",
  "pager.status",
  "remote.origin.uploadpack",
  "remote.origin.receivepack",
  "sendemail.smtpServer",
  "sequence.editor",
  "submodule.sub.update",
  "trailer.trap.command",
  "trailer.trap.cmd",
  "uploadpack.packObjectsHook",
  "difftool.trap.cmd",
  "mergetool.trap.cmd",
  "browser.trap.cmd",
  "web.browser",
  "instaweb.httpd",
  "receive.procReceiveRefs",
  "lfs.customtransfer.trap.path",
];

const bang = ["alias.status", "submodule.sub.update", "credential.helper"];
/** Values that make git more willing to start one. */
const willing = [
  ["commit.gpgSign", "true"],
  ["tag.gpgSign", "true"],
  ["log.showSignature", "true"],
  ["merge.default", "trap"],
  ["protocol.ext.allow", "always"],
  ["remote.origin.promisor", "true"],
  ["remote.origin.url", "/nowhere"],
  ["core.fsmonitorHookVersion", "2"],
  ["trailer.trap.ifmissing", "add"],
  ["filter.trap.required", "true"],
] as const;

const hooks = [
  "applypatch-msg",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "pre-auto-gc",
  "pre-merge-commit",
  "prepare-commit-msg",
  "reference-transaction",
];

/** The configuration as git writes it, for a file of a repository or of a user. */
export function trapConfig(traps: Traps, label: string): string {
  const line = (key: string, value: string) => {
    const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
    const middle = first === last ? "" : ` "${key.slice(first + 1, last)}"`;
    return `[${key.slice(0, first)}${middle}]\n\t${key.slice(last + 1)} = "${value}"\n`;
  };
  const all = keys.map((key) => {
    const program = traps.program(`${label} ${key}`);
    return line(key, bang.includes(key) ? `!${program}` : program);
  });
  return [...all, ...willing.map(([key, value]) => line(key, value))].join("");
}

/** Every file of these names is given to every driver. */
export const trapAttributes =
  "*.txt filter=trap diff=trap merge=trap\n*.js filter=trap2 diff=trap merge=trap\n";

/** Puts traps into a repository's own git folder, as an agent without a sandbox could. */
export function trapRepository(gitDir: string, traps: Traps, label = "repository"): void {
  const included = join(dirname(traps.program(`${label} include`)), `${label}-included.config`);
  writeFileSync(included, trapConfig(traps, `${label} included`));
  appendFileSync(join(gitDir, "config"), `${trapConfig(traps, label)}[include]\n\tpath = ${included}\n`);
  mkdirSync(join(gitDir, "info"), { recursive: true });
  appendFileSync(join(gitDir, "info", "attributes"), trapAttributes);
  mkdirSync(join(gitDir, "hooks"), { recursive: true });
  for (const hook of hooks) {
    const file = join(gitDir, "hooks", hook);
    writeFileSync(file, `#!/bin/sh\nexec ${traps.program(`${label} hook ${hook}`)}\n`);
    chmodSync(file, 0o755);
  }
}
