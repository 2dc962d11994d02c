const CODES: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 409: 'CONFLICT' };

/** What a caller asked for and cannot get. Its message is the answer. */
export class BadRequest extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }

  get code(): string {
    return CODES[this.status] ?? 'BAD_REQUEST';
  }
}
