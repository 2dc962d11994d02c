/** An address that was escaped, and escaped again as a part of another one. */
const MOST_ESCAPES = 3;

/**
 * Whether the query or the fragment of `finalUrl` carries `asked`, in full or from its path on: whoever sends on to another
 * page so means to come back. A path that is `/` alone tells nothing.
 */
export function carriesUrl(finalUrl: string, asked: string): boolean {
  const from = finalUrl.search(/[?#]/);
  if (from === -1) return false;
  const { host, pathname } = new URL(asked);
  const path = unescaped(pathname);
  let told = finalUrl.slice(from + 1);
  for (let n = 0; n < MOST_ESCAPES; n++) {
    const next = unescaped(told);
    if (told.includes(`//${host}${pathname}`) || told.includes(`//${host}${path}`)) return true;
    if (path !== '/' && told.split(/[&=]/).some((value) => isPath(value, pathname) || isPath(value, path)))
      return true;
    if (next === told) return false;
    told = next;
  }
  return false;
}

/** As ASP.NET writes it, `~` is the root of the application. */
function isPath(value: string, path: string): boolean {
  const [told] = value.replace(/^~/, '').split(/[?#]/);
  return told === path;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
