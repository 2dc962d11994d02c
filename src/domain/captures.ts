export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export interface ScreenshotOptions {
  readonly fullPage: boolean;
  /** With the prefix of its engine: `css=`, `xpath=`, `text=`; null: the page. */
  readonly selector: string | null;
  readonly type: PictureType;
  /** 0–100; null: as the browser does it. */
  readonly quality: number | null;
}

/** A picture of a page, as the browser made it. */
export interface Screenshot {
  readonly bytes: Uint8Array;
  readonly type: PictureType;
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
}

/** As `HeaderList` of a page. */
type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Which exchanges of the page are recorded: those that match all members. */
export interface CaptureFilter {
  /** A glob, of the whole URL. */
  readonly url: string;
  /** Upper-case; null: any. */
  readonly method: string | null;
  /** null: any. */
  readonly resourceType: string | null;
  /** With the body. */
  readonly body: boolean;
}

/** A request of the page that `capture` asked for, with its answer. */
export interface CapturedExchange {
  /** Without credentials. */
  readonly url: string;
  readonly method: string;
  /** null: there was no answer. */
  readonly status: number | null;
  /** Lower-case, as in `block.resource_types`. */
  readonly resourceType: string;
  /** Names lower-case; secrets NOT masked. */
  readonly requestHeaders: HeaderLines;
  readonly headers: HeaderLines;
  /** Text, or bytes; null: not asked for, or it did not come, or it is too long to be kept. */
  readonly body: CapturedBody | null;
  /** There is more of the body. */
  readonly truncated: boolean;
}

export type CapturedBody =
  | { readonly text: string; readonly bytes: null }
  | { readonly text: null; readonly bytes: Uint8Array };
