import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { ActiveSession } from '../../account/account-directory.ts';
import type { Principal } from '../../domain/account.ts';
import type { AuditEvent } from '../../domain/audit.ts';
import type { Written } from '../../wire/answer/json-members.ts';
import { bodyParser, type JsonObject, type Nulls, type ParsedBody } from '../../wire/schema/body-parser.ts';
import type { Problems } from '../../wire/schema/problems.ts';
import {
  type ParameterSpec,
  parseQuery,
  type QueryParameters,
  type QuerySpec,
} from '../../wire/schema/query-reader.ts';
import { type Access, accessHook, actorOf, bodyLimitOf, type RouteAccess } from './access.ts';
import type { EndpointDeps } from './deps.ts';
import { beginIdempotent, refuseIdempotencyKey } from './idempotency.ts';
import { emptyBodyRefusal } from './json-body.ts';
import { unwrapParsed } from './refusal.ts';
import type { ResponseSpec, Responses } from './responses.ts';

interface BodyDescription {
  readonly schema: TSchema;
  /** false: an absent body is read as `{}`. */
  readonly required: boolean;
  readonly examples: Readonly<Record<string, unknown>>;
  /** The body may also be lines of JSON (application/x-ndjson), which `readLines` gets as a stream; absent: it may not. */
  readonly lines?: { readonly limit: number; readonly description: string };
}

interface BodySpec<B> extends BodyDescription {
  readonly parse: (body: unknown) => ParsedBody<B>;
  readonly readLines?: (stream: Readable) => B;
}

/**
 * A JSON body that is checked against the schema.
 * @param options.nulls what null means; default: the same as leaving a member out
 * @param options.read translates the body; absent: the handler gets the body as it is
 */
export function jsonBody<S extends TSchema, B = Static<S>>(
  schema: S,
  options: {
    readonly examples: Readonly<Record<string, unknown>>;
    readonly required?: boolean;
    readonly nulls?: Nulls;
    readonly read?: (body: JsonObject, problems: Problems) => B;
  },
): BodySpec<B> {
  const { examples, required = true, nulls = 'absent', read = (body) => body as B } = options;
  return { schema, required, examples, parse: bodyParser(schema, read, nulls) };
}

/** An endpoint as the OpenAPI document describes it. */
export interface EndpointDescription {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in the document, such as `/api/v1/keys/{id}/`. The route also matches without the last slash. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: Readonly<Record<string, ParameterSpec>>;
  readonly query?: QuerySpec<unknown>;
  readonly body?: BodyDescription;
  /** By status; the first 2xx is the status of a success. Refusals that `derivedRefusals` adds need not be listed. */
  readonly responses: Responses;
  /** `derivedRefusals` adds nothing: the endpoint has only the responses listed. */
  readonly ownResponsesOnly?: true;
  /** The endpoint supports the header `Idempotency-Key`; all others refuse it. */
  readonly idempotent?: true;
  /** false: the endpoint is not in the document. */
  readonly documented?: false;
}

type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & PathParams<Rest>
  : unknown;

/** An authorized request with its parsed query and body. */
interface Call<Path extends string, A extends Access, Q, B> {
  readonly params: PathParams<Path>;
  readonly query: Q;
  readonly body: B;
  /** null: the endpoint is public, or the request has a signed link. */
  readonly principal: A extends 'public' | 'sign-in'
    ? null
    : A extends 'link or scope:read'
      ? Principal | null
      : Principal;
  readonly session: A extends 'session' | 'own account' ? ActiveSession : ActiveSession | null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type BodyOf<R> =
  R extends ResponseSpec<{ readonly 'application/json': infer S extends TSchema }> ? Written<S> : never;

/** The body of the successful response, which is sent as JSON; or the reply, if the handler has sent it itself. */
type Result<R> =
  | FastifyReply
  | (R extends { readonly 200: infer Ok } ? BodyOf<Ok> : never)
  | (R extends { readonly 201: infer Created } ? BodyOf<Created> : never)
  // biome-ignore lint/suspicious/noConfusingVoidType: what a handler without a result returns.
  | (R extends { readonly 204: unknown } ? void : never);

interface Options<Path extends string, A extends Access, Q, B, R extends Responses>
  extends EndpointDescription {
  readonly path: Path;
  readonly access: A;
  readonly params?: Readonly<Record<keyof PathParams<Path>, ParameterSpec>>;
  readonly query?: QuerySpec<Q>;
  readonly body?: BodySpec<B>;
  readonly responses: R;
  /**
   * What the audit log gets after the handler. The names of the body's members are added to `details`. Absent: nothing, or what
   * `account` writes.
   */
  readonly audit?: (
    params: PathParams<Path>,
    body: B,
  ) => Pick<AuditEvent, 'action' | 'target'> & Partial<Pick<AuditEvent, 'details'>>;
  /** A request by session needs a permit too, as one with a key does. */
  readonly needsPermit?: true;
  /**
   * For `link or scope:read`: whether the request has a signed link, so that it needs no key. The inner function throws a
   * Refusal if the link is wrong or has expired.
   */
  readonly signedLink?: (deps: EndpointDeps) => (request: FastifyRequest) => boolean;
}

/** Either answers requests, or prepares, once per service, what all requests share, and returns what answers them. */
type Handling<C, R> =
  | {
      readonly handler: (call: C, deps: EndpointDeps) => Result<R> | Promise<Result<R>>;
      readonly prepare?: never;
    }
  | {
      readonly prepare: (deps: EndpointDeps) => (call: C) => Result<R> | Promise<Result<R>>;
      readonly handler?: never;
    };

type Definition<Path extends string, A extends Access, Q, B, R extends Responses> = Options<
  Path,
  A,
  Q,
  B,
  R
> &
  Handling<Call<Path, A, Q, B>, R>;

/** The URL and access of a route that `HandMadeDefinition.register` creates. */
interface HandMadeRoute {
  readonly url: string;
  readonly access: RouteAccess;
}

interface HandMadeDefinition extends EndpointDescription {
  readonly register: (app: FastifyInstance, route: HandMadeRoute, deps: EndpointDeps) => void;
}

export interface Endpoint {
  readonly description: EndpointDescription;
  /** Adds the route of the endpoint. */
  readonly register: (app: FastifyInstance, deps: EndpointDeps) => void;
}

/** An endpoint whose route reads the query and the body, calls the handler, and sends its result. */
export function endpoint<
  const Path extends string,
  A extends Access,
  Q = undefined,
  B = undefined,
  const R extends Responses = Responses,
>(definition: Definition<Path, A, Q, B, R>): Endpoint {
  return {
    description: definition,
    register: (app, deps) => registerRoute(app, deps, definition),
  };
}

/** An endpoint that creates its route itself. */
export function handMadeEndpoint(definition: HandMadeDefinition): Endpoint {
  return {
    description: definition,
    register: (app, deps) => {
      const route = { url: routeUrl(definition.path), access: routeAccess(definition) };
      definition.register(app, route, deps);
    },
  };
}

function registerRoute<Path extends string, A extends Access, Q, B, R extends Responses>(
  app: FastifyInstance,
  deps: EndpointDeps,
  definition: Definition<Path, A, Q, B, R>,
): void {
  const { query, body } = definition;
  const access = { ...routeAccess(definition), needsPermit: definition.needsPermit === true };
  const onRequest = accessHook(deps.control, access, definition.signedLink?.(deps));
  const handle =
    definition.prepare === undefined
      ? (call: Call<Path, A, Q, B>) => definition.handler(call, deps)
      : definition.prepare(deps);
  const status = successStatus(definition.responses);
  app.route({
    method: definition.method.toUpperCase(),
    url: routeUrl(definition.path),
    bodyLimit: bodyLimitOf(access.access),
    ...(onRequest === null ? {} : { onRequest }),
    handler: async (request, reply) => {
      // A body of lines is not kept, so it cannot be compared.
      if (definition.idempotent !== true || request.body instanceof Readable) refuseIdempotencyKey(request);
      const call = {
        params: request.params,
        query: query === undefined ? undefined : readQuery(request, query),
        body: body === undefined ? undefined : readBody(request, body),
        principal: request.principal,
        session: request.session,
        request,
        reply,
      } as Call<Path, A, Q, B>;
      if (definition.idempotent === true) {
        const { path } = definition;
        // What it creates is durable, so it is not created twice.
        const begun = { path, body: request.body, isRepeatable: false };
        if (!(await beginIdempotent(deps, request, reply, begun))) return reply;
      }
      const result = await handle(call);
      if (definition.audit !== undefined) {
        const event = definition.audit(call.params, call.body);
        const changed = Object.keys((request.body as object | null | undefined) ?? {});
        const details = { changed, ...event.details };
        await deps.accounts.audit(actorOf(request.principal!, request), { ...event, details });
      }
      // The handler has sent the reply, or streams it. `result` is not the reply then: replies are thenables, so `await`
      // has unwrapped it.
      if (reply.sent) return reply;
      reply.code(status);
      return status === 204 ? reply.send() : result;
    },
  });
}

/** The path in Fastify's syntax: `/api/v1/keys/:id`. */
const routeUrl = (path: string): string => path.replace(/(?<=.)\/$/, '').replace(/\{(\w+)\}/g, ':$1');

const routeAccess = ({ access, body }: EndpointDescription): RouteAccess => ({
  access,
  ...(body?.lines === undefined ? {} : { linesLimit: body.lines.limit }),
  body: body === undefined ? 'none' : body.required ? 'required' : 'optional',
});

/** The first 2xx: JavaScript enumerates integer keys in ascending order. */
const successStatus = (responses: Responses): number =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')));

function readBody<B>({ body }: FastifyRequest, { required, parse, readLines }: BodySpec<B>): B {
  if (readLines !== undefined && body instanceof Readable) return readLines(body);
  if (body === undefined && required) throw emptyBodyRefusal();
  return unwrapParsed(parse(required ? body : (body ?? {})));
}

function readQuery<Q>(request: FastifyRequest, { parameters, read }: QuerySpec<Q>): Q | undefined {
  if (read === undefined) return undefined;
  return unwrapParsed(parseQuery({ parameters, read }, request.query as QueryParameters, request.principal!));
}
