const BLOB_KEY = /^[0-9a-f-]{1,64}$/;

export const isBlobKey = (text: string): boolean => BLOB_KEY.test(text);

/** @throws TypeError if `key` is not a blob key, which is a bug of the caller */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`not a blob key: ${JSON.stringify(key.slice(0, 80))}`);
}
