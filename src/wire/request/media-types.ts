/** What is sent as Content-Type when the caller gives none. */
export const JSON_TYPE = 'application/json';
export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const TEXT_TYPE = 'text/plain; charset=utf-8';
