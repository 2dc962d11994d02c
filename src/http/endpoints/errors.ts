import { Type } from 'typebox';
import {
  FAILURES,
  type FailureCode,
  RETRY_CHANGES,
  WARNINGS,
  type WarningCode,
} from '../../domain/failure.ts';
import { closed, orNull } from '../../domain/json-schema.ts';
import { WARNING_SOURCES } from '../../wire/answer/answer-json.ts';
import { ErrorCodeName, WarningCodeName } from '../../wire/answer/answer-schema.ts';
import { endpoint } from '../core/endpoint.ts';

const ErrorsTable = closed(
  {
    errors: Type.Array(
      closed({
        code: ErrorCodeName,
        status: orNull(Type.Integer()),
        source: Type.String(),
        retryable: Type.Boolean(),
        title: Type.String(),
        help: Type.String(),
        retry: Type.Array(Type.Enum([...RETRY_CHANGES]), {
          description:
            'Changes of the request that may help, the most likely first: another `scraper`, a `residential` proxy, twice the `timeout_ms` (`timeout`), or `verify_tls: false` (`unverified_tls`).',
        }),
      }),
    ),
    warnings: Type.Array(closed({ code: WarningCodeName, source: Type.String(), help: Type.String() })),
  },
  { title: 'ErrorsTable' },
);

/** The body of `GET /api/v1/errors/`: all codes. */
export function errorsTable() {
  return {
    errors: (Object.keys(FAILURES) as FailureCode[]).map((code) => {
      const { status, source, retryable, title, help, retry } = FAILURES[code];
      return { code, status, source, retryable, title, help, retry };
    }),
    warnings: (Object.keys(WARNINGS) as WarningCode[]).map((code) => ({
      code,
      source: WARNING_SOURCES[code],
      help: WARNINGS[code],
    })),
  };
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}code{font-size:.95em}dt{margin-top:1.2rem}dt:target{outline:2px solid;outline-offset:4px}dd{margin:0}small{opacity:.7}';

/** The table as HTML, with an anchor for each code: the `type` of a problem links to it. */
function errorsHtml(): string {
  const { errors, warnings } = errorsTable();
  const listed = errors.map(({ code, status, source, retryable, title, help }) => {
    const facts = [status === null ? 'only in errors' : `status ${status}`, source];
    if (retryable) facts.push('retryable');
    return `<dt id="${code}"><code>${code}</code> <small>${facts.join(' · ')}</small></dt><dd>${escapeHtml(title)}. ${renderHelp(help)}</dd>`;
  });
  const notices = warnings.map(
    ({ code, help }) => `<dt id="${code}"><code>${code}</code></dt><dd>${renderHelp(help)}</dd>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sluice: errors</title><style>${STYLE}</style></head><body><h1>Errors</h1><dl>${listed.join('')}</dl><h1>Warnings</h1><dl>${notices.join('')}</dl></body></html>`;
}

const escapeHtml = (plain: string): string =>
  plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Renders a help text as HTML. Help texts mark code with backticks. */
const renderHelp = (help: string): string => escapeHtml(help).replace(/`([^`]+)`/g, '<code>$1</code>');

export const ERRORS = [
  endpoint({
    method: 'get',
    path: '/api/v1/errors/',
    operationId: 'listErrors',
    summary: 'List all error codes',
    description: 'HTML if the caller prefers it.',
    access: 'public',
    responses: {
      200: {
        description: 'The codes.',
        content: { 'application/json': ErrorsTable, 'text/html': Type.String() },
      },
    },
    handler: ({ request, reply }) => {
      reply.header('vary', 'accept');
      if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return errorsTable();
      return reply.header('content-type', 'text/html; charset=utf-8').send(errorsHtml());
    },
  }),
];
