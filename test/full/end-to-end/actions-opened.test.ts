import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { act, done, results } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';
import type { FilesPart } from '../../helpers/wire-types.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const PAGE = `<!doctype html><p>the list</p><div id=out></div>
<a id=link target=_blank href=/next?link>x</a>
<a id=file href=/file>x</a> <a id=blank-file target=_blank href=/file>x</a> <a id=pdf target=_blank href=/pdf>x</a>
<a id=nowhere target=_blank href=http://127.0.0.1:9/>x</a>
<a id=kept download href=/next?kept>x</a>
<form method=post target=_blank action=/form><input name=q value="a b"><button id=form>x</button></form>
<button id=open>x</button><button id=late>x</button><button id=timed>x</button><button id=fetched>x</button>
<button id=leads>x</button><button id=under>x</button>
<button id=both>x</button><button id=fetches>x</button>
<a class=two target=_blank href=/next?1>x</a><a class=two target=_blank href=/next?2>x</a><button id=saves>x</button><button id=shows>x</button>
<script>
const on = (id, what) => { document.getElementById(id).onclick = what };
const long = 'what the click is for, in the page itself, in many words that say nothing more than the one before';
on('open', () => { open('/next?open') });
on('late', () => { const one = open('', '_blank'); setTimeout(() => { one.location = '/next?late' }, 200) });
on('timed', () => { setTimeout(() => open('/next?timed'), 300) });
on('fetched', () => { fetch('/slow').then(() => open('/next?fetched')) });
on('leads', () => { setTimeout(() => { location = '/next?leads' }, 300) });
on('under', () => { open('/advert'); setTimeout(() => { location = '/next?under' }, 300) });
on('both', () => { open('/advert'); out.innerHTML = '<p>' + long });
on('fetches', () => { open('/advert'); fetch('/slow').then(() => { out.innerHTML = '<p>' + long }) });
const blob = (type) => URL.createObjectURL(new Blob(['made'], { type }));
on('saves', () => { const one = document.createElement('a'); one.href = blob('text/csv'); one.download = 'a.csv'; one.click() });
on('shows', () => { open(blob('text/html')) });
</script>`;

describe('what an action opens or downloads', { skip }, () => {
  const service = useService();
  const posted: string[] = [];
  const referrers: (string | undefined)[] = [];
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/': html(PAGE),
      '/next': (request, response) => {
        referrers.push(request.headers.referer);
        html('<p id=there>the next page</p>')(request, response);
      },
      '/form': (request, response) => {
        let body = `${request.headers['content-type']} `;
        request.setEncoding('utf8').on('data', (piece) => {
          body += piece;
        });
        request.on('end', () => {
          posted.push(body);
          html('<p>the answer to the form</p>')(request, response);
        });
      },
      '/slow': (_, response) => void setTimeout(() => response.end('{}'), 300),
      '/advert': html('<p>an advert</p>'),
      '/file': html('a file', 200, { 'content-disposition': 'attachment; filename=a.html' }),
      '/pdf': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.4'),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  const page = () => `${target.url}/`;
  const askedFor = (path: string) => target.asked.filter((one) => one.endsWith(path)).length;

  for (const id of ['link', 'open', 'late'])
    test(`a window that an action opens is followed in the page, with one request: ${id}`, async () => {
      const acted = await done(service, page(), [{ click: `#${id}` }, { wait_for_selector: '#there' }]);
      const url = `${target.url}/next?${id}`;
      assert.match(acted.content, /the next page/);
      assert.deepEqual([acted.body.final_url, results(acted)[0]], [url, { opened: url }]);
      assert.deepEqual(
        acted.body.router.warnings.map(({ code }) => code),
        ['proxy.direct'],
      );
      assert.deepEqual([askedFor(`/next?${id}`), referrers.at(-1)], [1, page()]);
    });

  for (const id of ['timed', 'fetched'])
    test(`a window that opens a moment after the last action is followed: ${id}`, async () => {
      const acted = await done(service, page(), [{ click: `#${id}` }]);
      const url = `${target.url}/next?${id}`;
      assert.deepEqual([acted.body.final_url, results(acted)], [url, [{ opened: url }]]);
      assert.equal(askedFor(`/next?${id}`), 1);
    });

  test('a window that opens during a wait action is followed, so that the wait succeeds', async () => {
    const acted = await done(service, page(), [{ click: '#timed' }, { wait_for_selector: '#there' }]);
    assert.equal(acted.body.final_url, `${target.url}/next?timed`);
  });

  test('a navigation that starts a moment after a click is followed', async () => {
    const acted = await done(service, page(), [{ click: '#leads' }]);
    assert.equal(acted.body.final_url, `${target.url}/next?leads`);
  });

  test('a window is only reported by a warning if the page itself navigates a moment later', async () => {
    const acted = await done(service, page(), [{ click: '#under' }]);
    assert.equal(acted.body.final_url, `${target.url}/next?under`);
    const told = acted.body.router.warnings.find(({ code }) => code === 'page.opened');
    assert.equal(told!.details!.url, `${target.url}/advert`);
    assert.match(told!.message, /the page itself navigated too/);
    assert.equal(askedFor('/advert'), 0);
  });

  test('a form is sent once', async () => {
    const acted = await done(service, page(), [{ click: '#form' }]);
    assert.match(acted.content, /the answer to the form/);
    assert.deepEqual(results(acted), [{ opened: `${target.url}/form` }]);
    assert.deepEqual(posted, ['application/x-www-form-urlencoded q=a+b']);
  });

  test('an evaluate keeps its result', async () => {
    const acted = await done(service, page(), [{ evaluate: 'link.click(), 7' }]);
    assert.match(acted.content, /the next page/);
    assert.deepEqual(results(acted), [7]);
  });

  test('a window with a PDF is followed, and its bytes are delivered', async () => {
    const { body, actions } = await act(service, page(), [{ click: '#pdf' }]);
    assert.deepEqual([body.final_url, body.content_encoding], [`${target.url}/pdf`, 'base64']);
    assert.deepEqual(actions[0]!.result, { opened: `${target.url}/pdf` });
  });

  for (const [selector, urls, result, why] of [
    ['#both', ['/advert'], undefined, /the page itself changed too/],
    ['#fetches', ['/advert'], undefined, /the page itself changed too/],
    ['.two', ['/next?1', '/next?2'], { clicked: 2 }, /several windows/],
  ] as const)
    test(`if an action also did something else, its window is reported and not fetched: ${selector}`, async () => {
      const all = selector === '.two';
      const acted = await done(service, page(), [{ type: 'click', selector, all }]);
      assert.equal(acted.body.final_url, page());
      assert.deepEqual(results(acted), [result]);
      const told = acted.body.router.warnings.filter(({ code }) => code === 'page.opened');
      assert.deepEqual(
        told.map(({ details }) => details!.url),
        urls.map((path) => `${target.url}${path}`),
      );
      assert.match(told[0]!.message, why);
      for (const path of urls) assert.equal(askedFor(path), 0);
    });

  for (const [id, url] of [
    ['nowhere', /^http:\/\/127\.0\.0\.1:9\/$/],
    ['shows', /^blob:/],
  ] as const)
    test(`a window whose URL cannot be fetched does not replace the page: ${id}`, async () => {
      const acted = await done(service, page(), [{ click: `#${id}` }, { evaluate: 'document.title' }]);
      assert.match(acted.content, /the list/);
      assert.deepEqual(results(acted), [undefined, '']);
      const [told] = acted.body.router.warnings.filter(({ code }) => code === 'page.opened');
      assert.match(String(told!.details!.url), url);
    });

  for (const [id, from, name, type, text] of [
    ['file', /\/file$/, 'a.html', 'text/html', 'a file'],
    ['blank-file', /\/file$/, 'a.html', 'text/html', 'a file'],
    ['kept', /\/next\?kept$/, 'next.html', 'text/html', '<p id=there>the next page</p>'],
    ['saves', /^blob:/, 'a.csv', 'text/plain', 'made'],
  ] as const)
    test(`a file that it saves is delivered: ${id}`, async () => {
      const acted = await done(service, page(), [{ click: `#${id}` }, { wait: 300 }]);
      assert.match(acted.content, /the list/);
      assert.deepEqual(
        acted.body.router.warnings.filter(({ code }) => code.startsWith('page.')),
        [],
      );
      const { downloads = [] } = acted.body.scraper_data as FilesPart;
      const [file, ...more] = downloads;
      assert.deepEqual(more, []);
      assert.match(file!.from, from);
      assert.deepEqual([file!.name, file!.type], [name, type]);
      assert.match(await (await fetch(file!.url!)).text(), new RegExp(text));
    });
});
