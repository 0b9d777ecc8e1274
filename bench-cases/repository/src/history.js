// What changed in the catalogue, which is a git repository. `run(program, args)` runs a program without a shell and
// resolves to what it prints.

/** The commit the catalogue stands at. */
export async function revision(run) {
  return (await run("git", ["rev-parse", "HEAD"])).trim();
}
