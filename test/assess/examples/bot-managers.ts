import { bare, ordinary } from '../a-page.ts';
import type { Examples } from './example.ts';

const SMALL =
  '<h1>Bus times</h1><p>The next bus leaves at ten past nine from stop B.</p><a href="/map">Map</a>';

export const BOT_MANAGER_EXAMPLES: Examples = {
  'datadome/x-dd-b': {
    for: { status: 403, headers: { 'x-dd-b': '1', 'x-datadome': 'protected' }, body: bare('', '<p>…</p>') },
    against: { headers: { 'x-datadome': 'protected', 'x-dd-b': '0' }, body: bare('Bus', SMALL) },
  },
  'datadome/banned': {
    for: {
      status: 403,
      body: bare(
        'site.example',
        "<script>var dd={'rt':'c','t':'bv','host':'geo.captcha-delivery.com'}</script>",
      ),
    },
    against: {
      body: bare(
        'Bus',
        `${SMALL}<script>window.ddjskey='AB';</script><script src="https://js.datadome.co/tags.js"></script>`,
      ),
    },
  },
  'datadome/captcha-page': {
    for: {
      status: 403,
      body: bare(
        'site.example',
        '<p id="m">Please turn scripts on.</p><script src="https://ct.captcha-delivery.com/c.js"></script>',
      ),
    },
    against: {
      body: ordinary({ body: '<p>Requests to geo.captcha-delivery.com are what you will see.</p>' }),
    },
  },
  'human/px-captcha': {
    for: { status: 403, body: bare('Hold', '<div id="px-captcha"></div><p>Press and hold the button.</p>') },
    against: {
      body: bare(
        'Bus',
        `${SMALL}<script>window._pxAppId="PX12";</script><script src="/12/init.js"></script>`,
      ),
    },
  },
  'human/robot-or-human': {
    for: { body: bare('Robot or human?', '<p>Hold the button to go on.</p>') },
    against: { body: bare('Robot or human? A quiz', '<p>Hold the card to the light.</p>') },
  },
  'kasada/x-kpsdk-ct': {
    for: { status: 429, headers: { 'x-kpsdk-ct': '0ab' }, body: '<html><body></body></html>' },
    against: { headers: { 'x-kpsdk-ct': '0ab', 'x-kpsdk-r': '1' }, body: bare('Bus', SMALL) },
  },
  'kasada/ips': {
    for: {
      status: 403,
      body: '<html><body><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js"></script></body></html>',
    },
    against: {
      body: bare(
        'Bus',
        `${SMALL}<script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/p.js"></script>`,
      ),
    },
  },
  'imperva/challenge-page': {
    for: {
      body: '<html><head><script src="/_Incapsula_Resource?SWJIYLWA=5074a744e2e3d891814e9a2dace20bd4,719d34d31c8e3a6e6fffd425f7e032f3"></script></head><body></body></html>',
    },
    against: {
      headers: { 'x-iinfo': '21-162848-0 NNYN', 'x-cdn': 'Imperva' },
      body: bare(
        'Bus',
        `${SMALL}<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=2&cb=19"></script>`,
      ),
    },
  },
  'imperva/incident-frame': {
    for: {
      status: 403,
      body: '<html><body><iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=23&xinfo=8" width="100%"></iframe></body></html>',
    },
    against: {
      headers: { 'set-cookie': 'visid_incap_12=a; path=/' },
      body: bare('Bus', `${SMALL}<iframe src="/map/frame" title="Map"></iframe>`),
    },
  },
  'imperva/incident': {
    for: {
      status: 403,
      body: bare('', '<p>Request unsuccessful. Incapsula incident ID: 877000220012-1</p>'),
    },
    against: { body: ordinary({ body: '<p>The page said: Incapsula incident ID: 877.</p>' }) },
  },
  'f5/rejected': {
    for: {
      body: bare(
        'Request Rejected',
        'The requested URL was rejected. Please consult with your administrator.<br>Your support ID is: 7',
      ),
    },
    against: {
      body: bare(
        'Help',
        '<p>Does it say “The requested URL was rejected. Please consult with your administrator.”? Call us.</p>',
      ),
    },
  },
  'f5/challenge-page': {
    for: {
      body: '<html><head><script>window["bobcmn"] = "10111";</script><script src="/TSPD/08?type=9"></script></head><body><noscript>Turn scripts on to view the page.<br>Your support ID is: 3.</noscript></body></html>',
    },
    against: {
      headers: { 'set-cookie': 'TS01ab23cd=0; Path=/' },
      body: bare('Bus', SMALL, '<script src="/TSPD/08ab?type=10"></script>'),
    },
  },
  'aliyun/punish': {
    for: {
      body: bare('', '<script>location.href="https://a.example/_____tmd_____/punish?x5secdata=ab"</script>'),
    },
    against: { body: ordinary({ body: '<a href="https://a.example/punish?x5=1">a link</a>' }) },
  },
  'tencent/captcha-page': {
    for: {
      status: 403,
      body: bare('Check', '<p>Slide to go on.</p><script>new TencentCaptcha("1", done).show()</script>'),
    },
    against: {
      body: bare(
        'Write to us',
        '<form><input name="name"><textarea name="text"></textarea><button>Send</button></form><script>new TencentCaptcha("1", send)</script>',
      ),
    },
  },
  'human/block-script': {
    for: {
      status: 403,
      type: 'application/json',
      body: '{"appId":"PX12","uuid":"a","blockScript":"/12/captcha/PX12/captcha.js?u=a"}',
    },
    against: { status: 403, type: 'application/json', body: '{"appId":"12","message":"no such app"}' },
  },
  'yandex/x-yandex-captcha': {
    for: { headers: { 'x-yandex-captcha': 'captcha' }, body: ordinary() },
    against: { headers: { 'x-yandex-req-id': '17' }, body: bare('Bus', SMALL) },
  },
  'yandex/captcha-page': {
    for: {
      body: bare('Вы не робот?', '<form action="/checkcaptcha?key=a"><button>Я не робот</button></form>'),
    },
    against: {
      body: bare(
        'Write to us',
        '<form><input name="name"><textarea name="text"></textarea><div class="smart-captcha"></div></form>',
      ),
    },
  },
  'radware/captcha-page': {
    for: {
      body: bare('Radware Bot Manager Captcha', '<p>Tick the box.</p><div class="h-captcha"></div><input>'),
    },
    against: { body: bare('Radware Bot Manager: captcha settings', '<p>Where they are kept.</p>') },
  },
  'radware/validate': {
    for: {
      url: 'https://site.example/a',
      final: 'https://validate.perfdrive.com/ab/?ssc=https%3A%2F%2Fsite.example%2Fa',
      body: ordinary(),
    },
    against: {
      body: bare('Bus', `${SMALL}<script src="https://cdn.perfdrive.com/aperture/aperture.js"></script>`),
    },
  },
  'baidu/captcha-page': {
    for: { body: bare('百度安全验证', '<p>网络不给力</p>') },
    against: { body: bare('百度安全验证是什么', '<p>一篇短文。</p>') },
  },
};
