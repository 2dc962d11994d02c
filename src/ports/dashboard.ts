/** A file of the dashboard whose name changes with its content. */
export interface DashboardAsset {
  readonly bytes: Buffer;
  /** The compressed forms; null for types that do not benefit. */
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  /** Media type, with charset if it has one. */
  readonly type: string;
  /** Hash of `bytes`, without quotes. */
  readonly hash: string;
}

export interface DashboardFiles {
  /** The HTML page of all paths. It contains `__NONCE__`, `__BASE_PATH__`, and the names of assets as `./assets/…`. */
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
