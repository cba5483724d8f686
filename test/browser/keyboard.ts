// A page as somebody uses it who has no mouse: Tab reaches everything, and a ring shows where one is.
import type { Page } from 'playwright-core';

/** Usable elements in sight; of radio buttons with one name the chosen one, or the first. */
const USABLE = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter(
  (each) => each.checkVisibility({ visibilityProperty: true }) && !each.disabled &&
    (each.type !== 'radio' || each.checked ||
      [...document.getElementsByName(each.name)].every((other) => !other.checked) &&
      document.getElementsByName(each.name)[0] === each))`;

/** Notes each element that gets the focus, and whether a ring is drawn around it. */
const WATCH = `{
  document.activeElement.blur();
  scrollTo(0, 0);
  if (window.reached === undefined) {
    document.addEventListener('focusin', ({ target }) => {
      const ring = target.closest('.tags') ?? target;
      reached.set(target, getComputedStyle(ring).outlineStyle !== 'none');
    });
  }
  window.reached = new Map();
}`;

const MISSED = `${USABLE}.filter((each) => !reached.has(each)).map((each) => each.outerHTML.slice(0, 200))`;
const RINGLESS = `[...reached].filter(([, hasRing]) => !hasRing).map(([each]) => each.outerHTML.slice(0, 200))`;

/** Elements that Tab does not reach, and elements that it reaches without a ring. */
export async function walk(page: Page): Promise<{ missed: string[]; ringless: string[] }> {
  await page.evaluate(WATCH);
  const missed = (): Promise<string[]> => page.evaluate(MISSED);
  const count = (await missed()).length;
  // A field of a date or time has several stops.
  for (let round = 0; round < 4 && (await missed()).length > 0; round++)
    for (let presses = 0; presses <= count; presses++) await page.keyboard.press('Tab');
  return { missed: await missed(), ringless: await page.evaluate(RINGLESS) };
}
