/** Playwright words it so, and our own connection too. */
const REFUSED = /Protocol error \(([\w.]+)\): (.*)/;
/** The browser has ended the page, or what the command was for, by itself: it tells of that by its events. */
const GONE = /Invalid InterceptionId|Session with given id|target closed|target navigated or closed/i;

/** The command that the browser refused, and why; null: what was asked about is gone, or the browser. */
export function refusalOf(error: unknown): string | null {
  const told = error instanceof Error ? REFUSED.exec(error.message) : null;
  if (told === null || GONE.test(told[2]!)) return null;
  return `${told[1]}: ${told[2]}`;
}
