// The bar at the foot of a review: the decision where there is one, and on a phone the way to files and findings.
import { useRef } from "preact/hooks";
import type { ReviewPage } from "../../../../src/core/views/page/review/payload.ts";
import type { BubbleAt } from "../../bubble/head.tsx";
import { isViewed, type Reading } from "../reading.ts";
import { Side } from "../side.tsx";
import { Sign } from "./sign.tsx";

interface BarProps {
  readonly at: BubbleAt;
  readonly page: ReviewPage;
  readonly reading: Reading;
}

export function Bar({ at, page, reading }: BarProps) {
  const sheet = useRef<HTMLDialogElement>(null);
  const viewed = page.files.filter((file) => isViewed(reading, file)).length;
  return (
    <section class={`foot ${page.sign ? "decides" : ""}`} aria-label="Decide">
      <button type="button" class="to-sheet" onClick={() => sheet.current?.showModal()}>
        Files {viewed}/{page.files.length}
      </button>
      <dialog ref={sheet} class="from-below" aria-label="Files and findings">
        <Side page={page} reading={reading} go={() => sheet.current?.close()} />
        <p class="way">
          <button type="button" onClick={() => sheet.current?.close()}>
            Close
          </button>
        </p>
      </dialog>
      {page.sign ? <Sign at={at} page={page} sign={page.sign} reading={reading} /> : null}
    </section>
  );
}
