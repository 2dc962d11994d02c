/** Values that the service inserts into the page. */

const metaContent = (selector: string, read: (element: HTMLMetaElement) => string): string => {
  const element = document.querySelector<HTMLMetaElement>(selector);
  return element === null ? '' : read(element);
};

/** Where the service is mounted, without the last slash: `` or `/sluice`. */
export const BASE_PATH: string = metaContent('meta[name="base-path"]', (meta) => meta.content);

/** The browser only accepts dynamically created styles with this nonce. */
export const STYLE_NONCE: string = metaContent('meta[property="csp-nonce"]', (meta) => meta.nonce);
