/**
 * `Basic …` of the credentials in a URL, null when it has none. RFC 7617: those of a URL are percent-encoded, those of the
 * header are not.
 */
export function basicCredentials({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  const bytes = Buffer.concat([percentDecoded(username), Buffer.from(':'), percentDecoded(password)]);
  return `Basic ${bytes.toString('base64')}`;
}

/** To bytes, because they need not be UTF-8; a `%` without two digits stays (URL standard, "percent-decode"). */
function percentDecoded(text: string): Buffer {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
}
