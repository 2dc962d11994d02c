/** A file of the dashboard that never changes under its name. */
export interface DashboardAsset {
  readonly bytes: Buffer;
  /** The same compressed, for those types that it helps. */
  readonly br: Buffer | null;
  readonly gzip: Buffer | null;
  /** Media type, with charset where it has one. */
  readonly type: string;
  /** Of `bytes`, without quotes. */
  readonly hash: string;
}

export interface DashboardFiles {
  /** The page of all paths. It holds `__NONCE__`, `__BASE_PATH__`, and the names of assets as `./assets/…`. */
  readonly index: string;
  /** By the name behind `/assets/`. */
  readonly assets: ReadonlyMap<string, DashboardAsset>;
}

export type DashboardState =
  | { readonly kind: 'ready'; readonly files: DashboardFiles }
  | { readonly kind: 'building' }
  /** `why` is for the operator: it holds no secret, and no path of the machine. */
  | { readonly kind: 'failed'; readonly why: string };

/** The pages for people. Whatever becomes of them, the API goes on. */
export interface Dashboard {
  /** `ready` stays so, with the same files. */
  state(): DashboardState;
}
