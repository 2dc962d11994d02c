/**
 * The head of a response over HTTP/1 or HTTP/2. The fields that the client itself needs have properties. Values are byte
 * strings: each character is one byte on the wire (Latin-1).
 */
export class ResponseHead {
  readonly status: number;
  /** One entry per field line, in the order on the wire; names are lower-case. */
  readonly headers: [name: string, value: string][] = [];
  /** HTTP/1.0 or an unknown version: without keep-alive, the connection ends with the response. */
  readonly http10: boolean;
  /** The head does not follow the HTTP syntax, and was parsed leniently: the connection must not be used for another response. */
  readonly malformed: boolean;
  // Values of these fields; lines with the same name are joined with a comma (RFC 9110 §5.3). null: there is no such field.
  contentLength: string | null = null;
  transferEncoding: string | null = null;
  contentEncoding: string | null = null;
  connection: string | null = null;
  keepAlive: string | null = null;
  /** The first `Location` that is not empty. */
  location: string | null = null;
  /** There are two different `Location` fields. */
  conflictingLocations = false;
  hasSetCookie = false;

  constructor(status: number, { http10 = false, malformed = false } = {}) {
    this.status = status;
    this.http10 = http10;
    this.malformed = malformed;
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
