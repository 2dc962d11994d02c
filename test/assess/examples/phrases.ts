import { bare, ordinary } from '../a-page.ts';
import type { Examples } from './example.ts';

export const PHRASE_EXAMPLES: Examples = {
  'phrase/checking-browser': {
    for: { status: 503, body: bare('Just a moment...', '<p>Wait.</p>') },
    against: { body: ordinary({ title: 'Just a moment in time: photographs' }) },
  },
  'phrase/checking-browser-text': {
    for: { body: bare('site.example', '<p>Checking your browser before you go on.</p>') },
    against: {
      body: bare(
        'Checklist',
        '<ul><li>Verify you are human resources</li><li><a href="/1">One</a></li><li><a href="/2">Two</a></li><li><a href="/3">Three</a></li><li><a href="/4">Four</a></li></ul>',
      ),
    },
  },
  'phrase/captcha-alone': {
    for: {
      body: bare(
        'site.example',
        '<p>Please confirm that you are no robot.</p><div class="g-recaptcha" data-sitekey="a"></div>',
      ),
    },
    against: {
      body: bare(
        'Write to us',
        '<h1>Write to us</h1><form><input name="mail"><textarea name="text"></textarea><div class="h-captcha"></div><button>Send, we verify by hand</button></form>',
      ),
    },
  },
  'phrase/access-denied-title': {
    for: { status: 403, body: bare('403 Forbidden', '<h1>403 Forbidden</h1><hr>nginx') },
    against: {
      status: 403,
      body: bare(
        'Members only',
        '<h1>Members only</h1><p>This group is for members. Ask Ann to let you in.</p>',
      ),
    },
  },
  'phrase/soft-block-title': {
    for: { body: bare('Access Denied', '<h1>Access denied</h1><p>Request 7 was denied.</p>') },
    against: { body: bare('Access', '<h1>Access to the building</h1><p>Entry is denied after ten.</p>') },
  },
  'phrase/refused': {
    for: { status: 403, type: 'text/plain', body: 'Automated requests are not welcome here.' },
    against: { status: 403, type: 'application/json', body: '{"error":"forbidden: access denied"}' },
  },
  'phrase/soft-block': {
    for: { body: bare('site.example', '<p>You have been blocked. Write to us with number 12.</p>') },
    against: {
      body: bare(
        'FAQ',
        '<h1>FAQ</h1><ul><li><a href="/1">You have been blocked by a friend?</a></li><li><a href="/2">Lost card</a></li><li><a href="/3">New address</a></li><li><a href="/4">Fees</a></li></ul>',
      ),
    },
  },
  'phrase/too-many-requests': {
    for: { status: 503, body: bare('Slow down', '<p>Too many requests. Come back in a minute.</p>') },
    against: { body: ordinary({ body: '<p>Answer 429 says: too many requests.</p>' }) },
  },
  'phrase/server-error': {
    for: { body: bare('502 Bad Gateway', '<h1>502 Bad Gateway</h1><p>Please try again.</p>') },
    against: { body: ordinary({ title: '502 Bad Gateway, and what to do about it' }) },
  },
  'phrase/no-database': {
    for: { body: bare('Database Error', '<h1>Error establishing a database connection</h1>') },
    against: {
      body: bare(
        'Notes',
        '<h1>Notes of May</h1><p>Fixed: the nightly job logged an error establishing a database connection.</p>',
      ),
    },
  },
};
