import { type Static, Type } from 'typebox';
import { DEVICE_NAMES } from '../../domain/device-names.ts';
import { closed } from '../schema/build.ts';
import { LATER } from '../schema/notes.ts';
import { MOST_COOKIES } from './cookie-limits.ts';

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
const BLOCKABLE = RESOURCE_TYPES.filter((type) => type !== 'document');

const GLOB =
  'A glob as in Playwright, of the whole URL: `*` is anything but `/`, `**` anything, `{a,b}` one of these.';

const Viewport = closed(
  {
    width: opt(Type.Integer({ minimum: 1, maximum: 16_384 })),
    height: opt(Type.Integer({ minimum: 1, maximum: 16_384 })),
    device_scale_factor: opt(Type.Number({ minimum: 0.1, maximum: 10 })),
    is_mobile: opt(
      Type.Boolean({
        description: 'The page is laid out by its `<meta name="viewport">`, and there is touch.',
      }),
    ),
  },
  {
    description: 'Pixels of the page; 1280 × 720 where nothing is said. Members win over those of `device`.',
  },
);

const Geolocation = closed(
  {
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    accuracy: opt(Type.Number({ minimum: 0, default: 0, description: 'Metres.' })),
  },
  { description: 'Where the page is told that it is; every page of the scrape may ask.' },
);

const Block = closed(
  {
    resource_types: opt(Type.Array(Type.Enum([...BLOCKABLE]), { maxItems: 50 })),
    url_patterns: opt(
      Type.Array(Type.String({ minLength: 1, maxLength: 2000, description: GLOB }), { maxItems: 100 }),
    ),
    ads: opt(Type.Boolean({ default: false, ...LATER })),
  },
  { description: 'Sub-resources that are not loaded.' },
);

export const ScreenshotOptions = closed(
  {
    full_page: opt(
      Type.Boolean({ default: false, description: 'The whole page, not only what is to be seen.' }),
    ),
    selector: opt(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Only this element; as `wait_for_selector`.',
      }),
    ),
    type: opt(Type.Enum(['png', 'jpeg', 'webp'], { default: 'png' })),
    quality: opt(Type.Integer({ minimum: 0, maximum: 100, description: 'Of JPEG and WebP.' })),
  },
  {
    description:
      'How the picture is made; asks for it like `screenshot: true`. At most 16,384 pixels a side (WebP 16,383) and 50 megapixels; what is more is cut off at the right and at the bottom, with the warning `screenshot.clamped`.',
  },
);
export type ScreenshotOptions = Static<typeof ScreenshotOptions>;

export const CaptureOptions = Type.Array(
  closed({
    url: Type.String({ minLength: 1, maxLength: 2000, description: GLOB }),
    method: opt(Type.String({ minLength: 1, maxLength: 20 })),
    resource_type: opt(Type.Enum([...RESOURCE_TYPES])),
    body: opt(Type.Boolean({ default: false, description: 'With the bodies of the answers.' })),
  }),
  {
    maxItems: 10,
    description:
      'What the page exchanges with its servers is told in `scraper_data.network`, where it fits one of these: at most 500 exchanges and 5 MiB. The requests of the page and of frames of its own site; not those of workers and of frames of other sites.',
  },
);
export type CaptureOptions = Static<typeof CaptureOptions>;

export const StorageStateOptions = closed(
  {
    cookies: opt(
      Type.Array(
        closed({
          name: Text,
          value: Text,
          domain: Type.String({ description: 'With a dot before it also for the hosts below it.' }),
          path: Text,
          expires: opt(Type.Number({ description: 'Seconds since the epoch; -1: until the scrape ends.' })),
          httpOnly: opt(Type.Boolean()),
          secure: opt(Type.Boolean()),
          sameSite: opt(Type.Enum(['Strict', 'Lax', 'None'])),
        }),
        { maxItems: MOST_COOKIES },
      ),
    ),
    origins: opt(
      Type.Array(
        closed({
          origin: Type.String({ maxLength: 2000 }),
          localStorage: Type.Array(closed({ name: Text, value: Text }), { maxItems: 1_000 }),
        }),
        { maxItems: 20 },
      ),
    ),
  },
  { description: 'Cookies and `localStorage` that are there before the page is, as Playwright writes them.' },
);
export type StorageStateOptions = Static<typeof StorageStateOptions>;

/** What only browsers have. */
export const BROWSER_OPTIONS = {
  locale: opt(
    Type.String({
      maxLength: 100,
      description: 'A language tag: `Accept-Language`, `navigator.language`, numbers.',
    }),
  ),
  timezone: opt(Type.String({ maxLength: 100, description: 'As `Europe/Berlin`.' })),
  viewport: opt(Viewport),
  device: opt(
    Type.Enum([...DEVICE_NAMES], {
      description: 'Screen, touch and `User-Agent` of this device, as Playwright knows it.',
    }),
  ),
  color_scheme: opt(Type.Enum(['light', 'dark', 'no-preference'])),
  geolocation: opt(Geolocation),
  javascript: opt(Type.Boolean({ default: true })),
  block: opt(Block),
  screenshot: opt(ScreenshotOptions),
  wait_for_selector_state: opt(Type.Enum(['visible', 'attached', 'hidden', 'detached'])),
  capture: opt(CaptureOptions),
  storage_state: opt(StorageStateOptions),
};
