import { type AssessOptions, assess } from '../../src/assess/assess.ts';
import type { SiteTexts } from '../../src/assess/text-comparison.ts';
import type { Page, TargetCookie } from '../../src/domain/fetch-result.ts';
import type { Verdict } from '../../src/domain/verdict.ts';

/** An answer as a case writes it down; what is not said is an HTML page with 200 at the URL that was asked for. */
export interface Sample {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly url?: string;
  readonly final?: string;
  readonly body?: string | Uint8Array;
  readonly method?: string;
  /** It sets a cookie. */
  readonly cookie?: boolean;
  /** It comes from a browser. */
  readonly scripted?: boolean;
}

const COOKIE: TargetCookie = {
  name: 'seen',
  value: '1',
  domain: 'site.example',
  path: '/',
  expires: null,
  secure: false,
  httpOnly: false,
  sameSite: null,
};

export function pageOf(
  sample: Sample,
  texts: SiteTexts | null = null,
): { readonly page: Page; readonly ask: AssessOptions } {
  const { status = 200, headers = {}, type = 'text/html; charset=utf-8', body = '', method = 'GET' } = sample;
  const { url = 'https://site.example/a/page', scripted = false } = sample;
  const page: Page = {
    statusCode: status,
    headers: [...Object.entries(headers), ...(type === '' ? [] : [['content-type', type] as const])],
    finalUrl: sample.final ?? url,
    method,
    body: typeof body === 'string' ? Buffer.from(body) : body,
    cut: null,
    undecoded: false,
    cookies: sample.cookie === true ? [COOKIE] : [],
  };
  return { page, ask: { url, scripted, at: 0, texts } };
}

export function verdictOf(sample: Sample, texts: SiteTexts | null = null): Verdict {
  const { page, ask } = pageOf(sample, texts);
  return assess(page, ask);
}

const SENTENCES = [
  'The kettle on this shelf was made in a small workshop by the river and holds a litre and a half.',
  'Its handle stays cool, and the spout pours without a drop going beside the cup.',
  'People who bought it also looked at the blue teapot and at a tray of ash wood.',
  'We send parcels on every day but Sunday, and take them back within a month.',
  'The lid can be had in three colours, of which green is the one that most people choose.',
];

/** Visible words, at least so many characters. */
export function prose(characters: number): string {
  let text = '';
  for (let n = 0; text.length < characters; n++) text += `${SENTENCES[n % SENTENCES.length]} `;
  return text;
}

/** An ordinary page with a navigation and paragraphs. */
export function ordinary({ head = '', body = '', title = 'Kettles and teapots', text = 2400 } = {}): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><nav><a href="/">Home</a> <a href="/tea">Tea</a> <a href="/cups">Cups</a> <a href="/help">Help</a></nav><main><h1>${title}</h1><p>${prose(text)}</p>${body}</main></body></html>`;
}

/** A page that shows no more than it is given. */
export function bare(title: string, body: string, head = ''): string {
  return `<!doctype html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
}
