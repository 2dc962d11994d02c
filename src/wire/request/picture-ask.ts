import type { PictureOptions } from '../../domain/browser-options.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import { asksFor } from './asks-for.ts';
import type { ScreenshotOptions } from './browser-options-schema.ts';
import { withEngine } from './element-selector.ts';

const AT = '/scraper_options/screenshot';

/** The picture that `screenshot`, or options for it, ask for; null: none. */
export function readPicture(
  wanted: boolean | undefined,
  options: ScreenshotOptions,
  problems: Problems,
): PictureOptions | null {
  const hasOptions = asksFor(options);
  if (wanted === false && hasOptions)
    wrong(problems, AT, 'has no effect if `screenshot` is false; leave one of them out');
  if (wanted !== true && !hasOptions) return null;
  const { full_page: fullPage = false, selector, type = 'png', quality = null } = options;
  if (fullPage && selector !== undefined)
    wrong(problems, `${AT}/selector`, 'cannot be combined with `full_page`');
  if (quality !== null && type === 'png')
    wrong(problems, `${AT}/quality`, 'is for jpeg and webp; PNG is lossless');
  return {
    fullPage,
    selector: selector === undefined ? null : withEngine(selector),
    type: `image/${type as 'png' | 'jpeg' | 'webp'}`,
    quality,
  };
}
