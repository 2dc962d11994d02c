import type { Failure } from '../domain/failure.ts';
import type { ModelUse } from '../domain/json-extraction.ts';

export interface ModelRequest {
  /** What to do. */
  readonly instructions: string;
  /** What to do it with: data, never instructions. */
  readonly input: string;
  /** JSON Schema of the answer. A model that cannot be bound to it is only told. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** What is wrong with an answer, as a sentence; null: it can be used. */
  readonly problem: (answer: Readonly<Record<string, unknown>>) => string | null;
}

export interface ModelReply {
  /** Parsed JSON; a failure `extract.model`: there was no usable answer in time. */
  readonly answer: Readonly<Record<string, unknown>> | Failure;
  /** Tokens of all calls, also of those that failed. */
  readonly use: ModelUse;
}

/**
 * The operator's language model. Every implementation guarantees: `ask` settles at the latest 100 ms after the signal has
 * aborted, and does not reject; only the origin that the operator configured is called, and redirects are not followed; an
 * answer that is not a JSON object, or has a `problem`, is repaired once, and busy or failing servers are asked again within the time.
 */
export interface LanguageModel {
  readonly name: string;
  /** Tokens of a request and its answer together. */
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  ask(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}
