import type { ApiKey } from '../../api/keys.ts';
import type { CodeTab } from '../../ui/code-block.tsx';

/** A page of a test host. */
const EXAMPLE_PAGE = 'https://shop.sluice.test/shop/SL-001';

interface FirstCall {
  readonly path: string;
  readonly body: { readonly url: string; readonly scraper: 'auto' } | null;
}

/** An example call in three languages that the key is allowed to make. The key is read from the environment. */
export function firstCallSnippets(key: ApiKey, baseUrl: string): readonly CodeTab[] {
  const call = firstCall(key);
  const url = `${baseUrl}${call.path}`;
  return [
    { label: 'curl', code: curl(url, call) },
    { label: 'Node', code: node(url, call) },
    { label: 'Python', code: python(url, call) },
  ];
}

function firstCall({ test, scopes, domains }: ApiKey): FirstCall {
  if (scopes.includes('scrape')) {
    const host = domains[0]?.replace(/^\*\./, 'www.');
    // Without a site of one's own, a test host, which always answers.
    const url = test || host === undefined ? EXAMPLE_PAGE : `https://${host}/`;
    return { path: '/api/v1/scrape/', body: { url, scraper: 'auto' } };
  }
  return { path: scopes.includes('read') ? '/api/v1/scrape/?limit=5' : '/api/v1/keys/', body: null };
}

function curl(url: string, { body }: FirstCall): string {
  const lines = [`curl -s '${url}'`, `-H "Authorization: Api-Key $SLUICE_KEY"`];
  if (body !== null) lines.push(`-H 'Content-Type: application/json'`, `-d '${oneLineJson(body)}'`);
  return lines.join(' \\\n  ');
}

function node(url: string, { body }: FirstCall): string {
  const options =
    body === null
      ? `  headers: { Authorization: \`Api-Key \${process.env.SLUICE_KEY}\` },`
      : `  method: 'POST',
  headers: {
    Authorization: \`Api-Key \${process.env.SLUICE_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({ url: '${body.url}', scraper: '${body.scraper}' }),`;
  return `const response = await fetch('${url}', {
${options}
});
const answer = await response.json();
if (!response.ok) throw new Error(\`\${answer.code}: \${answer.detail}\`);
console.log(${body === null ? 'answer.items' : 'answer.status_code, answer.content'});`;
}

function python(url: string, { body }: FirstCall): string {
  const data = body === null ? '' : `\n    data=json.dumps(${oneLineJson(body)}).encode(),`;
  const type = body === null ? '' : `\n        "Content-Type": "application/json",`;
  return `import json, os, urllib.request

request = urllib.request.Request(
    "${url}",${data}
    headers={
        "Authorization": "Api-Key " + os.environ["SLUICE_KEY"],${type}
    },
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(${body === null ? 'answer["items"]' : 'answer["status_code"], answer["content"]'})`;
}

/** JSON on one line, with spaces. */
const oneLineJson = ({ url, scraper }: NonNullable<FirstCall['body']>): string =>
  `{"url": "${url}", "scraper": "${scraper}"}`;
