import { bare, ordinary, prose } from '../a-page.ts';
import type { Case } from './case.ts';

const app = '<script src="/static/main.js"></script>';
const ask = '<noscript>You need to enable JavaScript to run this app.</noscript>';

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
