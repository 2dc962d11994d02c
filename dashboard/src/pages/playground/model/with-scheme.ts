/** `example.com` as `https://example.com`; what has a scheme as it is. */
export function withScheme(url: string): string {
  const text = url.trim();
  // What a colon and digits follow is a host with a port.
  if (text === '' || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text)) return url;
  return `https:${text.startsWith('//') ? '' : '//'}${text}`;
}
