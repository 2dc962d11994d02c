import { FAILURES, type FailureCode, WARNINGS, type WarningCode } from '../domain/failure.ts';
import { WARNING_SOURCES } from './answer/answer-json.ts';

/** The body of `GET /api/v1/errors/`: every code there is. */
export function errorsTable() {
  return {
    errors: (Object.keys(FAILURES) as FailureCode[]).map((code) => {
      const { status, source, retryable, title, help } = FAILURES[code];
      return { code, status, source, retryable, title, help };
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

/** The table of errors for people: where `type` of a problem leads, with an anchor for each code. */
export function errorsHtml(): string {
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

/** The help texts mark code as Markdown does. */
const renderHelp = (help: string): string => escapeHtml(help).replace(/`([^`]+)`/g, '<code>$1</code>');
