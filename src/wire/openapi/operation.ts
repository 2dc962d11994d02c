import type { TSchema } from 'typebox';

export type OperationTag = 'Scrapes' | 'Keys' | 'Users' | 'Session' | 'Stats' | 'Sites' | 'Service';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly schema: TSchema;
}

export interface ResponseObject {
  readonly description: string;
  /** Media type → schema; empty: no body. */
  readonly content: Readonly<Record<string, TSchema>>;
  /** Name → what it tells; besides those that every answer has. */
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: TSchema }>>;
  readonly example?: unknown;
}

/** One way of calling the service, as data: the document is made of it, and tests check answers against it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Canonical; the other form, with or without the last slash, works as well. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description?: string;
  /** Needs a key with this scope, or a session; `session`: needs a session, a key does not do; null: public. */
  readonly scope: 'scrape' | 'read' | 'admin' | 'session' | null;
  readonly parameters?: readonly Parameter[];
  readonly request?: {
    readonly schema: TSchema;
    readonly required: boolean;
    readonly examples: Readonly<Record<string, unknown>>;
  };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}
