import { forbiddenHeaderReason } from '../request/headers.ts';
import type { ImportedRequest, ImportProblem } from './curl-command.ts';

interface HarHeader {
  readonly name: string;
  readonly value: string;
}

interface HarRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: readonly HarHeader[];
  readonly postData?: {
    readonly mimeType?: string;
    readonly text?: string;
    readonly params?: readonly {
      readonly name: string;
      readonly value?: string;
      readonly fileName?: string;
    }[];
    /** Of Chromium: `base64`. */
    readonly encoding?: string;
  };
}

interface HarEntry {
  readonly request?: HarRequest;
  readonly response?: { readonly content?: { readonly mimeType?: string } };
  /** Of Chromium and Firefox. */
  readonly _resourceType?: string;
}

/** Headers that HTTP scrapers make themselves. */
const OWN_HEADERS = new Set(['accept-encoding']);

/**
 * Translates a request of an archive (HAR 1.2), as browsers and proxies save it.
 * @param har the archive, parsed from JSON
 * @param index of the entry; null: the first document
 */
export function importHar(har: unknown, index: number | null): ImportedRequest | ImportProblem {
  const entries = (har as { log?: { entries?: unknown } } | null)?.log?.entries;
  if (!Array.isArray(entries)) return { problem: 'is no HTTP archive: it has no `log.entries`' };
  const list = entries as readonly HarEntry[];
  const entry = index === null ? (list.find(isDocument) ?? list[0]) : list[index];
  if (typeof entry?.request?.url !== 'string')
    return {
      problem:
        list.length === 0 ? 'has no entries' : `has no request as entry ${index ?? 0} of ${list.length}`,
    };
  return requestOf(entry.request);
}

const isDocument = ({ _resourceType: type, response }: HarEntry): boolean =>
  type === 'document' || (type === undefined && /html/i.test(response?.content?.mimeType ?? ''));

function requestOf({ method = 'GET', url, headers = [], postData }: HarRequest): ImportedRequest {
  const ignored: string[] = [];
  const kept = new Map<string, string[]>();
  for (const { name, value } of headers) {
    const lower = name.toLowerCase();
    // HTTP/2 has method, path and host as such fields.
    if (name.startsWith(':')) continue;
    if (OWN_HEADERS.has(lower) || forbiddenHeaderReason(lower) !== null) ignored.push(`${name}: ${value}`);
    else kept.set(name, [...(kept.get(name) ?? []), value]);
  }
  const data = postData === undefined ? null : dataOf(postData);
  if (data !== null && '$multipart' in data)
    for (const name of kept.keys()) if (name.toLowerCase() === 'content-type') kept.delete(name);
  const entries = [...kept].map(
    ([name, values]) => [name, values.length === 1 ? values[0] : values] as const,
  );
  return {
    request: {
      url,
      scraper: 'http',
      ...(method !== 'GET' && { method }),
      ...(entries.length > 0 && { headers: Object.fromEntries(entries) }),
      ...(data !== null && { data }),
      allow_redirects: false,
    },
    ignored,
  };
}

function dataOf({ text, params, mimeType = '', encoding }: NonNullable<HarRequest['postData']>) {
  if (/^multipart\/form-data/i.test(mimeType) && params !== undefined && params.length > 0)
    return {
      $multipart: params.map(({ name, value = '', fileName }) => ({
        name,
        value,
        ...(fileName !== undefined && { filename: fileName }),
      })),
    };
  if (text !== undefined && text !== '') return encoding === 'base64' ? { $base64: text } : { $raw: text };
  if (params === undefined || params.length === 0) return null;
  return { $form: params.map(({ name, value = '' }) => [name, value]) };
}
