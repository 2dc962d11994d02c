/** TLS sessions for resumption by connection key; the ones longest not renewed go first. */
export class SessionCache {
  readonly #sessions = new Map<string, Buffer>();
  readonly #most: number;

  constructor(most = 256) {
    this.#most = most;
  }

  get(key: string): Buffer | undefined {
    return this.#sessions.get(key);
  }

  set(key: string, session: Buffer): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size > this.#most) this.#sessions.delete(this.#sessions.keys().next().value!);
  }

  delete(key: string): void {
    this.#sessions.delete(key);
  }
}
