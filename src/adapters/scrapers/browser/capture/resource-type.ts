const NAMED = new Set([
  ...['document', 'stylesheet', 'image', 'media', 'font', 'script', 'texttrack', 'xhr', 'fetch'],
  ...['eventsource', 'manifest'],
]);

/** As requests name it. @param type of the DevTools Protocol */
export function resourceType(type: string | undefined): string {
  const name = type?.toLowerCase() ?? '';
  return NAMED.has(name) ? name : 'other';
}
