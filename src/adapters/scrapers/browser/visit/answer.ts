import type { Failure } from '../../../../domain/failure.ts';
import type { HeaderList } from '../../../../domain/fetched.ts';

/** The head of an answer to a navigation of the main frame. */
export interface Answer {
  /** Of the request and of the document that it becomes: the same in `Network`, `Fetch` and `Page`. */
  readonly loaderId: string;
  /** Without credentials, with the fragment that it was asked for with. */
  readonly url: string;
  readonly method: string;
  readonly status: number;
  readonly headers: HeaderList;
}

/** A body that the browser does not show: read as bytes. */
export interface RawAnswer {
  readonly answer: Answer;
  readonly body: Uint8Array;
  readonly cut: Failure | null;
  /** No coding could be undone: the bytes as they came. */
  readonly undecoded: boolean;
}

/** How a visit ends before there is a document to be read, or in place of one. */
export type Ending = RawAnswer | { readonly failure: Failure };
