import { Type } from 'typebox';
import type { Principal } from '../../domain/account.ts';
import { closed } from '../../domain/json-schema.ts';
import type { ExtractRule } from '../../domain/page-action.ts';
import { DEFAULT_SCRAPER_OPTIONS, EXTRACT_RULES } from '../../domain/scraper-options.ts';
import { MAX_TEMPLATE_BYTES, TEMPLATE_NAME_PATTERN } from '../../domain/template.ts';
import { templateRules } from '../../pipeline/extract-template.ts';
import type { TemplateRow } from '../../ports/store.ts';
import { formatDateTime } from '../../wire/date-time.ts';
import { readExtractRules } from '../../wire/request/extract-rules.ts';
import type { JsonObject } from '../../wire/schema/body-parser.ts';
import { addProblem, type Problems } from '../../wire/schema/problems.ts';
import type { EndpointDeps } from '../core/deps.ts';
import { endpoint, jsonBody } from '../core/endpoint.ts';
import { notFoundRefusal, Refusal } from '../core/refusal.ts';
import { json, nothing, problem } from '../core/responses.ts';

const Name = Type.String({
  pattern: TEMPLATE_NAME_PATTERN,
  description: 'must be 1 to 64 letters, digits, dots, hyphens and underscores, the first a letter or digit',
});
const Template = closed(
  {
    name: Name,
    rules: EXTRACT_RULES,
    version: Type.Integer({ minimum: 1, description: 'One more with each change of the rules.' }),
    updated_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Template', description: 'Named rules for `extract`.' },
);
const TemplateList = closed({ items: Type.Array(Template) }, { title: 'TemplateList' });

const EXAMPLE_RULES = { title: 'h1', price: { selector: '.price', transform: 'number' } };

interface TemplateRules {
  readonly rulesJson: string;
  /** Parsed, for further checks. */
  readonly rules: readonly ExtractRule[];
}

function readRules(body: JsonObject, problems: Problems): TemplateRules {
  const rules = readExtractRules(body.rules, '/rules', problems);
  const rulesJson = JSON.stringify(body.rules);
  if (rules.length === 0 && problems.length === 0) addProblem(problems, '/rules', 'has no rules');
  const bytes = Buffer.byteLength(rulesJson);
  if (bytes > MAX_TEMPLATE_BYTES)
    addProblem(problems, '/rules', `has at most ${MAX_TEMPLATE_BYTES} bytes as JSON, got ${bytes}`);
  return { rulesJson, rules };
}

const CREATE = jsonBody(closed({ name: Name, rules: EXTRACT_RULES }, { title: 'TemplateCreate' }), {
  examples: { product: { name: 'product', rules: EXAMPLE_RULES } },
  read: (body, problems) => ({ name: body.name as string, ...readRules(body, problems) }),
});
const CHANGE = jsonBody(closed({ rules: EXTRACT_RULES }, { title: 'TemplatePatch' }), {
  examples: { product: { rules: EXAMPLE_RULES } },
  read: readRules,
});

const templateObject = (row: TemplateRow) => ({
  name: row.name,
  rules: templateRules(row),
  version: row.version,
  updated_at: formatDateTime(row.updatedAt),
});

/** @throws Refusal if a selector cannot be read */
function checkSelectors({ pipeline }: EndpointDeps, extract: readonly ExtractRule[]): void {
  const problems = pipeline.readingProblems({ ...DEFAULT_SCRAPER_OPTIONS, extract }, '');
  if (problems.length > 0) throw new Refusal(problems);
}

/** @throws Refusal */
async function createTemplate(
  deps: EndpointDeps,
  { userId }: Principal,
  { name, rules, rulesJson }: TemplateRules & { readonly name: string },
): Promise<TemplateRow> {
  checkSelectors(deps, rules);
  const row: TemplateRow = { name, rulesJson, version: 1, updatedAt: deps.clock.now() };
  const limit = deps.accounts.limits(userId).templates;
  switch (await deps.store.templates.create(userId, row, limit)) {
    case 'created':
      return row;
    case 'exists': {
      const message =
        '`/name` is the name of another template of yours; change that one, or take another name';
      throw Refusal.of('request.validation', message, { pointer: '/name' });
    }
    case 'full': {
      const message = `You have ${limit} templates, which is the limit.`;
      throw Refusal.of('limit.templates', message, { details: { limit } });
    }
  }
}

const TEMPLATE_NAME = { name: { description: 'Name of the template.', schema: Type.String() } };

export const TEMPLATES = [
  endpoint({
    method: 'get',
    path: '/api/v1/templates/',
    operationId: 'listTemplates',
    summary: 'List templates',
    access: 'scope:read',
    responses: { 200: json('Your templates, by name.', TemplateList) },
    handler: async ({ principal }, { store }) => ({
      items: (await store.templates.list(principal.userId)).map(templateObject),
    }),
  }),
  endpoint({
    method: 'post',
    path: '/api/v1/templates/',
    operationId: 'createTemplate',
    summary: 'Create a template',
    description:
      'Stores rules for `extract` under a name. A request uses them with `scraper_options.extract: "template:<name>"`.',
    access: 'scope:jobs',
    body: CREATE,
    responses: {
      201: json('The template.', Template),
      429: problem(
        `There are too many templates already: \`limit.templates\`. Or too many concurrent requests: \`limit.concurrency\`.`,
      ),
    },
    handler: async ({ principal, body }, deps) => templateObject(await createTemplate(deps, principal, body)),
  }),
  endpoint({
    method: 'get',
    path: '/api/v1/templates/{name}/',
    operationId: 'getTemplate',
    summary: 'Get a template',
    access: 'scope:read',
    params: TEMPLATE_NAME,
    responses: { 200: json('The template.', Template) },
    handler: async ({ principal, params }, { store }) => {
      const row = await store.templates.get(principal.userId, params.name);
      if (row === null) throw notFoundRefusal('template');
      return templateObject(row);
    },
  }),
  endpoint({
    method: 'patch',
    path: '/api/v1/templates/{name}/',
    operationId: 'changeTemplate',
    summary: 'Change the rules of a template',
    description: 'Replaces all rules. Requests that were accepted before keep the rules that they had.',
    access: 'scope:jobs',
    params: TEMPLATE_NAME,
    body: CHANGE,
    responses: { 200: json('The template with its new version.', Template) },
    handler: async ({ principal, params, body: { rules, rulesJson } }, deps) => {
      checkSelectors(deps, rules);
      const { templates } = deps.store;
      const row = await templates.replace(principal.userId, params.name, rulesJson, deps.clock.now());
      if (row === null) throw notFoundRefusal('template');
      return templateObject(row);
    },
  }),
  endpoint({
    method: 'delete',
    path: '/api/v1/templates/{name}/',
    operationId: 'deleteTemplate',
    summary: 'Delete a template',
    access: 'scope:jobs',
    params: TEMPLATE_NAME,
    responses: { 204: nothing('Deleted.') },
    handler: async ({ principal, params }, { store }) => {
      if (!(await store.templates.delete(principal.userId, params.name))) throw notFoundRefusal('template');
    },
  }),
];
