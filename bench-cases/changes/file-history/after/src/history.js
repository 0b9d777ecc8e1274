// What changed in the catalogue, which is a git repository. `run(program, args)` runs a program without a shell and
// resolves to what it prints.

/** The commit the catalogue stands at. */
export async function revision(run) {
  return (await run("git", ["rev-parse", "HEAD"])).trim();
}

/** The titles of the commits that changed a file, the newest first. The file's name comes from a visitor. */
export async function historyOf(file, run) {
  const printed = await run("git", ["--literal-pathspecs", "log", "--format=%s", "--", file]);
  return printed.split("\n").filter((title) => title !== "");
}
