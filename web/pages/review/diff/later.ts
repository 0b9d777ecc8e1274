// Draws what is not seen yet: at once when it comes near, otherwise piece by piece while the browser has nothing else to do, so
// that searching in the page finds everything after a while.

const waiting = new Map<Element, () => void>();
let isAsked = false;

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) draw(target);
  },
  { rootMargin: "1600px" },
);

/** Returns what takes the wish back. */
export function drawLater(place: Element, run: () => void): () => void {
  waiting.set(place, run);
  near.observe(place);
  askForIdle();
  return () => forget(place);
}

function forget(place: Element): void {
  near.unobserve(place);
  waiting.delete(place);
}

function draw(place: Element): void {
  const run = waiting.get(place);
  forget(place);
  run?.();
}

function askForIdle(): void {
  if (isAsked || waiting.size === 0) return;
  isAsked = true;
  const next = () => {
    isAsked = false;
    const [place] = waiting.keys();
    if (place) draw(place);
    askForIdle();
  };
  if ("requestIdleCallback" in window) requestIdleCallback(next);
  else setTimeout(next, 50);
}
