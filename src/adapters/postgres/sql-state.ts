/** The SQLSTATE of an error, or of its cause (PostgreSQL, appendix A); the code of another error; empty: there is none. */
export function sqlStateOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined || cause === null ? '' : sqlStateOf(cause);
}

/** Whether the server answered with an error, so that the connection is still good. */
export function isServerError(error: unknown): boolean {
  const state = sqlStateOf(error);
  // Classes 08 and 57P, and idle_in_transaction_session_timeout: the server ends the connection.
  return /^[0-9A-Z]{5}$/.test(state) && !/^(08|57P|25P03)/.test(state);
}
