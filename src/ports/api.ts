/**
 * Calls the API of this service without a connection. A call is checked, counted, logged and limited as every request is,
 * because it goes through the same endpoints.
 */
export type CallApi = (call: ApiCall) => Promise<ApiReply>;

export interface ApiCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With the query, such as `/api/v1/jobs/?limit=10`. */
  readonly path: string;
  /** An API key; null: the call has none, and is refused by all but public endpoints. */
  readonly key: string | null;
  /** Sent as JSON; absent: there is no body. */
  readonly body?: unknown;
  /** Further headers, such as `prefer`; names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of the caller, for the log. */
  readonly remoteAddress?: string;
  /** Ends the call as if the caller had closed its connection. */
  readonly signal?: AbortSignal;
}

export interface ApiReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}
