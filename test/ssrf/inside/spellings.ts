import { delivered, each, here, judged, PUBLIC_V4, problem, refused, scrape } from './stage.ts';
import { redirectTo } from './world.ts';

const BLOCKED = [
  // Numbers in other bases and lengths, and what WHATWG makes of them.
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0X7F.0.0.1/',
  'http://0x7f.0x0.0x0.0x1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.1/',
  'http://127.0.1/',
  'http://0x7f.1/',
  'http://0/',
  'http://00000/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://0251.0376.0251.0376/',
  'http://169.16689662/',
  'http://10.0.256/',
  'http://4294967295/',
  // Dots and digits of other scripts.
  'http://127。0。0。1/',
  'http://127．0．0．1/',
  'http://127｡0｡0｡1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://１２７.０.０.１/',
  'http://169。254。169。254/latest/',
  'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/',
  'http://loc\u00adalhost/',
  // Percent-encoded.
  'http://%31%32%37.0.0.1/',
  'http://127%2e0%2e0%2e1/',
  'http://%6c%6fcalhost/',
  // Trailing dots.
  'http://127.0.0.1./',
  'http://0x7f.1./',
  'http://localhost./',
  'http://metadata.google.internal./',
  // Names of this host.
  'http://LOCALHOST/',
  'http://a.b.localhost/',
  // Whose part is what.
  'http://start.example@127.0.0.1/',
  'http://start.example:80@127.0.0.1:80/',
  'http://start.example%40@127.0.0.1/',
  'http://a:b%40start.example@10.0.0.1/',
  'http://127.0.0.1\\@start.example/',
  'http://127.0.0.1:80#@start.example/',
  'http://127.0.0.1?@start.example/',
  'http://127.0.0.1/\\start.example',
  'http:127.0.0.1/',
  'http:/127.0.0.1/',
  'http:\\\\127.0.0.1\\',
  'http:////127.0.0.1/',
  ' \thttp://127.0.0.1/ ',
  'ht\ntp://127.0\r.0.1/',
  'http://127.0.0.1:00080/',
  'http://127.0.0.1:/',
  'https://127.0.0.1/',
  'https://[::1]:8443/',
  // IPv6 in its forms, and what leads to IPv4.
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::127.0.0.1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[0:0:0:0:0:FFFF:A9FE:A9FE]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b:1::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fe80::5efe:10.0.0.1]/',
  'http://[fec0::1]/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[fd20:ce::254]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[5f00::1]/',
  // Metadata outside of the usual range, broadcast, multicast, reserved.
  'http://168.63.129.16/metadata/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://169.254.170.2/',
  'http://255.255.255.255/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://198.18.0.1/',
  'http://192.88.99.1/',
  'http://0.1.2.3/',
];

const INVALID = [
  'http://[fe80::1%25lo]/',
  'http://[fe80::1%lo]/',
  'http://[::1%2525]/',
  'http://[::1]a/',
  'http://[::ffff:127.0.0.1.]/',
  'http://[::ffff:0x7f.1]/',
  'http://256.0.0.1/',
  'http://1.2.3.4.5/',
  'http://0x100000000/',
  'http://127.0.0.1%00.start.example/',
  'http://127.0.0.1%20/',
  'http://127.0.0.1:99999/',
  'http://127.0.0.1:80:80/',
  'http://a.0x7f/',
  'http:///',
  'http://%/',
  '//127.0.0.1/',
  '127.0.0.1',
  'localhost:80',
  'view-source:http://127.0.0.1/',
  'blob:http://127.0.0.1/x',
  'file://127.0.0.1/etc/passwd',
  'unix:/var/run/docker.sock',
  'ftp://10.0.0.1/',
  'ws://127.0.0.1/',
  'data:text/plain,x',
  'javascript:0',
];

/** Look like the above, and are public. */
const PUBLIC = [
  'http://127.0.0.1@start.example/',
  'http://localhost:80@start.example/',
  'http://start.example#@127.0.0.1/',
  'http://start.example?@127.0.0.1/',
  'http://start.example\\@127.0.0.1/',
  'http://start.example/http://127.0.0.1/',
  'http://127.0.0.1.start.example/',
  'http://localhost.start.example/',
  'http://start.example./',
  'http://ＳＴＡＲＴ.example/',
  'http://0x08080808/',
  'http://8.8.8.8./',
  'http://[2001:4860:4860::8888]/',
  'http://11.0.0.1/',
  'http://172.32.0.1/',
  'http://128.0.0.1/',
];

function teach(): void {
  const { dns } = here();
  for (const name of [
    'start.example',
    '*.start.example',
    '*.0.0.1.start.example',
    '127.0.0.1.start.example',
  ]) {
    dns.reply(name, { addresses: [PUBLIC_V4] });
  }
  dns.reply('metadata.google.internal', { addresses: ['169.254.169.254'] });
}

judged('spellings of closed addresses, as URL and as redirect', async () => {
  teach();
  await each(BLOCKED, async (url) => {
    refused(await scrape(url), url);
    // A line break cannot stand in a field; the rest goes as UTF-8, as servers write it.
    const location = url.replace(/[\r\n]/g, '');
    // `http:x` is relative where the base is http.
    if (/^\s*http:\/?[^/\\]/i.test(location)) return;
    refused(await scrape(`http://start.example${redirectTo(location)}`), `to ${url}`);
  });
  await each(['//127.0.0.1/', '\\\\127.0.0.1\\', '//localhost/', '///10.0.0.1/x'], async (location) => {
    refused(await scrape(`http://start.example${redirectTo(location)}`), `to ${location}`);
  });
  console.log(`counted: ${BLOCKED.length} spellings`);
});

judged('what is no URL, or not http', async () => {
  await each(INVALID, async (url) => problem(await scrape(url), [400, 'request.validation'], url));
});

judged('what only looks closed is fetched', async () => {
  teach();
  await each(PUBLIC, async (url) => delivered(await scrape(url), url));
});
