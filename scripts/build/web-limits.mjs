// How many bytes each part of the page may have after gzip. A number is raised on purpose, never by the way.

/** What the browser loads before anything is shown: scripts and styles. */
export const firstLoadLimit = 40_000;

export const chunkLimits = {
  first: 34_000,
  "all.css": 6_000,
  review: 16_000,
  highlight: 30_000,
  panes: 5_000,
  plan: 2_000,
  plans: 3_000,
  "markdown-elements": 17_000,
  workflow: 22_000,
  insights: 4_000,
  shared: 1_000,
};
