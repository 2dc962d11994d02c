const ENDINGS: Readonly<Record<string, string>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'xhtml',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/css': 'css',
  'text/javascript': 'js',
  'application/javascript': 'js',
  'application/json': 'json',
  'application/xml': 'xml',
  'text/xml': 'xml',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/svg+xml': 'svg',
  'image/x-icon': 'ico',
  'audio/mpeg': 'mp3',
  'video/mp4': 'mp4',
};

/**
 * A name for a downloaded content: nothing of it comes from the target, whose `.exe` a click would start.
 * @param essence `type/subtype`, lower-case
 */
export function fileName(id: string, essence: string): string {
  let ending = Object.hasOwn(ENDINGS, essence) ? ENDINGS[essence] : undefined;
  if (ending === undefined && essence.endsWith('+json')) ending = 'json';
  if (ending === undefined && essence.endsWith('+xml')) ending = 'xml';
  if (ending === undefined && essence.startsWith('text/')) ending = 'txt';
  return `scrape-${id}.${ending ?? 'bin'}`;
}
