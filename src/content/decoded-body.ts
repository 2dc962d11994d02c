export interface DecodedBody {
  /** At most `limit`. */
  readonly bytes: Uint8Array;
  /**
   * `over_limit`: cut at the limit. `decode_truncated`: the coded data ended too early (of a body that broke off on the
   * wire the caller knows better). In both, and in `decode_failed`, `bytes` are what could be decoded.
   */
  readonly state: 'whole' | 'over_limit' | 'decode_failed' | 'decode_truncated';
  /** Nothing could be decoded: `bytes` are the bytes as they came. */
  readonly undecoded: boolean;
  /** What is wrong, for people; null when `state` says all. */
  readonly detail: string | null;
}

/** Takes a response body as it comes from the wire and undoes its content codings. One push at a time. */
export interface BodyDecoder {
  /** Nothing of the pieces pushed so far is needed any more, except of one that is still being taken. */
  readonly copies: boolean;
  /** Whether a piece of this length would be copied by the time that `push` returns. */
  copiesNow(length: number): boolean;
  /**
   * `full`: nothing that may still come changes the result (the limit is reached, or decoding failed for good): stop
   * reading. A promise is back-pressure. The piece is kept: it must not change afterwards.
   */
  push(piece: Uint8Array): 'more' | 'full' | Promise<'more' | 'full'>;
  /** No more pieces come. Settles always, never rejects. */
  end(): DecodedBody | Promise<DecodedBody>;
  /** Frees everything when the result is no longer wanted; a pending `push` or `end` then settles soon. */
  destroy(): void;
}
