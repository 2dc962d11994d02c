/** What is taken from a matched element. `rules`: an object of further rules, each relative to the element. */
export type ExtractOutput =
  | { readonly kind: 'text' }
  | { readonly kind: 'html' }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'rules'; readonly rules: readonly ExtractRule[] };

/** One named rule of `extract`, checked and written out. Plain data: it is handed to another thread. */
export interface ExtractRule {
  readonly name: string;
  /** CSS; null: the element that the rule is relative to. */
  readonly selector: string | null;
  /** Every match, else the first alone. */
  readonly list: boolean;
  readonly output: ExtractOutput;
  /** Where the selector stands in the request, RFC 6901. */
  readonly pointer: string;
}
