// The review: somebody who was not there judges a change, says on the line what is wrong, or signs it.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ReviewPage } from "../../../src/core/views/page/review/payload.ts";
import { send } from "../../live/ask.ts";
import { type BubbleAt, BubbleHead, useTab } from "../bubble/head.tsx";
import { About } from "./about.tsx";
import { type Desk, openDesk } from "./desk.ts";
import { File } from "./file.tsx";
import { ReviewKeys } from "./review-keys.tsx";
import { Side } from "./side.tsx";
import { Sign } from "./sign.tsx";
import { Trees } from "./trees.tsx";

export function Review({ at }: { readonly at: BubbleAt }) {
  const query = useSignal(location.search);
  const loaded = useTab<ReviewPage>(at, "review", query.value);
  const { value } = loaded;
  return (
    <div class="review">
      <BubbleHead at={at} loaded={loaded} />
      {value ? (
        <Loaded
          at={at}
          page={value}
          choose={(wanted) => {
            history.replaceState(null, "", location.pathname + wanted);
            query.value = wanted;
          }}
        />
      ) : null}
    </div>
  );
}

interface LoadedProps {
  readonly at: BubbleAt;
  readonly page: ReviewPage;
  choose(query: string): void;
}

function Loaded({ at, page, choose }: LoadedProps) {
  const desk: Desk = openDesk(at, page);
  useEffect(() => {
    void send("/api/notes", { repo: at.repo, bubble: at.id, change: { note: "looked", tree: page.to.id } });
  }, [page.to.id]);
  return (
    <>
      <p class="what-changed">{page.what}</p>
      <Trees page={page} desk={desk} choose={choose} />
      <div class="desk">
        <Side page={page} desk={desk} />
        <div class="files">
          {page.files.length === 0 ? <p class="nothing">These trees are the same.</p> : null}
          {page.files.map((file) => (
            <File
              key={`${page.from.id}${page.to.id}${file.path}`}
              file={file}
              page={page}
              desk={desk}
              at={at}
            />
          ))}
          <About page={page} />
        </div>
      </div>
      {page.sign ? <Sign at={at} page={page} sign={page.sign} desk={desk} /> : null}
      <ReviewKeys page={page} desk={desk} choose={choose} />
    </>
  );
}
