import { bare, ordinary } from '../a-page.ts';
import type { Case } from './case.ts';

const json = 'application/json';

/** What is an answer although it is no page, or not the page one hoped for. */
export const ANSWERS: readonly Case[] = [
  ['JSON', 'ok', { type: json, body: '{"a":1}' }],
  [
    'JSON that speaks of captchas',
    'ok',
    { type: json, body: '{"error":"captcha required","url":"g-recaptcha"}' },
  ],
  [
    'JSON, 401',
    'ok',
    { status: 401, headers: { 'www-authenticate': 'Bearer' }, type: json, body: '{"error":"unauthorized"}' },
  ],
  ['JSON, 403', 'ok', { status: 403, type: json, body: '{"message":"Forbidden"}' }],
  [
    'problem+json, 403',
    'ok',
    { status: 403, type: 'application/problem+json', body: '{"title":"Access denied"}' },
  ],
  ['JSON, 400', 'ok', { status: 400, type: json, body: '{"error":"bad"}' }],
  [
    'JSON of DataDome for scripts',
    'captcha',
    {
      status: 403,
      type: json,
      body: '{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=A&t=fe"}',
    },
  ],
  [
    'JSON of DataDome, address banned',
    'block',
    {
      status: 403,
      type: json,
      body: '{"url":"https://geo.captcha-delivery.com/captcha/?initialCid=A&t=bv"}',
    },
  ],
  [
    'XML',
    'ok',
    { type: 'application/xml', body: '<?xml version="1.0"?><rss><title>Access denied</title></rss>' },
  ],
  ['a picture', 'ok', { type: 'image/png', body: Buffer.from([0x89, 0x50, 0x4e, 0x47]) }],
  [
    'a picture with 403',
    'ok',
    { status: 403, type: 'image/png', body: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
  ],
  ['plain text', 'ok', { type: 'text/plain', body: 'Access denied is what it said.' }],
  ['plain text, 404', 'ok', { status: 404, type: 'text/plain', body: 'not found' }],
  ['no type, HTML', 'ok', { type: '', body: ordinary() }],
  ['XHTML', 'ok', { type: 'application/xhtml+xml', body: ordinary() }],
  [
    'XHTML that is a challenge',
    'challenge',
    { status: 503, type: 'application/xhtml+xml', body: bare('Just a moment...', '<p>Wait.</p>') },
  ],
  ['404', 'ok', { status: 404, body: bare('Not found', '<p>There is nothing here.</p>') }],
  [
    '404 that says access denied',
    'ok',
    { status: 404, body: bare('Access Denied', '<p>You have been blocked from guessing.</p>') },
  ],
  ['410', 'ok', { status: 410, body: bare('Gone', '<p>Sold.</p>') }],
  ['400', 'ok', { status: 400, body: bare('Bad request', '<p>The date is no date.</p>') }],
  [
    '401 with a login of the browser',
    'ok',
    {
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="x"' },
      body: bare('401 Unauthorized', '<h1>Unauthorized</h1>'),
    },
  ],
  ['402', 'ok', { status: 402, body: bare('Pay', '<p>Subscribe to read on.</p>') }],
  [
    '403 of the site itself',
    'ok',
    { status: 403, body: bare('Draft', '<h1>Not published yet</h1><p>Come back on Monday.</p>') },
  ],
  [
    '403 of the site itself, long',
    'ok',
    { status: 403, body: ordinary({ title: 'You need to be a member' }) },
  ],
  ['403 without a body', 'ok', { status: 403, type: '' }],
  ['403 to HEAD', 'ok', { status: 403, method: 'HEAD' }],
  ['405', 'ok', { status: 405, body: bare('Method', '<p>Only GET.</p>') }],
  ['406', 'ok', { status: 406, body: bare('Format', '<p>We have it in English only.</p>') }],
  ['418', 'ok', { status: 418, type: 'text/plain', body: 'short and stout' }],
  ['422', 'ok', { status: 422, type: json, body: '{"errors":[]}' }],
  ['451 without a word', 'ok', { status: 451, type: '' }],
  [
    '301 that was not followed',
    'ok',
    { status: 301, headers: { location: '/b' }, body: bare('Moved', '<p>Moved.</p>') },
  ],
  ['302 to a login that was not followed', 'ok', { status: 302, headers: { location: '/login' } }],
  ['304', 'ok', { status: 304, type: '' }],
  ['204', 'ok', { status: 204, type: '' }],
  ['205', 'ok', { status: 205, type: '' }],
  ['HEAD', 'ok', { method: 'HEAD' }],
  ['206', 'ok', { status: 206, type: 'video/mp4', body: 'abc' }],
  ['200 without a body', 'empty', {}],
  ['202 without a body', 'empty', { status: 202 }],
  ['HTML without anything', 'empty', { body: '<html><head></head><body></body></html>' }],
  [
    'HTML of white space',
    'empty',
    {
      body: '<!doctype html><html><head><meta charset="utf-8"></head><body> \n&nbsp; <div></div></body></html>',
    },
  ],
  ['a page of one picture', 'ok', { body: '<html><body><img src="/map.png"></body></html>' }],
  ['a page of one frame', 'ok', { body: '<html><body><iframe src="/inner"></iframe></body></html>' }],
  ['a page of one film', 'ok', { body: '<html><body><video src="/a.mp4"></video></body></html>' }],
  ['a drawing', 'ok', { body: '<html><body><svg><path d="M0 0"/></svg></body></html>' }],
  ['500', 'error_page', { status: 500, body: bare('Oops', '<p>Something went wrong.</p>') }],
  ['500, JSON', 'error_page', { status: 500, type: json, body: '{}' }],
  ['502', 'error_page', { status: 502, body: bare('502 Bad Gateway', '<hr>nginx') }],
  ['503 for repairs', 'error_page', { status: 503, body: bare('Repairs', '<p>Back at noon.</p>') }],
  ['504 without a body', 'error_page', { status: 504, type: '' }],
  [
    '522 of Cloudflare',
    'error_page',
    { status: 522, headers: { 'cf-ray': 'a' }, body: bare('522', '<span class="cf-error-code">522</span>') },
  ],
  [
    'an error with 200',
    'error_page',
    { body: bare('Internal Server Error', '<p>An error has come up. Try again.</p>') },
  ],
  [
    'an error with 200, by its number',
    'error_page',
    { body: bare('504 Gateway Time-out', '<h1>504 Gateway Time-out</h1>') },
  ],
  ['429', 'rate', { status: 429, body: bare('429', '<p>Slow down.</p>') }],
  ['429 without a body', 'rate', { status: 429, type: '' }],
  ['429, JSON', 'rate', { status: 429, type: json, body: '{"retry_after":5}' }],
  ['429 with a long page', 'rate', { status: 429, body: ordinary() }],
  ['429 to HEAD', 'rate', { status: 429, method: 'HEAD' }],
  [
    '200 that says too many requests',
    'rate',
    { body: bare('Sorry', '<p>Too many requests from you. Wait a minute.</p>') },
  ],
];
