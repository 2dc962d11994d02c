import type { Page } from 'playwright-core';
import { expect } from './expect.ts';

/** The frame of the picker. */
export const PICKER_FRAME = 'iframe[title="Page to pick from"]';

/**
 * Clicks an element in the picker where it is shown, because the frame itself gets no clicks. The frame grows when its page has
 * been laid out, and the page scrolls to it: so only when the picker names the element under the pointer.
 * @param text the whole text of the element
 */
export async function pickElement(page: Page, text: string): Promise<void> {
  const element = page.frameLocator(PICKER_FRAME).getByText(text, { exact: true }).first();
  const named = page.getByRole('status').filter({ hasText: new RegExp(`^\\S+: ${RegExp.escape(text)}$`) });
  const place = async () => {
    const { x, y, width, height } = (await element.boundingBox())!;
    return { x: x + Math.min(width, 30) / 2, y: y + height / 2 };
  };
  await expect(async () => {
    await page.mouse.move(0, 0);
    await element.scrollIntoViewIfNeeded();
    const { x, y } = await place();
    await page.mouse.move(x, y);
    await expect(named).toBeVisible({ timeout: 1_000 });
    expect(await place(), 'the element does not move').toEqual({ x, y });
  }).toPass({ timeout: 20_000 });
  await page.mouse.down();
  await page.mouse.up();
}
