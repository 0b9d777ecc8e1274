// What of a person's home everything confined may read, beside what settings list and presets name: who they are to git,
// and nothing that is a login.

export const commonHome: readonly string[] = [
  ".gitconfig",
  ".config/git/config",
  ".config/git/ignore",
  ".config/git/attributes",
];
