/** A file of the dashboard whose name changes with its content. */
export interface DashboardAsset {
  readonly bytes: Buffer;
  /** The compressed forms; null if the file was not compressed. */
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  /** Media type, with charset if it has one. */
  readonly type: string;
  /** Hash of `bytes`, without quotes. */
  readonly hash: string;
}

export interface DashboardFiles {
  /**
   * The HTML page, served at every path. `__NONCE__` and `__BASE_PATH__` are placeholders; assets are named `./assets/…`.
   */
  readonly index: string;
  /** By the name after `/assets/`. */
  readonly assets: ReadonlyMap<string, DashboardAsset>;
}

export type DashboardState =
  | { readonly kind: 'ready'; readonly files: DashboardFiles }
  | { readonly kind: 'building' }
  /** `why` is for the operator. It contains no secret and no path of the machine. */
  | { readonly kind: 'failed'; readonly why: string };

/** The files of the dashboard. The API works without it. */
export interface Dashboard {
  /** Once it is `ready`, it never changes. */
  state(): DashboardState;
}
