import { isFailure } from '../../domain/failure.ts';
import { pdfFailure, printPage } from './print.ts';
import { isolatedEvaluator, type ScreenshotTarget, screenshotFailure, takeScreenshot } from './screenshot.ts';

/** Nothing of a document without its root is drawn, not even its dialogs. */
const BLANK_SCRIPT = `(() => {
  const { style } = document.documentElement;
  const before = [style.getPropertyValue('display'), style.getPropertyPriority('display')];
  style.setProperty('display', 'none', 'important');
  return before;
})()`;

const restoreScript = (before: unknown): string =>
  `document.documentElement.style.setProperty('display', ...${JSON.stringify(before)})`;

/** Runs `work` while nothing of the document is visible. null: that did not succeed, so that `work` did not run. */
async function whileBlank<T>(
  page: ScreenshotTarget,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T | null> {
  const evaluate = await isolatedEvaluator(page, signal).catch(() => null);
  const before = await evaluate?.(BLANK_SCRIPT).catch(() => null);
  if (evaluate === null || !Array.isArray(before)) return null;
  try {
    return await work();
  } finally {
    await evaluate(restoreScript(before)).catch(() => {});
  }
}

/** As `takeScreenshot`, but of a page that shows what nobody may see. */
export const takeBlankScreenshot: typeof takeScreenshot = async (page, request, limits) => {
  const taken = await whileBlank(page, limits.signal, () => takeScreenshot(page, request, limits));
  if (taken === null) return screenshotFailure('the page shows credentials, and could not be hidden');
  return isFailure(taken) ? taken : { ...taken, boxes: [] };
};

/** As `printPage`, but of a page that shows what nobody may see. */
export const printBlankPage: typeof printPage = async (page, options, limits) =>
  (await whileBlank(page, limits.signal, () => printPage(page, options, limits))) ??
  pdfFailure('the page shows credentials, and could not be hidden');
