/** What a window of the page was about to send, for the page to send in its place. */
export interface LinkedRequest {
  /** With its fragment. */
  readonly url: string;
  readonly referrer: string | null;
  /** null: a GET. */
  readonly post: {
    /** What goes with the body. */
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    /** Base64. */
    readonly body: string;
  } | null;
}
