import { bare, ordinary, prose } from '../a-page.ts';
import type { Case } from './case.ts';

const app = '<script src="/static/main.js"></script>';
const ask = '<noscript>You need to enable JavaScript to run this app.</noscript>';

const refresh = (content: string) => `<meta http-equiv="refresh" content="${content}">`;
const moved = (script: string, text = 300) =>
  bare('Moved', `<p>${prose(text)}</p><script>${script}</script>`);

/** Pages that lead to another one by themselves, however much they show. */
const leading: readonly Case[] = [
  ['a meta refresh beside text', { body: bare('Moved', `<p>${prose(300)}</p>`, refresh('0; url=/start')) }],
  ['a meta refresh in a long page', { body: ordinary({ head: refresh('0; url=/start') }) }],
  ['a meta refresh within a second', { body: ordinary({ head: refresh("1;URL='/start'") }) }],
  ['a meta refresh without the word url', { body: ordinary({ head: refresh('0, /start') }) }],
  [
    'a meta refresh in capitals, its attributes the other way round',
    { body: ordinary({ head: '<META content="0;URL=/start" HTTP-EQUIV=Refresh>' }) },
  ],
  ['a Refresh header', { headers: { refresh: '0; url=/start' }, body: ordinary() }],
  ['a Refresh header and no body', { headers: { refresh: '0; url=/start' }, body: '' }],
  ['a Refresh header beside plain text', { type: 'text/plain', headers: { refresh: '0;/start' }, body: 'x' }],
  [
    'a cookie by meta refresh',
    { cookie: true, body: bare('Wait', '<p>Wait</p>', refresh('0; url=/a/page')) },
  ],
  ['location.replace', { body: moved("location.replace('/start')") }],
  ['location.href', { body: moved('window.location.href = "/start";') }],
  ['location in a long page', { body: moved('document.location="/start"', 1500) }],
  ['a script in a head', { body: ordinary({ head: '<script>top.location = "/start"</script>' }) }],
  ['what is computed', { body: moved("var there = '/sta' + 'rt?x=1'; location.assign(there);") }],
  ['a timer', { body: moved("setTimeout(function () { location.href = '/start' }, 100)") }],
  ['a timer of a text', { body: moved('setTimeout("location.href=\'/start\'", 500)') }],
  ['a timer of a function', { body: moved("function go() { location = '/start' } setTimeout(go, 0)") }],
  ['at the load', { body: moved("window.onload = () => { location.href = '/start' }") }],
  ['a comment of old', { body: moved('<!--\nlocation.href = "/start"; // don\'t wait\n//-->') }],
  [
    'onload of the body',
    { body: `<html><body onload="location.href='/start'"><p>${prose(300)}</p></body></html>` },
  ],
  [
    'onload of the body, by a function',
    {
      body: `<html><head><script>function go(){location.href='/start'}</script></head><body onload="go()"><p>${prose(1500)}</p></body></html>`,
    },
  ],
].map(([name, sample]) => [`leads on: ${name}`, 'js_shell', sample] as Case);

const staying: readonly Case[] = [
  ['a refresh in noscript', { body: ordinary({ head: `<noscript>${refresh('0; url=/start')}</noscript>` }) }],
  ['a refresh in a comment', { body: ordinary({ head: `<!-- ${refresh('0; url=/start')} -->` }) }],
  ['a refresh with a long delay', { body: bare('News', `<p>${prose(300)}</p>`, refresh('300; url=/start')) }],
  ['a refresh with a long delay, short', { body: bare('News', '<p>News</p>', refresh('30; url=/start')) }],
  ['a refresh to the same page', { body: bare('News', '<p>News</p>', refresh('0; url=/a/page#top')) }],
  ['a refresh without a URL', { body: bare('News', '<p>News</p>', refresh('0')) }],
  ['a refresh to an app', { body: bare('Call', '<p>Call us</p>', refresh('0; url=tel:123')) }],
  ['a Refresh header with a long delay', { headers: { refresh: '60; url=/start' }, body: ordinary() }],
  ['a Refresh header to the same page', { headers: { refresh: '0' }, body: ordinary() }],
  ['a condition', { body: moved("if (screen.width < 700) location.href = '/start'") }],
  ['a frame that is left', { body: moved('top.location != location && (top.location = location.href)') }],
  ['a function that the reader calls', { body: moved("function go() { location.href = '/start' }") }],
  ['a click', { body: moved("b.onclick = () => { location.href = '/start' }") }],
  ['a listener', { body: moved("b.addEventListener('click', () => { location.href = '/start' })") }],
  ['a timer of a minute', { body: moved("setTimeout(() => { location.href = '/start' }, 60 * 1000)") }],
  ['a script to the same page', { body: moved("location.href = '#top'") }],
  ['a script that tells a way', { body: moved('var at = "location.href = 1"; tell(location.href == at)') }],
].map(([name, sample]) => [`stays: ${name}`, 'ok', sample] as Case);

/** Pages that need scripts, and those that only look like it. */
export const SHELLS: readonly Case[] = [
  ['React', 'js_shell', { body: bare('App', `${ask}<div id="root"></div>${app}`) }],
  ['React without noscript', 'js_shell', { body: bare('App', `<div id="root"></div>${app}`) }],
  [
    'Vue',
    'js_shell',
    {
      body: bare(
        'App',
        `<noscript><strong>This does not work without JavaScript enabled.</strong></noscript><div id=app></div>${app}`,
      ),
    },
  ],
  ['Angular', 'js_shell', { body: bare('App', `<app-root></app-root>${app}`) }],
  [
    'Next, made in the browser',
    'js_shell',
    {
      body: bare(
        'App',
        `<div id="__next"></div>${app}<script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>`,
      ),
    },
  ],
  ['Nuxt, made in the browser', 'js_shell', { body: bare('App', `<div id="__nuxt"></div>${app}`) }],
  ['Gatsby', 'js_shell', { body: bare('App', `<div id="___gatsby"><!-- --></div>${app}`) }],
  [
    'a module and nothing else',
    'js_shell',
    {
      body: '<!doctype html><html><head><script type="module" src="/main.js"></script></head><body></body></html>',
    },
  ],
  [
    'a bar that turns',
    'js_shell',
    { body: bare('App', `<div id="app"><div class="spinner"></div></div>${ask}${app}`) },
  ],
  ['the word Loading', 'js_shell', { body: bare('App', `<div class="x">Loading...</div>${app}`) }],
  [
    'the word Loading beside a navigation',
    'js_shell',
    {
      body: bare(
        'App',
        `<ul>${'<li><a href="/x">A place to go to</a></li>'.repeat(12)}</ul><main>Loading…</main>${app}`,
      ),
    },
  ],
  [
    'the word loading in a sentence',
    'ok',
    {
      body: bare('Dock', `<h1>Loading dock</h1><p>Loading and unloading from 8 to 12. Ring twice.</p>${app}`),
    },
  ],
  [
    'a shell with 60 KB of style',
    'js_shell',
    { body: bare('App', `<div id="root"></div>${app}`, `<style>${'.a{color:red}'.repeat(5000)}</style>`) },
  ],
  [
    'a shell with a footer',
    'js_shell',
    {
      body: bare('App', `<div id="root"></div><footer>© 2025 A Company. All rights reserved.</footer>${app}`),
    },
  ],
  [
    'noscript in German',
    'js_shell',
    { body: bare('App', `<noscript>Bitte aktivieren Sie JavaScript.</noscript><div></div>${app}`) },
  ],
  [
    'sent on by script',
    'js_shell',
    { body: '<html><body><script>window.location.href="/start?x=1"</script></body></html>' },
  ],
  [
    'sent on by script, with a language in a cookie',
    'js_shell',
    { body: '<html><body><script>document.cookie="lang=en";location.replace("/en/")</script></body></html>' },
  ],
  [
    'sent on by meta',
    'js_shell',
    { body: '<html><head><meta http-equiv="refresh" content="0; url=/start"></head><body></body></html>' },
  ],
  ...leading,
  ...staying,
  [
    'data of an Inertia page',
    'js_shell',
    {
      body: bare(
        'App',
        `<div id="app" data-page="{&quot;html&quot;:&quot;<p>${'word '.repeat(400)}</p>&quot;}"></div>${app}`,
      ),
    },
  ],
  [
    'React, made on the server',
    'ok',
    { body: bare('App', `<div id="root"><h1>Kettles</h1><p>${prose(1500)}</p></div>${app}`) },
  ],
  [
    'Next, made on the server',
    'ok',
    {
      body: bare(
        'App',
        `<div id="__next"><p>${prose(1200)}</p></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>`,
      ),
    },
  ],
  [
    'Next, made on the server, little text',
    'ok',
    {
      body: bare(
        'App',
        '<div id="__next"><h1>Kettle</h1><p>A litre and a half, green, in stock. Sent tomorrow if you order today, 39.99.</p><a href="/b">More</a></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script><script src="/n.js"></script>',
      ),
    },
  ],
  [
    'Nuxt, made on the server',
    'ok',
    {
      body: bare(
        'App',
        `<div id="__nuxt"><p>${prose(900)}</p></div><script>window.__NUXT__={}</script>${app}`,
      ),
    },
  ],
  ['an empty place beside a full page', 'ok', { body: ordinary({ body: `<div id="root"></div>${app}` }) }],
  [
    'a noscript for statistics',
    'ok',
    {
      body: bare(
        'Note',
        `<h1>Note</h1><p>The door sticks, pull hard.</p><noscript><img src="https://stats.example/p.gif"></noscript>${app}`,
      ),
    },
  ],
  [
    'a noscript that asks, beside enough text',
    'ok',
    {
      body: bare(
        'Note',
        `<h1>Note</h1><p>${prose(500)}</p><noscript>Enable JavaScript for comments.</noscript>${app}`,
      ),
    },
  ],
  [
    'a gallery',
    'ok',
    { body: bare('Pictures', `<img src="1.jpg"><img src="2.jpg"><img src="3.jpg"><img src="4.jpg">${app}`) },
  ],
  [
    'a page that loads itself anew',
    'ok',
    { body: bare('Clock', '<h1>12:04</h1>', '<meta http-equiv="refresh" content="60">') },
  ],
  [
    'a location in a long page',
    'ok',
    { body: ordinary({ head: '<script>function go(){location.href="/x"}</script>' }) },
  ],
  [
    'a shell after its scripts ran, and nothing to be seen',
    'js_shell',
    { scripted: true, body: bare('App', `${ask}<div id="root"></div>${app}`) },
  ],
  [
    'a rendered page of coloured boxes',
    'ok',
    { scripted: true, body: bare('Boxes', '<div style="background:red;height:900px"></div>') },
  ],
  [
    'a rendered page that is one drawing',
    'ok',
    { scripted: true, body: bare('App', `${ask}<div id="root"><canvas></canvas></div>${app}`) },
  ],
  [
    'a rendered page that is one field',
    'ok',
    { scripted: true, body: bare('App', `${ask}<div id="root"><input name="q"></div>${app}`) },
  ],
  [
    'a rendered page that still asks for scripts',
    'ok',
    { scripted: true, body: bare('App', `${ask}<div id="root"><p>Kettle, green</p></div>${app}`) },
  ],
];
