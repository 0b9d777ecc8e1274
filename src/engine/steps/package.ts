// Writing done-package.md and the digest a human signs.
import type { State } from "../../core/model/state.ts";
import { approvalSubject, packageMarkdown, packageView } from "../../core/signing/package.ts";
import { handle, load } from "../handle/handle.ts";
import { writeReviewViews } from "../views/review-views.ts";
import { isGitKnown } from "../watch/git-watch.ts";
import type { World } from "../world/world.ts";

export async function writePackage(world: World, before: State, tree: string, driver: string): Promise<void> {
  if (!(await isGitKnown(world, before, driver))) return;
  // What that look has put on the record belongs into the package.
  const state = (await load(world, before.bubbleId)).state ?? before;
  const markdown = packageMarkdown(packageView(state));
  const { name, sha256 } = await world.records.put(state.bubbleId, "done-package.md", markdown);
  world.crashPoint("package.written");
  const digest = world.hash.sha256(approvalSubject(state, sha256));
  await handle(world, state.bubbleId, {
    type: "package-written",
    actor: { kind: "driver", id: driver },
    tree,
    artifact: name,
    sha256,
    digest,
  });
  await writeReviewViews(world, state.bubbleId, driver);
}
