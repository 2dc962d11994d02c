import { type Static, Type } from 'typebox';
import { urlGlobProblem } from '../../base/url-patterns.ts';
import type { CaptureFilter, PictureOptions } from '../../domain/browser-options.ts';
import { DEVICE_NAMES } from '../../domain/browser-profiles.ts';
import { closed, UNAVAILABLE } from '../../domain/json-schema.ts';
import { isRequested } from '../schema/json-value.ts';
import { addProblem, type Problems } from '../schema/problems.ts';
import { withEngine } from './element-selector.ts';
import { EXPORTED_COOKIE_MEMBERS, MAX_COOKIES } from './exported-cookie.ts';

const opt = Type.Optional;
const Text = Type.String();

/** What browsers tell apart; sockets cannot be told from the page in time. */
export const RESOURCE_TYPES = [
  'document',
  'stylesheet',
  'image',
  'media',
  'font',
  'script',
  'texttrack',
  'xhr',
  'fetch',
  'eventsource',
  'manifest',
  'other',
] as const;
/** The page itself is never kept from loading. */
const BLOCKABLE_TYPES = RESOURCE_TYPES.filter((type) => type !== 'document');

const GLOB_DESCRIPTION =
  'A Playwright glob that must match the whole URL: `*` matches anything except `/`, `**` matches anything, `{a,b}` matches either.';

const Viewport = closed(
  {
    width: opt(Type.Integer({ minimum: 1, maximum: 16_384 })),
    height: opt(Type.Integer({ minimum: 1, maximum: 16_384 })),
    device_scale_factor: opt(Type.Number({ minimum: 0.1, maximum: 10 })),
    is_mobile: opt(
      Type.Boolean({
        description: 'Use the `<meta name="viewport">` of the page, and enable touch.',
      }),
    ),
  },
  {
    description: 'Viewport size in CSS pixels (default: 1280 × 720). Overrides the values of `device`.',
  },
);

const Geolocation = closed(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    accuracy: opt(Type.Number({ minimum: 0, default: 0, description: 'Accuracy in metres.' })),
  },
  {
    description:
      'The position that the page gets from the Geolocation API. Permission is granted to every page of the scrape.',
  },
);

const Block = closed(
  {
    resource_types: opt(Type.Array(Type.Enum([...BLOCKABLE_TYPES]), { maxItems: 50 })),
    url_patterns: opt(
      Type.Array(Type.String({ minLength: 1, maxLength: 2000, description: GLOB_DESCRIPTION }), {
        maxItems: 100,
      }),
    ),
    ads: opt(Type.Boolean({ default: false, ...UNAVAILABLE })),
  },
  { description: 'Sub-resources to block.' },
);

const ScreenshotOptions = closed(
  {
    full_page: opt(
      Type.Boolean({ default: false, description: 'Capture the whole page, not just the visible part.' }),
    ),
    selector: opt(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Capture only this element. Same syntax as `wait_for_selector`.',
      }),
    ),
    type: opt(Type.Enum(['png', 'jpeg', 'webp'], { default: 'png' })),
    quality: opt(Type.Integer({ minimum: 0, maximum: 100, description: 'Quality of JPEG and WebP images.' })),
  },
  {
    description:
      'Screenshot settings. Setting any of them also takes the screenshot. At most 16,384 pixels per side (WebP: 16,383) and 50 megapixels; a larger screenshot is cropped at the right and bottom, with the warning `screenshot.clamped`.',
  },
);
type ScreenshotOptions = Static<typeof ScreenshotOptions>;

const CaptureOptions = Type.Array(
  closed({
    url: Type.String({ minLength: 1, maxLength: 2000, description: GLOB_DESCRIPTION }),
    method: opt(Type.String({ minLength: 1, maxLength: 20 })),
    resource_type: opt(Type.Enum([...RESOURCE_TYPES])),
    body: opt(Type.Boolean({ default: false, description: 'Include the response bodies.' })),
  }),
  {
    maxItems: 10,
    description:
      'Records the requests of the page that match one of these filters, in `scraper_data.network`: at most 500 requests and 5 MiB. Covers the page and its same-site frames, but not workers or cross-site frames.',
  },
);
type CaptureOptions = Static<typeof CaptureOptions>;

const KEY_PATH = { keyPath: opt(Text), keyPathArray: opt(Type.Array(Text)) };
/** A database as Playwright writes it. Keys and values are JSON, or in an encoding of its own. */
const IndexedDatabase = closed({
  name: Text,
  version: Type.Integer({ minimum: 1 }),
  stores: Type.Array(
    closed({
      name: Text,
      autoIncrement: Type.Boolean(),
      ...KEY_PATH,
      records: Type.Array(
        closed({
          key: opt(Type.Unknown()),
          keyEncoded: opt(Type.Unknown()),
          value: opt(Type.Unknown()),
          valueEncoded: opt(Type.Unknown()),
        }),
      ),
      indexes: Type.Array(
        closed({ name: Text, ...KEY_PATH, multiEntry: Type.Boolean(), unique: Type.Boolean() }),
      ),
    }),
  ),
});

export const StorageStateOptions = closed(
  {
    cookies: opt(
      Type.Array(
        closed({
          name: Text,
          value: Text,
          domain: Type.String({ description: 'With a leading dot, subdomains are included.' }),
          path: Text,
          expires: opt(
            Type.Number({
              description: 'Unix time in seconds. -1: a session cookie, kept until the scrape ends.',
            }),
          ),
          httpOnly: opt(Type.Boolean()),
          secure: opt(Type.Boolean()),
          sameSite: opt(Type.String({ description: '`Strict`, `Lax` or `None`, in any letter case.' })),
          ...EXPORTED_COOKIE_MEMBERS,
        }),
        { maxItems: MAX_COOKIES },
      ),
    ),
    origins: opt(
      Type.Array(
        closed({
          origin: Type.String({ maxLength: 2000 }),
          localStorage: Type.Array(closed({ name: Text, value: Text }), { maxItems: 1_000 }),
          indexedDB: opt(Type.Array(IndexedDatabase, { maxItems: 100 })),
        }),
        { maxItems: 20 },
      ),
    ),
  },
  {
    description:
      'Cookies, `localStorage` and IndexedDB to set before the page loads, in the storage state format of Playwright.',
  },
);
export type StorageStateOptions = Static<typeof StorageStateOptions>;

/** What only browsers have. */
export const BROWSER_OPTIONS = {
  locale: opt(
    Type.String({
      maxLength: 100,
      description:
        'A language tag such as `de-CH`. Sets `Accept-Language`, `navigator.language` and number formats.',
    }),
  ),
  timezone: opt(Type.String({ maxLength: 100, description: 'An IANA time zone such as `Europe/Berlin`.' })),
  viewport: opt(Viewport),
  device: opt(
    Type.Enum([...DEVICE_NAMES], {
      description: 'Emulates this device from the list of Playwright: screen size, touch and `User-Agent`.',
    }),
  ),
  color_scheme: opt(
    Type.Enum(['light', 'dark', 'no-preference'], {
      description: 'Value of the `prefers-color-scheme` media feature.',
    }),
  ),
  geolocation: opt(Geolocation),
  javascript: opt(Type.Boolean({ default: true, description: 'Run the scripts of the page.' })),
  block: opt(Block),
  screenshot: opt(ScreenshotOptions),
  wait_for_selector_state: opt(
    Type.Enum(['visible', 'attached', 'hidden', 'detached'], {
      description: 'State that `wait_for_selector` waits for (default: `visible`).',
    }),
  ),
  capture: opt(CaptureOptions),
  storage_state: opt(StorageStateOptions),
};

/** Which exchanges of the page are to be told. */
export function readCapture(given: CaptureOptions, problems: Problems): readonly CaptureFilter[] {
  return given.map(({ url, method, resource_type: resourceType = null, body = false }, at) => {
    const problem = urlGlobProblem(url);
    if (problem !== null)
      addProblem(problems, `/scraper_options/capture/${at}/url`, `is not a valid glob: ${problem}`);
    return { url, method: method?.toUpperCase() ?? null, resourceType, body };
  });
}

const SCREENSHOT_POINTER = '/scraper_options/screenshot';

/** The picture that `screenshot`, or options for it, ask for; null: none. */
export function readPicture(
  wanted: boolean | undefined,
  options: ScreenshotOptions,
  problems: Problems,
): PictureOptions | null {
  const hasOptions = isRequested(options);
  if (wanted === false && hasOptions)
    addProblem(problems, SCREENSHOT_POINTER, 'has no effect if `screenshot` is false; leave one of them out');
  if (wanted !== true && !hasOptions) return null;
  const { full_page: fullPage = false, selector, type = 'png', quality = null } = options;
  if (fullPage && selector !== undefined)
    addProblem(problems, `${SCREENSHOT_POINTER}/selector`, 'cannot be combined with `full_page`');
  if (quality !== null && type === 'png')
    addProblem(problems, `${SCREENSHOT_POINTER}/quality`, 'is for jpeg and webp; PNG is lossless');
  return {
    fullPage,
    selector: selector === undefined ? null : withEngine(selector),
    type: `image/${type as 'png' | 'jpeg' | 'webp'}`,
    quality,
  };
}
