import { domainToUnicode } from 'node:url';

/** The text without percent-encoding; as it is, if that is not UTF-8. */
function decoded(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

/** Host and path of a URL for people, such as `example.com/docs`. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, port, pathname } = new URL(url);
  const host = domainToUnicode(hostname) || hostname;
  return `${host}${port === '' ? '' : `:${port}`}${decoded(pathname).replace(/\/$/, '')}`;
}

/** What a job is called in lists: its name, or else host and path of its first URL; null: it has neither. */
export const jobLabel = ({
  name,
  firstUrl,
}: {
  readonly name: string | null;
  readonly firstUrl: string | null;
}): string | null => name ?? (firstUrl === null ? null : placeOf(firstUrl));

/** Texts are compared in this form. */
export const searchForm = (text: string): string => text.normalize('NFC').toLowerCase();

/** What searches of jobs look at: the label, and the first URL as it is and as people read it. Sorted by it is sorted by label. */
export const searchText = (job: { readonly name: string | null; readonly firstUrl: string | null }): string =>
  searchForm([jobLabel(job), job.firstUrl, job.firstUrl && placeOf(job.firstUrl)].join('\n'));
