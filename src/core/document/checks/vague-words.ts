// Words that sound like a promise and cannot be measured, as data. Each group has the question that its words leave open.

export interface VagueGroup {
  readonly hint: string;
  /** Every form that counts; several words are a phrase. */
  readonly words: readonly string[];
  /** A list of what is meant excuses the word: "several formats: CSV, JSON". */
  readonly excusedByList?: true;
  /** No measure excuses the word: something is still to be written. */
  readonly always?: true;
}

const splitForms = (forms: string): string[] => forms.trim().split(/\s*,\s*/);

export const vagueGroups: readonly VagueGroup[] = [
  {
    hint: "say how fast: a time, and where or how it is measured (p95 below 200 ms)",
    words:
      splitForms(`fast, faster, fastest, fast-loading, quick, quicker, quickest, quickly, rapid, rapidly, speedy, swift, swiftly,
      snappy, performant, high performance, high-performance, good performance, low latency, low-latency, high throughput, high-throughput,
      lightweight, responsive, in real time, near real-time, near real time, near-real-time, blazing, lightning-fast`),
  },
  {
    hint: "say by what it is recognised: a count, a limit, a task a user finishes, a test",
    words:
      splitForms(`easy, easier, easiest, easily, user-friendly, user friendly, intuitive, intuitively, simple, simpler, simplest, convenient,
      conveniently, clearly, smooth, smoothly, seamless, seamlessly, gracefully, robust, robustly, reliable, reliably, scalable, scales well,
      highly available, flexible, flexibly, extensible, maintainable, efficient, efficiently, effectively, optimal, optimally, optimized,
      optimised, optimize, optimise, high quality, high-quality, good quality, modern, state of the art, state-of-the-art, best practice, best practices,
      industry standard, industry-standard, world-class, elegant, attractive, beautiful, nice, nicely, pleasant, meaningful, meaningfully, powerful,
      minimize, minimise, minimizes, minimises, maximize, maximise, maximizes, maximises, minimal, minimally, maximal, maximally`),
  },
  {
    hint: "say what is enough: a number, a limit, or the rule that decides",
    words:
      splitForms(`appropriate, appropriately, suitable, suitably, adequate, adequately, sufficient, sufficiently, reasonable, reasonably,
      acceptable, acceptably, properly, as expected, as usual, as good as possible, normal load, heavy load`),
  },
  {
    hint: "say how many, or name each one",
    excusedByList: true,
    words:
      splitForms(`several, some, many, numerous, various, countless, a few, a couple of, a number of, a lot of, lots of, plenty of,
      a handful of, a variety of, a large number of, a range of, a majority of`),
  },
  {
    hint: "say when or how often: a date, a period, an event",
    words:
      splitForms(`soon, sooner, shortly, promptly, timely, in a timely manner, in due time, in due course, in the near future, at some point, later on,
      usually, typically, generally, normally, often, sometimes, occasionally, frequently, rarely, seldom, regularly, periodically, from time to time,
      most of the time, mostly, for a while, long enough`),
  },
  {
    hint: "say in which case it holds; what may be left out is no requirement",
    words:
      splitForms(`if possible, where possible, when possible, whenever possible, wherever possible, as far as possible, as much as possible,
      as soon as possible, as fast as possible, as quickly as possible, as many as possible, as few as possible, as simple as possible,
      as easy as possible, as little as possible, as needed, if needed, when needed, where needed, as necessary, if necessary, when necessary,
      where necessary, as required, where required, as appropriate, where appropriate, if appropriate, when appropriate, as applicable, where applicable,
      if applicable, best effort, best-effort, ideally, preferably, nice to have, nice-to-have, if time permits, time permitting`),
  },
  {
    hint: "say what happens, as a fact that is true or false",
    words: splitForms("should be able to, should try to, would be nice"),
  },
  {
    hint: "name the rest, or end the list",
    words:
      splitForms(`etc, et cetera, and so on, and so forth, and the like, and others, and similar, or similar, and more, among others,
      including but not limited to, and such, or something`),
  },
  {
    hint: "decide it, or move the question to the risks",
    always: true,
    words: splitForms(
      "tbd, tbc, tba, todo, fixme, to be determined, to be decided, to be defined, to be confirmed, to be announced",
    ),
  },
];

/** Names and idioms in which a listed word is no promise. */
export const harmless: readonly string[] = splitForms(`
  fail fast, fast forward, fast path, fast track, quick start, quick view, quick link, quick links, quick action, quick actions,
  responsive layout, responsive design, responsive image, responsive images, responsive breakpoints, how many, how often, too many requests,
  as many as, as soon as, generally available, frequently asked questions, and more than, acceptable use policy, minimize button, maximize button,
  if some, when some, whenever some, unless some, once some, nice value, nice level, simple mail transfer protocol`);
