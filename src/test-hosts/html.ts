/** Text for an element or an attribute. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color:#1c2430}nav a{margin-right:1rem}table{border-collapse:collapse}td,th{padding:.3rem .8rem .3rem 0;text-align:left}footer{margin-top:3rem;color:#667}';

interface PageParts {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** HTML. */
  readonly head?: string;
  readonly lang?: string;
}

/** A whole HTML document. */
export const htmlPage = ({ title, body, head = '', lang = 'en' }: PageParts): string =>
  `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
${head}</head>
<body>
${body}
</body>
</html>
`;
