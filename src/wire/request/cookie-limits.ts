/** Of one request. */
export const MOST_COOKIES = 300;
/** Bytes of name and value. */
export const LONGEST_COOKIE = 4096;
