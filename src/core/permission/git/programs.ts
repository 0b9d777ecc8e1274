// Which settings and variables keep git from starting a program that a configuration file names. Every call of git gets
// them; calls that read or write files get a private git folder on top, whose configuration names no program at all.

/** Spoken over whatever a configuration file says, for the calls that have to read the repository's own file. */
export const safeSettings: readonly string[] = [
  "core.hooksPath=/dev/null",
  "core.fsmonitor=false",
  "core.pager=cat",
  "core.editor=false",
  "core.askPass=",
  "core.sshCommand=false",
  "core.gitProxy=",
  // Empty would run the path it is given; this one does nothing.
  "core.alternateRefsCommand=:",
  "credential.helper=",
  "diff.external=",
  "log.showSignature=false",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
  "gpg.program=false",
  "gpg.ssh.program=false",
  "gpg.x509.program=false",
  "protocol.ext.allow=never",
  "submodule.recurse=false",
  "gc.auto=0",
  "maintenance.auto=false",
];

/** The same as arguments in front of a git command. */
export const safeArguments: readonly string[] = safeSettings.flatMap((setting) => ["-c", setting]);

/** Variables of every call: nothing is fetched behind our back, nobody is asked, and no ref replaces another object. */
export const safeVariables: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_PAGER: "cat",
  // A replacement ref could show one commit and mean another.
  GIT_NO_REPLACE_OBJECTS: "1",
  // A missing object must not start the transport that a remote's settings name.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_ATTR_NOSYSTEM: "1",
};

/** Variables with which neither the user's nor the machine's configuration is read. */
export const withoutUserSettings: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

/** Settings that are values and name no program: how bytes and names on this disk become git's. */
export const fileSettings: readonly string[] = [
  "core.filemode",
  "core.symlinks",
  "core.ignorecase",
  "core.precomposeunicode",
  "core.autocrlf",
  "core.eol",
  "extensions.objectformat",
  "extensions.refstorage",
];
