/** A picture of a page, as the browser made it. */
export interface Screenshot {
  readonly bytes: Uint8Array;
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp';
  /** Device pixels. */
  readonly width: number;
  readonly height: number;
}
