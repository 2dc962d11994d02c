import { Type } from 'typebox';
import { uuid7 } from '../../base/uuid7.ts';
import type { Principal } from '../../domain/account.ts';
import { isFailure } from '../../domain/failure.ts';
import { closed } from '../../domain/json-schema.ts';
import { requestedTemplate } from '../../domain/template.ts';
import { loadTemplate } from '../../pipeline/extract-template.ts';
import type { SavedRequestRow } from '../../ports/saved-requests.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { withPrefix } from '../../wire/jobs/item-request.ts';
import { maskedRequestJson } from '../../wire/request/masked-request.ts';
import { parseTask } from '../../wire/request/parse-task.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';

/** How many requests a user may save. */
const MAX_REQUESTS = 200;
/** Limit of a request as compact JSON in UTF-8. */
const MAX_REQUEST_BYTES = 262_144;

const Name = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^\\S(?:.*\\S)?$',
  description: 'must be 1 to 64 characters in one line, without white space at its ends',
});
const Request = Type.Unsafe<JsonObject>({
  type: 'object',
  additionalProperties: true,
  description: 'A scrape request, as for `POST /api/v1/scrape/`. Secrets are stored masked, as in records.',
});
const SavedRequest = closed(
  {
    id: Type.String({ format: 'uuid' }),
    name: Name,
    request: Request,
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'SavedRequest', description: 'A scrape request under a name, for the playground.' },
);
const SavedRequestList = closed({ items: Type.Array(SavedRequest) }, { title: 'SavedRequestList' });

const SAVE = jsonBody(closed({ name: Name, request: Request }, { title: 'SavedRequestCreate' }), {
  examples: {
    minimal: { name: 'Prices as Markdown', request: { url: 'https://example.com/prices' } },
  },
  nulls: 'kept',
  read(body, problems: Problems) {
    const request = body.request as JsonObject;
    const bytes = Buffer.byteLength(JSON.stringify(request));
    if (bytes > MAX_REQUEST_BYTES)
      addProblem(problems, '/request', `has at most ${MAX_REQUEST_BYTES} bytes as JSON, got ${bytes}`);
    return { name: body.name as string, request };
  },
});

const savedRequestObject = ({ id, name, requestJson, updatedAt }: SavedRequestRow) => ({
  id,
  name,
  request: JSON.parse(requestJson) as JsonObject,
  updated_at: formatDateTime(updatedAt),
});

/** @throws Refusal if it is no valid scrape request */
async function checkRequest(deps: EndpointDeps, userId: string, request: JsonObject): Promise<void> {
  const name = requestedTemplate(request);
  const template =
    name === null
      ? null
      : await loadTemplate(deps.store.templates, userId, name, '/request/scraper_options/extract');
  if (isFailure(template)) throw new Refusal([template]);
  const { problems } = parseTask(request, template);
  if (problems !== null) throw new Refusal(problems.map((one) => withPrefix(one, '/request')));
}

/** @throws Refusal */
async function save(
  deps: EndpointDeps,
  { userId }: Principal,
  { name, request }: { readonly name: string; readonly request: JsonObject },
): Promise<SavedRequestRow> {
  await checkRequest(deps, userId, request);
  const now = deps.clock.now();
  const row = {
    id: uuid7(now),
    name,
    requestJson: maskedRequestJson(request, 'by_selector'),
    updatedAt: now,
  };
  const stored = await deps.store.savedRequests.put(userId, row, MAX_REQUESTS);
  if (stored !== null) return stored;
  const message = `You have ${MAX_REQUESTS} saved requests, which is the limit.`;
  throw Refusal.of('limit.saved_requests', message, { details: { limit: MAX_REQUESTS } });
}

export const SAVED_REQUESTS = [
  endpoint({
    method: 'get',
    path: '/api/v1/saved-requests/',
    operationId: 'listSavedRequests',
    summary: 'List saved requests',
    access: 'scope:read',
    responses: { 200: json('Your saved requests, by name.', SavedRequestList) },
    handler: async ({ principal }, { store }) => ({
      items: (await store.savedRequests.list(principal.userId)).map(savedRequestObject),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/saved-requests/',
    operationId: 'saveRequest',
    summary: 'Save a request',
    description:
      'Stores a scrape request under a name, with masked secrets. A request of the same name is replaced.',
    access: 'scope:jobs',
    body: SAVE,
    responses: {
      201: json('The saved request.', SavedRequest),
      422: problem('There is no such template: `template.unknown`.'),
      429: problem(
        'There are too many saved requests already: `limit.saved_requests`. Or too many concurrent requests: `limit.concurrency`.',
      ),
    },
    handler: async ({ principal, body }, deps) => savedRequestObject(await save(deps, principal, body)),
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/saved-requests/{id}/',
    operationId: 'deleteSavedRequest',
    summary: 'Delete a saved request',
    access: 'scope:jobs',
    params: { id: { description: 'Id of the saved request.', schema: Type.String({ format: 'uuid' }) } },
    responses: { 204: nothing('Deleted.') },
    handler: async ({ principal, params }, { store }) => {
      if (!(await store.savedRequests.delete(principal.userId, params.id)))
        throw notFoundRefusal('saved request');
    },
  }),
];
