/** What the page needs to know of a request as it was kept. */
export interface StoredRequest {
  readonly url: string | undefined;
  readonly method: string;
  readonly retain: string | undefined;
  readonly tags: readonly (readonly [name: string, value: string])[];
}

/** @param request as the API gives it: whatever fits the schema of a request; undefined when it was not kept */
export function storedRequestOf(request: Readonly<Record<string, unknown>> | undefined): StoredRequest {
  const router = isObject(request?.router) ? request.router : {};
  const tags = isObject(router.tags) ? Object.entries(router.tags) : [];
  return {
    url: textOf(request?.url),
    method: textOf(request?.method)?.toUpperCase() ?? 'GET',
    retain: textOf(router.retain),
    tags: tags.map(([name, value]) => [name, String(value)]),
  };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
