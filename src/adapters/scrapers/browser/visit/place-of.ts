/** Where the requests to a URL go. */
export function placeOf(url: string): [host: string, port: number] {
  const { hostname, port, protocol } = new URL(url);
  return [hostname, port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)];
}
