import { uuidBytes } from '../../base/uuid7.ts';
import type { RunCommand } from '../core/command.ts';
import { withApi } from '../core/connect.ts';
import { openOutput } from '../core/output.ts';
import { valueText } from '../core/scrape-answer.ts';
import { scrape } from './scrape.ts';

/** The answer of `POST /api/v1/scrape/{id}/read/`, as far as the command reads it. */
interface ReadingView {
  readonly errors: readonly { readonly code: string; readonly message: string }[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

/** Prints the Markdown, or what is asked for, of a stored scrape or of a page. */
export const read: RunCommand = async (call, io) => {
  const { members, values, flags } = call;
  const target = call.words[0]!;
  // Without a wish, Markdown.
  const asked = values.get('format') ?? null;
  const format = asked ?? (Object.keys(members).length === 0 ? 'markdown' : null);
  if (uuidBytes(target) === null)
    return scrape({ ...call, values: new Map([...values, ['format', asked ?? 'markdown']]) }, io);
  const { formats = [] } = members as { formats?: unknown };
  const body = format === null ? members : { ...members, formats: [formats, format].flat() };
  return withApi(io, call, async (api, signal) => {
    const json = await api.text('POST', `/api/v1/scrape/${target.toLowerCase()}/read/`, { body, signal });
    const { errors, warnings } = JSON.parse(json) as ReadingView;
    for (const { code, message } of [...errors, ...warnings]) io.err(`sluice: ${code}: ${message}`);
    const text = format === null || flags.has('json') ? json.trimEnd() : valueText(json, format);
    if (text === null) io.err(`sluice: ${target} has no ${format}`);
    else {
      await using output = await openOutput(values.get('output') ?? null);
      await output.write(`${text}\n`);
    }
    return text === null || errors.length > 0 ? 1 : 0;
  });
};
