// What a person cannot read whole: text that is cut off at the edge of its element, or runs out over it, and a page that is wider
// than its window. Elements that may be scrolled are no fault.
import type { Page } from "playwright-core";

const looks = (["light", "dark"] as const).flatMap((colorScheme) =>
  [390, 1920, 2560].map((width) => ({ colorScheme, width })),
);

/** On a phone, a wide screen and a very wide one, light and dark. The window is left as it was. */
export async function listClipped(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    for (const one of await page.evaluate<string[]>(findClipped))
      found.push(`${colorScheme} ${width}: ${one}`);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
  return found;
}

/** Runs in the page. */
const findClipped = `(() => {
  const isOver = (one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
  const beyond = document.documentElement.scrollWidth - innerWidth;
  const found = beyond > 0 ? ["the page is " + beyond + " px wider than its window"] : [];
  for (const one of document.querySelectorAll("body *")) {
    const { overflowX, overflowY, display, visibility } = getComputedStyle(one);
    const { width, height } = one.getBoundingClientRect();
    // What is there for screen readers alone is one pixel wide.
    const isSeen = display !== "inline" && visibility !== "hidden" && width > 1 && height > 1;
    if (isSeen && overflowY === "hidden" && one.scrollHeight > one.clientHeight + 2)
      found.push(one.tagName.toLowerCase() + "." + one.className + " is cut off below");
    const mayScroll = overflowX === "auto" || overflowX === "scroll";
    if (!isSeen || mayScroll || !isOver(one) || one.closest("svg, select, input, textarea")) continue;
    // Told once, by the innermost.
    if ([...one.children].some(isOver)) continue;
    const name = [one.tagName.toLowerCase(), ...one.classList].join(".");
    const text = one.innerText.trim().replaceAll(/\\s+/g, " ").slice(0, 60);
    found.push(name + " " + one.scrollWidth + " > " + one.clientWidth + ": " + text);
  }
  // What is fixed to the window cannot be scrolled to.
  const isFixed = (one) => one !== null && (getComputedStyle(one).position === "fixed" || isFixed(one.parentElement));
  for (const one of document.querySelectorAll("a, button, input")) {
    const { top, bottom, left, right } = one.getBoundingClientRect();
    const isOut = bottom > innerHeight + 1 || right > innerWidth + 1 || top < 0 || left < 0;
    if (one.checkVisibility() && isOut && isFixed(one) && !one.closest("dialog"))
      found.push("out of reach: " + one.innerText);
  }
  return found;
})()`;
