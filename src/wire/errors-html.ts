import { errorsTable } from './errors-table.ts';

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}code{font-size:.95em}dt{margin-top:1.2rem}dt:target{outline:2px solid;outline-offset:4px}dd{margin:0}small{opacity:.7}';

/** The table of errors for people: where `type` of a problem leads, with an anchor for each code. */
export function errorsHtml(): string {
  const { errors, warnings } = errorsTable();
  const listed = errors.map(({ code, status, source, retryable, title, help }) => {
    const facts = [status === null ? 'only in errors' : `status ${status}`, source];
    if (retryable) facts.push('retryable');
    return `<dt id="${code}"><code>${code}</code> <small>${facts.join(' · ')}</small></dt><dd>${text(title)}. ${rich(help)}</dd>`;
  });
  const notices = warnings.map(
    ({ code, help }) => `<dt id="${code}"><code>${code}</code></dt><dd>${rich(help)}</dd>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sluice: errors</title><style>${STYLE}</style></head><body><h1>Errors</h1><dl>${listed.join('')}</dl><h1>Warnings</h1><dl>${notices.join('')}</dl></body></html>`;
}

const text = (plain: string): string =>
  plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The help texts mark code as Markdown does. */
const rich = (help: string): string => text(help).replace(/`([^`]+)`/g, '<code>$1</code>');
