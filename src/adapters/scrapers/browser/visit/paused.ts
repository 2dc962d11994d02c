import type { HeaderList } from '../../../../domain/fetched.ts';

/** As `Fetch.requestPaused` tells it; only what is used here. */
export interface Paused {
  readonly requestId: string;
  readonly networkId?: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly redirectedRequestId?: string;
  readonly request: {
    readonly url: string;
    readonly urlFragment?: string;
    readonly method: string;
    readonly headers: Record<string, string>;
  };
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
}

/** `networkId` is what the document will be known by. */
export type PausedNavigation = Paused & { readonly networkId: string };

/** What has none is a file that the page wants to be kept (`<a download>`), which the browser then does not do. */
export const isNavigation = (event: Paused): event is PausedNavigation => event.networkId !== undefined;

const DOCUMENTS = { resourceType: 'Document' } as const;

/** Pauses every navigation before it is sent and before it is shown. */
export const NAVIGATIONS = [
  { ...DOCUMENTS, requestStage: 'Request' },
  { ...DOCUMENTS, requestStage: 'Response' },
] as const;

/** Of the request, with its fragment. */
export function addressOf({ request: { url, urlFragment } }: Paused): string {
  return `${url}${urlFragment ?? ''}`;
}

/** Of the answer; cookies are missing. */
export function headersOf({ responseHeaders }: Paused): HeaderList {
  return (responseHeaders ?? []).map(({ name, value }): [string, string] => [name.toLowerCase(), value]);
}
