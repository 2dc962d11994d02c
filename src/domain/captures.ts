export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export interface ScreenshotOptions {
  readonly fullPage: boolean;
  /** With the prefix of its engine: `css=`, `xpath=`, `text=`; null: the page. */
  readonly selector: string | null;
  readonly type: PictureType;
  /** 0–100; null: the default of the browser. */
  readonly quality: number | null;
}

export interface Screenshot {
  readonly bytes: Uint8Array;
  readonly type: PictureType;
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
}

/** A rectangle in a screenshot, in its pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where a large element of the page is in the screenshot. */
export interface ElementBox extends Box {
  /**
   * Names of the ancestors from the root and of the element, each with its position among the siblings of this name:
   * `html:1/body:1/main:1`.
   */
  readonly path: string;
}

/** The same as `HeaderList` of fetch-result.ts. Not imported, because fetch-result.ts imports this file. */
type HeaderLines = readonly (readonly [name: string, value: string])[];

/** Exchanges that match all members are recorded. */
export interface CaptureFilter {
  /** A glob that must match the whole URL. */
  readonly url: string;
  /** Upper-case; null: any. */
  readonly method: string | null;
  /** null: any. */
  readonly resourceType: string | null;
  /** Record the body of the response too. */
  readonly body: boolean;
}

/** A request of the page that matched a filter, and its response. */
export interface CapturedExchange {
  /** Without credentials. */
  readonly url: string;
  readonly method: string;
  /** null: there was no response. */
  readonly status: number | null;
  /** Lower-case, as in `block.resource_types`. */
  readonly resourceType: string;
  /** Names lower-case; secrets NOT masked. */
  readonly requestHeaders: HeaderLines;
  readonly headers: HeaderLines;
  /** null: `body` was not requested, no body was received, or it exceeds the limit of recorded bytes. */
  readonly body: CapturedBody | null;
  /** `body` is only the beginning. */
  readonly truncated: boolean;
  /** Start, ms after that of the first captured request; null: not measured. */
  readonly startedMs: number | null;
  /** Time to the last byte, ms; null: it did not end, or was not measured. */
  readonly durationMs: number | null;
}

export type CapturedBody =
  | { readonly text: string; readonly bytes: null }
  | { readonly text: null; readonly bytes: Uint8Array };
