// Writing done-package.md and the digest a human signs.
import { buildApprovalSubject, buildPackageView, renderPackageMarkdown } from "../../core/signing/package.ts";
import { load } from "../handle/command.ts";
import { report, type ShortJob } from "../handle/job.ts";
import { writeReviewViews } from "../views/reviews.ts";
import { isGitKnown } from "../watch/git.ts";

export async function writePackage(job: ShortJob, tree: string): Promise<void> {
  const { world, state: before, driver } = job;
  if (!(await isGitKnown(world, before, driver))) return;
  // What that look has put on the record belongs into the package.
  const state = (await load(world, before.bubbleId)).state ?? before;
  const markdown = renderPackageMarkdown(buildPackageView(state));
  const { name, sha256 } = await world.records.put(state.bubbleId, "done-package.md", markdown);
  world.crashPoint("package.written");
  const digest = world.hash.sha256(buildApprovalSubject(state, sha256));
  await report(job, { type: "package-written", tree, artifact: name, sha256, digest });
  await writeReviewViews(world, state.bubbleId, driver);
}
