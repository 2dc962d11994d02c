import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileRegex } from '../../src/domain/caller-regex.ts';
import { isFailure } from '../../src/domain/failure.ts';
import { IGNORED_PARTS } from '../../src/domain/monitors.ts';
import { comparedLines, compareTexts, type IgnoredText } from '../../src/monitors/compare-text.ts';
import { findNoise } from '../../src/monitors/noise.ts';
import { noisyPage } from './noisy-pages.ts';

const NOTHING: IgnoredText = { parts: [], patterns: [] };

/** The rules as a monitor takes them from `compare.ignore`. */
function ignoredBy(rules: readonly string[]): IgnoredText {
  const patterns = rules
    .filter((rule) => rule.startsWith('/'))
    .map((rule) => {
      const compiled = compileRegex(rule.slice(1, -1), '/compare/ignore/0');
      assert.ok(!isFailure(compiled), JSON.stringify(compiled));
      return compiled;
    });
  return { parts: IGNORED_PARTS.filter((part) => rules.includes(part)), patterns };
}

const learned = (texts: readonly string[]): readonly string[] =>
  findNoise(texts.map((text) => comparedLines(text, NOTHING))).map(({ ignore }) => ignore);

test('a difference begins with its first part, without names of files', () => {
  const { diff } = compareTexts('€19.00', '€19.37', NOTHING);
  assert.equal(diff, '@@ -1,1 +1,1 @@\n-€19.00\n+€19.37\n');
});

describe('noise that is proposed', () => {
  const pages = Array.from({ length: 50 }, (_, n) => noisyPage(n + 1));

  test('hides every change without meaning of 50 pages, after three runs', () => {
    const failures: string[] = [];
    for (const [n, page] of pages.entries()) {
      const rules = learned([0, 1, 2].map((visit) => page.text(visit)));
      const ignored = ignoredBy(rules);
      for (let visit = 3; visit < 8; visit++) {
        const { diff } = compareTexts(page.text(visit - 1), page.text(visit), ignored);
        if (diff !== null) failures.push(`page ${n}, visit ${visit}, ${JSON.stringify(rules)}:\n${diff}`);
      }
    }
    assert.deepEqual(failures, []);
  });

  for (const [what, change] of [
    ['a line with other words', () => 'Paragraph: delivery takes a day now, and the market is closed.'],
    [
      'another number in a line',
      (line: string) => line.replace(/\d+/, (number) => String(Number(number) + 5)),
    ],
    ['a line that is gone', () => null],
    ['a line that is new', (line: string) => `${line}\nThe market opens on Sundays, too.`],
    ['two lines that are new', (line: string) => `${line}\nBuy now and save.\nLast updated never.`],
    [
      'a line that looks like an advertisement',
      (line: string) => line.replace(/^.*$/, 'Buy now for nothing'),
    ],
  ] satisfies [string, (line: string) => string | null][])
    test(`hides no change with a meaning: ${what}`, () => {
      const hidden: string[] = [];
      for (const [n, page] of pages.entries()) {
        const rules = learned([0, 1, 2].map((visit) => page.text(visit)));
        const ignored = ignoredBy(rules);
        // Beside advertisements whose number changes, a new line may be one more.
        if (what.includes('new') && rules.some((rule) => /\{1,[248]\}/.test(rule))) continue;
        for (const at of [n % page.lines, 5, 9, 13]) {
          const line = change(page.line(at));
          if (line === page.line(at)) continue;
          const { diff } = compareTexts(page.text(3), page.text(4, new Map([[at, line]])), ignored);
          const isFound = line === null ? `-${page.line(at)}` : `+${line.split('\n').at(-1)}`;
          if (diff?.includes(isFound) !== true)
            hidden.push(`page ${n}, line ${at}, ${JSON.stringify(rules)}: ${diff}`);
        }
      }
      assert.deepEqual(hidden, []);
    });

  test('is `order` if only the order of lines changes', () => {
    const lines = ['apples', 'pears', 'plums', 'grapes'];
    const texts = [0, 1, 2].map((turn) => [...lines.slice(turn), ...lines.slice(0, turn)].join('\n'));
    assert.deepEqual(learned(texts), ['order']);
    assert.equal(compareTexts(texts[0]!, texts[1]!, ignoredBy(['order'])).diff, null);
  });

  test('is not proposed after a single change', () => {
    const texts = [
      'a line\nold words here\nanother',
      'a line\nold words here\nanother',
      'a line\nnew words here\nanother',
    ];
    assert.deepEqual(learned(texts), []);
  });
});

describe('parts that are ignored', () => {
  const same: readonly [part: string, before: string, after: string][] = [
    ['dates', 'Updated 2026-01-31', 'Updated 2026-02-01'],
    ['dates', 'Posted on 31 January 2026', 'Posted on 1 February 2026'],
    ['dates', 'As of Jan 31, 2026 12:30 PM', 'As of Feb 2, 2026 1:05 AM'],
    ['dates', 'Stand: 31.01.2026', 'Stand: 02.02.2026'],
    ['relative_times', 'written 3 hours ago', 'written 4 hours ago'],
    ['relative_times', 'updated just now', 'updated 5 minutes ago'],
    ['dates', '31. Januar 2026, 14:05 Uhr', '1. Februar 2026, 9:30 Uhr'],
    ['dates', 'Samstag, 31. Januar 2026', 'Sonntag, 1. März 2026'],
    ['dates', 'Publié le 31 janvier 2026 à 12h30', 'Publié le 1er février 2026 à 9h05'],
    ['dates', 'samedi 31 janv. 2026', 'dimanche 1 févr. 2026'],
    ['dates', '31 de enero de 2026', '1 de febrero de 2026'],
    ['dates', 'sábado, 31 de janeiro de 2026', 'domingo, 1 de fevereiro de 2026'],
    ['dates', '31 gennaio 2026', '2 febbraio 2026'],
    ['dates', '31 januari 2026', '1 maart 2026'],
    ['dates', '31 stycznia 2026 r.', '1 lutego 2026 r.'],
    ['dates', '31. ledna 2026', '1. února 2026'],
    ['dates', '31. 1. 2026', '1. 2. 2026'],
    ['dates', '31 января 2026 г.', '1 февраля 2026 г.'],
    ['dates', '31 січня 2026', '1 лютого 2026'],
    ['dates', '31 Ocak 2026 Cumartesi', '28 Şubat 2026 Cumartesi'],
    ['dates', '31 Ιανουαρίου 2026', '1 Φεβρουαρίου 2026'],
    ['dates', '2026. január 31.', '2026. február 1.'],
    ['dates', '2026年1月31日(土) 12:30', '2026年2月1日(日) 9:05'],
    ['dates', '2026年1月31日 下午3:05', '2026年2月1日 上午9:10'],
    ['dates', '2026년 1월 31일', '2026년 2월 1일'],
    ['dates', 'ngày 31 tháng 1 năm 2026', 'ngày 1 tháng 2 năm 2026'],
    ['dates', '31 มกราคม 2569', '1 กุมภาพันธ์ 2569'],
    ['dates', '31 يناير 2026', '1 فبراير 2026'],
    ['dates', '٣١ يناير ٢٠٢٦', '١ فبراير ٢٠٢٦'],
    ['dates', '31 जनवरी 2026', '1 फ़रवरी 2026'],
    ['dates', '2026/01/31 and 31-01-2026', '2026/02/01 and 01-02-2026'],
    ['dates', 'January 2026', 'February 2026'],
    ['dates', 'Saturday, January 31st, 2026 at 9 am', 'Sunday, February 1st, 2026 at 10 pm'],
    ['dates', 'Am 31.01. um 9.30 Uhr', 'Am 01.02. um 10.15 Uhr'],
    ['relative_times', 'vor 3 Stunden', 'vor einer Minute'],
    ['relative_times', 'vor etwa 3 Stunden', 'vor 2 Tagen'],
    ['relative_times', 'il y a 3 heures', 'il y a une minute'],
    ['relative_times', 'il y a environ 3 h', 'il y a 2 jours'],
    ['relative_times', 'hace 3 horas', 'hace un minuto'],
    ['relative_times', 'há 3 horas', 'há 1 dia'],
    ['relative_times', '3 horas atrás', '1 dia atrás'],
    ['relative_times', '3 ore fa', '1 minuto fa'],
    ['relative_times', '3 uur geleden', '2 dagen geleden'],
    ['relative_times', '3 timer siden', '1 dag siden'],
    ['relative_times', 'för 3 timmar sedan', 'för 1 dag sedan'],
    ['relative_times', '3 tuntia sitten', '1 päivä sitten'],
    ['relative_times', '3 godziny temu', '5 minut temu'],
    ['relative_times', 'před 3 hodinami', 'před 1 dnem'],
    ['relative_times', 'acum 3 ore', 'acum 20 de minute'],
    ['relative_times', '3 часа назад', '11 минут назад'],
    ['relative_times', '3 години тому', '11 хвилин тому'],
    ['relative_times', '3 saat önce', '1 dakika önce'],
    ['relative_times', 'πριν από 3 ώρες', 'πριν από 1 ημέρα'],
    ['relative_times', '3 órával ezelőtt', '1 nappal ezelőtt'],
    ['relative_times', '3時間前に更新', '5分前に更新'],
    ['relative_times', '3小时前发布', '5分钟前发布'],
    ['relative_times', '3시간 전', '5분 전'],
    ['relative_times', '3 giờ trước', '5 phút trước'],
    ['relative_times', '3 jam yang lalu', '5 menit yang lalu'],
    ['relative_times', 'قبل 3 ساعات', 'قبل 11 دقيقة'],
    ['relative_times', '3 घंटे पहले', '5 मिनट पहले'],
    ['relative_times', 'heute, gestern', 'gestern, heute'],
    ['relative_times', 'aujourd’hui', 'hier'],
    ['relative_times', 'gerade eben', 'vor 2 Minuten'],
    ['relative_times', 'только что', '2 минуты назад'],
    ['relative_times', '刚刚', '2分钟前'],
    ['counters', '1,234 comments', '1,301 comments'],
    ['counters', '12k views', '13.5k views'],
    ['counters', '1,204 views, 15 comments, 3.2k likes', '1,310 views, 21 comments, 4k likes'],
    ['counters', '1 comment · 1 reply · 1 view', '2 comments · 5 replies · 1,000 views'],
    ['counters', '1.204 Aufrufe, 1 Antwort', '1.310 Aufrufe, 12 Antworten'],
    ['counters', '1 комментарий', '5 комментариев'],
    ['counters', '1 204 vues (15)', '12 310 vues (7)'],
    ['counters', '1\u00a0204 vues', '999 vues'],
    ['counters', '1’204 Stimmen', '1’310 Stimmen'],
    ['counters', '1,20,400 views', '2,31,999 views'],
    ['counters', '3,2 Tsd. Aufrufe', '1,1 Mio. Aufrufe'],
    ['counters', '1.2 million plays', '900 thousand plays'],
    ['counters', '1.2万次观看', '3480次观看'],
    ['counters', '共15条评论', '共231条评论'],
    ['counters', '조회수 1.2만회', '조회수 980회'],
    ['counters', '١٢٣ تعليق', '١٤٥ تعليق'],
    ['counters', 'Comments [15] | 99+ likes | ♥ 4', 'Comments [16] | 120 likes | ♥ 5'],
    ['counters', 'Views:15/Likes:3', 'Views:16/Likes:4'],
    ['counters', '[15 comments](/item?page=3)', '[21 comments](/item?page=3)'],
  ];
  for (const [part, before, after] of same)
    test(`${part}: ${before} → ${after}`, () => {
      assert.equal(compareTexts(before, after, ignoredBy([part])).diff, null);
      assert.notEqual(compareTexts(before, after, NOTHING).diff, null);
    });

  for (const [part, before, after] of [
    ['counters', 'Price: € 40', 'Price: € 45'],
    ['counters', '$1,299.00', '$1,399.00'],
    ['counters', '40 €', '45 €'],
    ['counters', '1.299,00 EUR', '1.399,00 EUR'],
    ['counters', 'CHF 40.-', 'CHF 45.-'],
    ['counters', '40 zł', '45 zł'],
    ['counters', '40 euros', '45 euros'],
    ['counters', 'Rs. 40', 'Rs. 45'],
    ['counters', '1,280円', '1,380円'],
    ['counters', '20 % off', '30 % off'],
    ['counters', '20% off', '30% off'],
    ['counters', 'Version 1.2.3', 'Version 1.2.4'],
    ['counters', 'model X-15', 'model X-16'],
    ['counters', 'open 9:00–17:00', 'open 10:00–18:00'],
    ['counters', '500 g', '450 g'],
    ['counters', '[more](/item/1204)', '[more](/item/1205)'],
    ['counters', '[more](https://a.test/2026/15/news?page=2)', '[more](https://a.test/2026/15/news?page=3)'],
    ['counters', '![](/pictures/15.png)', '![](/pictures/16.png)'],
    ['counters', 'see https://a.test/item/15 for more', 'see https://a.test/item/16 for more'],
    ['counters', '<a href="/item/15">more</a>', '<a href="/item/16">more</a>'],
    ['counters', '15 comments', '15 commits'],
    ['dates', '[report](/report-2026-01-31.pdf)', '[report](/report-2026-02-28.pdf)'],
    ['dates', 'Maybe 3 of them', 'Maybe 4 of them'],
    ['dates', '5 out of 10', '6 out of 10'],
    ['dates', 'Monday to Friday', 'Monday to Saturday'],
    ['dates', 'Version 1.2.34', 'Version 1.2.35'],
    ['relative_times', 'a hotel in 3 cities', 'a hotel in 4 cities'],
    ['relative_times', '3 hours of music', '4 hours of music'],
  ] as const)
    test(`${part}: ${before} → ${after} is a change`, () => {
      assert.notEqual(compareTexts(before, after, ignoredBy([part])).diff, null);
    });

  for (const [before, after] of [
    ['utm_source=a&utm_medium=b', 'utm_source=c'],
    ['fbclid=IwAR1', 'gclid=Cj0K'],
    ['sid=a8f3', 'sid=77b1'],
    ['PHPSESSID=8f14e45f', 'PHPSESSID=c9f0f895'],
    ['v=3', 'v=4'],
    ['v=1.2.3', 'v=8f14e45f'],
    ['_=1769860800000', '_=1769860900000'],
    ['t=1769860800', 't=1769860900'],
    ['token=eyJhbGciOi', 'token=eyJpc3Mi'],
    [
      'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260131T000000Z&X-Amz-Expires=300&X-Amz-Signature=8f14',
      'X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Date=20260201T000000Z&X-Amz-Expires=300&X-Amz-Signature=c9f0',
    ],
    [
      'X-Goog-Date=20260131T000000Z&X-Goog-Signature=8f14',
      'X-Goog-Date=20260201T000000Z&X-Goog-Signature=c9f0',
    ],
    [
      'Expires=1769860800&Signature=a~b&Key-Pair-Id=K1&Policy=p',
      'Expires=1769860900&Signature=c~d&Key-Pair-Id=K1&Policy=q',
    ],
    [
      'sv=2024-11-04&st=2026-01-31&se=2026-02-01&sr=b&sp=r&sig=a%2B',
      'sv=2024-11-04&st=2026-02-01&se=2026-02-02&sr=b&sp=r&sig=b%2B',
    ],
    ['ex=697d&is=697c&hm=8f14', 'ex=697f&is=697e&hm=c9f0'],
    ['_nc_cat=1&_nc_ohc=a&oh=00_A&oe=6978', '_nc_cat=1&_nc_ohc=b&oh=00_B&oe=6979'],
    ['nonce=1&rnd=0.123', 'rnd=0.456'],
    ['q-sign-time=1;2&q-signature=8f', 'q-sign-time=3;4&q-signature=c9'],
  ] as const)
    test(`a URL with ${before} is the same with ${after}`, () => {
      for (const [start, end] of [
        ['[News](https://a.test/news?id=7&', ') of today'],
        ['![](/a/b.png?w=5&', ')'],
        ['<img src="/a/b.png?w=5&amp;', '">'],
        ['[a]: https://a.test/?x=1&', ' "title"'],
        ['[a](<https://a.test/?x=1&', '> "title")'],
        ['<source srcset="/b.webp?w=5&amp;', ' 1x, /c.webp 2x">'],
        ['See https://a.test/?', ' for more'],
      ] as const) {
        const url = (query: string) =>
          start + (start.includes('&amp;') ? query.replaceAll('&', '&amp;') : query) + end;
        assert.equal(compareTexts(url(before), url(after), NOTHING).diff, null, url(after));
      }
    });

  test('a session in a path, and versions of pictures are no change', () => {
    for (const [before, after] of [
      ['[a](/news;jsessionid=8F14E4?id=7)', '[a](/news;jsessionid=C9F0F8?id=7)'],
      ['![](/a.png?8f14e45f)', '![](/a.png?c9f0f895)'],
      ['![](/a.jpg?version=12)', '![](/a.jpg?version=13)'],
    ] as const)
      assert.equal(compareTexts(before, after, NOTHING).diff, null, after);
  });

  for (const [before, after] of [
    ['[a](/news?id=7)', '[a](/news?id=8)'],
    ['[a](https://video.test/watch?v=123456)', '[a](https://video.test/watch?v=123457)'],
    ['[a](/topic?t=123)', '[a](/topic?t=124)'],
    ['[a](/list?page=2&sort=new)', '[a](/list?page=3&sort=new)'],
    ['[Download](/download?version=1.2)', '[Download](/download?version=1.3)'],
    ['[a](/x?st=1&se=2)', '[a](/x?st=2&se=3)'],
    ['[a](/raw/file?ref=main)', '[a](/raw/file?ref=next)'],
    ['[a](/p/1)', '[a](/p/2)'],
    ['[a](/p#one)', '[a](/p#two)'],
    ['Set ?sid=1 in the URL', 'Set ?sid=2 in the URL'],
  ] as const)
    test(`${before} → ${after} is a change`, () => {
      assert.notEqual(compareTexts(before, after, NOTHING).diff, null);
    });

  test('of an expression with a group only the group is ignored', () => {
    const ignored = ignoredBy(['/id=([0-9]+)/']);
    assert.equal(compareTexts('x id=1 y', 'x id=2 y', ignored).diff, null);
    assert.notEqual(compareTexts('x id=1 y', 'x ref=1 y', ignored).diff, null);
  });
});

describe('the difference of two texts', () => {
  test('counts lines, and shows them as a unified diff', () => {
    const before = 'one\ntwo\nthree\nfour';
    const { added, removed, similarity, diff } = compareTexts(before, 'one\n2\nthree\nfour\nfive', NOTHING);
    assert.deepEqual([added, removed], [2, 1]);
    assert.equal(similarity, 6 / 9);
    assert.match(diff!, /^-two$/m);
    assert.match(diff!, /^\+2$/m);
    assert.match(diff!, /^\+five$/m);
  });

  test('of texts without anything in common ends soon', () => {
    const lines = (letter: string) => Array.from({ length: 50_000 }, (_, n) => `${letter}${n}`).join('\n');
    const { similarity, diff } = compareTexts(lines('a'), lines('b'), NOTHING);
    assert.equal(similarity, 0);
    assert.match(diff!, /too little in common/);
  });
});
