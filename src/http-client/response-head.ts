/**
 * The head of one answer, of HTTP/1 or HTTP/2, with the few fields that the client itself acts on.
 * Values are byte strings: each character is one byte of the wire (Latin-1).
 */
export class ResponseHead {
  readonly status: number;
  /** In the order of the wire, names lower-case, one entry a field line. */
  readonly headers: [name: string, value: string][] = [];
  /** The peer speaks HTTP/1.0 (or does not say): the connection ends with the answer unless it says keep-alive. */
  readonly http10: boolean;
  /** Read by leniency: framing cannot be trusted for another answer on the same connection. */
  readonly malformed: boolean;
  // Field lines of the same name are joined with a comma (RFC 9110 §5.3); null: there is none.
  contentLength: string | null = null;
  transferEncoding: string | null = null;
  contentEncoding: string | null = null;
  connection: string | null = null;
  keepAlive: string | null = null;
  /** The first `Location` that is not empty. */
  location: string | null = null;
  /** Two different `Location` fields: nobody can tell which is meant. */
  conflictingLocations = false;
  hasSetCookie = false;

  constructor(status: number, http10: boolean, odd: boolean) {
    this.status = status;
    this.http10 = http10;
    this.malformed = odd;
  }

  /** @param name lower-case */
  addField(name: string, value: string): void {
    this.headers.push([name, value]);
    switch (name) {
      case 'content-length':
        this.contentLength = joinFieldLines(this.contentLength, value);
        break;
      case 'transfer-encoding':
        this.transferEncoding = joinFieldLines(this.transferEncoding, value);
        break;
      case 'content-encoding':
        this.contentEncoding = joinFieldLines(this.contentEncoding, value);
        break;
      case 'connection':
        this.connection = joinFieldLines(this.connection, value);
        break;
      case 'keep-alive':
        this.keepAlive = joinFieldLines(this.keepAlive, value);
        break;
      case 'set-cookie':
        this.hasSetCookie = true;
        break;
      case 'location':
        if (value === '') break;
        if (this.location === null) this.location = value;
        else if (this.location !== value) this.conflictingLocations = true;
        break;
    }
  }
}

function joinFieldLines(before: string | null, value: string): string {
  return before === null ? value : `${before},${value}`;
}
