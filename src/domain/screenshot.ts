export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/** A picture of a page, as the browser made it. */
export interface Screenshot {
  readonly bytes: Uint8Array;
  readonly type: PictureType;
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
}
