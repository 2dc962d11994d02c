import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { ActiveSession } from '../account/account-directory.ts';
import type { Principal } from '../domain/account.ts';
import type { Written } from '../wire/answer/json-members.ts';
import { bodyParser, type JsonObject, type ParsedBody } from '../wire/schema/body-parser.ts';
import type { Problems } from '../wire/schema/problems.ts';
import {
  type ParameterSpec,
  parseQuery,
  type QueryParameters,
  type QuerySpec,
} from '../wire/schema/query-reader.ts';
import { type Access, accessHook, bodyLimitOf, type RouteAccess } from './access.ts';
import type { EndpointDeps } from './deps.ts';
import { unwrapParsed } from './refusal.ts';
import type { ResponseSpec, Responses } from './responses.ts';

export type OperationTag = 'Scrapes' | 'Keys' | 'Users' | 'Session' | 'Stats' | 'Sites' | 'Service';

interface BodyDescription {
  readonly schema: TSchema;
  /** false: an absent body is read as `{}`. */
  readonly required: boolean;
  readonly examples: Readonly<Record<string, unknown>>;
}

interface BodySpec<B> extends BodyDescription {
  readonly parse: (body: unknown) => ParsedBody<B>;
}

/**
 * A JSON body that is checked against the schema.
 * @param options.nulls whether null has a meaning of its own, or is the same as leaving a member out (default)
 * @param options.read translates the body; absent: it is handed on as it is
 */
export function jsonBody<S extends TSchema, B = Static<S>>(
  schema: S,
  options: {
    readonly examples: Readonly<Record<string, unknown>>;
    readonly required?: boolean;
    readonly nulls?: 'absent' | 'meant';
    readonly read?: (body: JsonObject, problems: Problems) => B;
  },
): BodySpec<B> {
  const { examples, required = true, nulls = 'absent', read = (body) => body as B } = options;
  return { schema, required, examples, parse: bodyParser(schema, read, nulls) };
}

/** What the OpenAPI document says of an endpoint. */
export interface EndpointDescription {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** As in the document, such as `/api/v1/keys/{id}/`. It works with and without the last slash. */
  readonly path: string;
  readonly operationId: string;
  readonly tag: OperationTag;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly params?: Readonly<Record<string, ParameterSpec>>;
  readonly query?: QuerySpec<unknown>;
  readonly body?: BodyDescription;
  /** By status; the first 2xx is the one that is sent. Refusals that follow from the rest need not be listed. */
  readonly responses: Responses;
  /** It has no responses but those listed. */
  readonly ownResponsesOnly?: true;
  /** false: it is not in the document. */
  readonly documented?: false;
}

type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & PathParams<Rest>
  : unknown;

/** A request that was let in, with its query and body read and checked. */
interface Call<Path extends string, A extends Access, Q, B> {
  readonly params: PathParams<Path>;
  readonly query: Q;
  readonly body: B;
  /** null: nobody in particular; who comes with a signed link has none. */
  readonly principal: A extends 'public' | 'sign-in'
    ? null
    : A extends 'link or scope:read'
      ? Principal | null
      : Principal;
  readonly session: A extends 'session' ? ActiveSession : ActiveSession | null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

type BodyOf<R> =
  R extends ResponseSpec<{ readonly 'application/json': infer S extends TSchema }> ? Written<S> : never;

/** The body of the successful response, which the endpoint sends as JSON; or the reply, when the handler has sent it. */
type Result<R> =
  | FastifyReply
  | (R extends { readonly 200: infer Ok } ? BodyOf<Ok> : never)
  | (R extends { readonly 201: infer Created } ? BodyOf<Created> : never)
  // biome-ignore lint/suspicious/noConfusingVoidType: what a handler without a result returns.
  | (R extends { readonly 204: unknown } ? void : never);

interface Definition<Path extends string, A extends Access, Q, B, R extends Responses>
  extends EndpointDescription {
  readonly path: Path;
  readonly access: A;
  readonly params?: Readonly<Record<keyof PathParams<Path>, ParameterSpec>>;
  readonly query?: QuerySpec<Q>;
  readonly body?: BodySpec<B>;
  readonly responses: R;
  /** The outer function is called once for each service: what must outlive a request is made there. */
  readonly handler: (deps: EndpointDeps) => (call: Call<Path, A, Q, B>) => Result<R> | Promise<Result<R>>;
  /**
   * For `link or scope:read`: whether the request comes with a signed link, which needs no key.
   * The inner function throws the refusal of a link that is wrong.
   */
  readonly signedLink?: (deps: EndpointDeps) => (request: FastifyRequest) => boolean;
}

/** What a route by hand needs of its description. */
interface HandMadeRoute {
  readonly url: string;
  readonly access: RouteAccess;
}

interface HandMadeDefinition extends EndpointDescription {
  readonly register: (app: FastifyInstance, route: HandMadeRoute, deps: EndpointDeps) => void;
}

export interface Endpoint {
  readonly description: EndpointDescription;
  /** Makes it a route of the service. */
  readonly register: (app: FastifyInstance, deps: EndpointDeps) => void;
}

/** One way of calling the service: the route and its description in the OpenAPI document. */
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

/** An endpoint whose route is not made by `endpoint`; the description is like any other. */
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
  const access = routeAccess(definition);
  const onRequest = accessHook(deps.control, access, definition.signedLink?.(deps));
  const handle = definition.handler(deps);
  const status = successStatus(definition.responses);
  app.route({
    method: definition.method.toUpperCase(),
    url: routeUrl(definition.path),
    bodyLimit: bodyLimitOf(access.access),
    ...(onRequest === null ? {} : { onRequest }),
    handler: async (request, reply) => {
      const call = {
        params: request.params,
        query: query === undefined ? undefined : readQuery(request, query),
        body: body === undefined ? undefined : readBody(request, body),
        principal: request.principal,
        session: request.session,
        request,
        reply,
      } as Call<Path, A, Q, B>;
      const result = await handle(call);
      // The handler has sent the reply, or streams it. (A reply is a thenable, so that `result` is none.)
      if (reply.sent) return reply;
      reply.code(status);
      return status === 204 ? reply.send() : result;
    },
  });
}

/** The path as Fastify writes it. */
const routeUrl = (path: string): string => path.replace(/(?<=.)\/$/, '').replace(/\{(\w+)\}/g, ':$1');

const routeAccess = ({ access, body }: EndpointDescription): RouteAccess => ({
  access,
  body: body === undefined ? 'none' : body.required ? 'required' : 'optional',
});

/** Object keys that are numbers come in ascending order. */
const successStatus = (responses: Responses): number =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')));

const readBody = <B>({ body }: FastifyRequest, { required, parse }: BodySpec<B>): B =>
  unwrapParsed(parse(required ? body : (body ?? {})));

function readQuery<Q>(request: FastifyRequest, { parameters, read }: QuerySpec<Q>): Q | undefined {
  if (read === undefined) return undefined;
  return unwrapParsed(parseQuery({ parameters, read }, request.query as QueryParameters, request.principal!));
}
