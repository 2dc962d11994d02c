import { type Kind, later, PAGE_OR_CRASH, PAGE_OR_TIME, page, script } from './kind.ts';

/** Pages that open dialogs and windows, and navigate again and again. */
export const RESTLESS: readonly Kind[] = [
  {
    name: 'alerts without end',
    page: script("for (;;) { alert('a'); confirm('b'); prompt('c') }"),
    answers: PAGE_OR_TIME,
  },
  { name: 'alerts in timers', long: true, page: later("setInterval(() => alert('a'), 0)") },
  { name: 'prints without end', long: true, page: later('setInterval(() => print(), 0)') },
  {
    name: 'asks whether to be left, and leaves',
    page: script(
      "onbeforeunload = (event) => { event.preventDefault(); return 'stay' }; setInterval(() => { location = '/other' }, 30)",
    ),
  },
  {
    name: 'asks for permissions',
    page: later(`setInterval(() => {
      navigator.geolocation.getCurrentPosition(() => {}, () => {});
      globalThis.Notification?.requestPermission?.();
      navigator.mediaDevices?.getUserMedia({ audio: true, video: true }).catch(() => {});
      navigator.clipboard?.readText().catch(() => {});
      navigator.bluetooth?.requestDevice({ acceptAllDevices: true }).catch(() => {});
      navigator.storage?.persist?.();
      document.documentElement.requestFullscreen().catch(() => {});
      document.documentElement.requestPointerLock?.()?.catch?.(() => {});
      showOpenFilePicker?.().catch(() => {});
    }, 0)`),
  },
  {
    name: 'opens windows',
    page: later(
      "setInterval(() => { for (let n = 0; n < 20; n++) window.open('/other?' + n, '_blank', 'popup') }, 10)",
    ),
  },
  {
    name: 'clicks on links to new windows',
    long: true,
    page: later(`setInterval(() => {
      const a = Object.assign(document.createElement('a'), { href: '/other', target: '_blank' });
      document.body.append(a); a.click()
    }, 5)`),
  },
  {
    name: 'windows that open windows',
    long: true,
    page: script("open(location.href + '?' + Math.random()); open(location.href)"),
  },
  {
    name: 'reloads at its load',
    long: true,
    page: script('onload = () => location.reload()'),
    answers: PAGE_OR_TIME,
  },
  { name: 'reloads at once', page: script('location.reload()'), answers: PAGE_OR_TIME },
  { name: 'leads on for ever', page: script("location.href = '?' + Math.random()"), answers: PAGE_OR_TIME },
  {
    name: 'replaces itself in timers',
    long: true,
    page: script("setInterval(() => location.replace('?' + Math.random()), 5)"),
    answers: PAGE_OR_TIME,
  },
  { name: 'refreshes by meta', page: page('<meta http-equiv="refresh" content="0">'), answers: PAGE_OR_TIME },
  { name: 'refreshes by header', long: true, page: page('', { refresh: '0' }), answers: PAGE_OR_TIME },
  {
    name: 'goes through its history',
    page: later(
      "let n = 0; setInterval(() => { for (let m = 0; m < 300; m++) try { history.pushState(null, '', '?' + n++) } catch {} history.back(); history.forward() }, 0)",
    ),
  },
  {
    name: 'writes itself anew',
    page: later(
      "setInterval(() => { document.open(); document.write('<p>before ' + Math.random()); document.close() }, 0)",
    ),
    answers: PAGE_OR_TIME,
  },
  { name: 'writes without end', page: script("for (;;) document.write('<p>x')"), answers: PAGE_OR_CRASH },
  {
    name: 'opens its document and leaves it open',
    long: true,
    page: later("document.open(); document.write('<p>before')"),
  },
  { name: 'stops itself', long: true, page: script('window.stop()') },
  {
    name: 'downloads',
    page: later(`setInterval(() => {
      const a = Object.assign(document.createElement('a'), { href: URL.createObjectURL(new Blob(['x'.repeat(1e5)])), download: 'x' + Math.random() });
      document.body.append(a); a.click(); location = '/file'
    }, 10)`),
  },
  {
    name: 'files are to be chosen',
    long: true,
    page: later(
      "setInterval(() => { const i = Object.assign(document.createElement('input'), { type: 'file' }); document.body.append(i); i.click(); i.showPicker?.() }, 5)",
    ),
  },
  {
    name: 'messages to itself',
    page: later("onmessage = () => { postMessage(1, '*'); postMessage(2, '*') }; postMessage(0, '*')"),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'talks to the console',
    long: true,
    page: later(
      "setInterval(() => { for (let n = 0; n < 2000; n++) console.log('x'.repeat(1000), {}, [n]) }, 0)",
    ),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'closes itself',
    page: script('window.close(); setTimeout(() => close(), 20)'),
    answers: PAGE_OR_CRASH,
  },
];
