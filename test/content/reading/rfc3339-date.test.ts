import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rfc3339Date } from '../../../src/base/rfc3339-date.ts';
import fc from '../../helpers/fast-check.ts';

const CASES: readonly (readonly [string, string | null])[] = [
  ['2003-06-10T04:00:00Z', '2003-06-10T04:00:00Z'],
  [' 2003-06-10t04:00:00.123+0230 ', '2003-06-10T04:00:00+02:30'],
  ['2003-06-10 04:00', '2003-06-10T04:00:00Z'],
  ['2003-06-10T04:00:00 -05:00', '2003-06-10T04:00:00-05:00'],
  ['2003-06-10T04:00+02', '2003-06-10T04:00:00+02:00'],
  ['2003', '2003-01-01T00:00:00Z'],
  ['2003-06', '2003-06-01T00:00:00Z'],
  ['20030610', '2003-06-10T00:00:00Z'],
  ['20030610T040059Z', '2003-06-10T04:00:59Z'],
  ['Tue, 10 Jun 2003 04:00:00 GMT', '2003-06-10T04:00:00Z'],
  ['Tue, 10 Jun 03 04:00 EDT', '2003-06-10T04:00:00-04:00'],
  ['Tuesday,  10 June 1999 4:05:06 +0200', '1999-06-10T04:05:06+02:00'],
  ['10 Jun 2003', '2003-06-10T00:00:00Z'],
  ['Wed, 10-Jun-2003 04:00:00 UTC', '2003-06-10T04:00:00Z'],
  ['Tue, 10 Jun 2003 04:00:00 +0000 (UTC)', '2003-06-10T04:00:00Z'],
  ['June 10, 2003 12:30 PM', '2003-06-10T12:30:00Z'],
  ['Jun 10 2003', '2003-06-10T00:00:00Z'],
  ['Tue Jun 10 04:00:00 CEST 2003', '2003-06-10T04:00:00+02:00'],
  ['Tue Jun 10 04:00:00 2003', '2003-06-10T04:00:00Z'],
  ['1.5.2024', '2024-05-01T00:00:00Z'],
  ['Mi, 01. 05. 2024, 14:30', '2024-05-01T14:30:00Z'],
  ['2024/5/1', '2024-05-01T00:00:00Z'],
  ['31.4.2024', null],
  ['5/1/2024', null],
  ['29 Feb 2024', '2024-02-29T00:00:00Z'],
  ['29 Feb 2023', null],
  ['2003-13-01', null],
  ['2003-06-10T24:00:00Z', null],
  ['2003-06-10T04:61:00Z', null],
  ['10 Foo 2003', null],
  ['WED,23 MAY 2012 02:23:01', '2012-05-23T02:23:01Z'],
  ['Wed , 23 May 2012 02:23:01 +0200', '2012-05-23T02:23:01+02:00'],
  ['Wed, 23rd May, 2012 at 2:23 pm', '2012-05-23T14:23:00Z'],
  ['Wed,23-May-12 02:23:01 AEST', '2012-05-23T02:23:01+10:00'],
  ['23 May 2012T02:23:01Z', '2012-05-23T02:23:01Z'],
  ['23. May 2012,02:23', '2012-05-23T02:23:00Z'],
  ['Wed, 23 May 2012 02:23:01 GMT+2', '2012-05-23T02:23:01+02:00'],
  ['Wed, 23 May 2012 02:23:01 UTC-03:30', '2012-05-23T02:23:01-03:30'],
  ['WED,MAY 23,2012 02:23:01', '2012-05-23T02:23:01Z'],
  ['May 23rd, 2012, 2:23 AM', '2012-05-23T02:23:00Z'],
  ['2003-06-10T04:00:00 XYZ', null],
  ['yesterday', null],
  ['', null],
];
for (const [text, date] of CASES) test(JSON.stringify(text), () => assert.equal(rfc3339Date(text), date));

test('what it writes is RFC 3339, and is read again as the same', () => {
  const written = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(written, fc.constantFrom('toISOString', 'toUTCString'), (date, form) => {
      const text = rfc3339Date(date[form as 'toISOString']());
      assert.equal(text, `${date.toISOString().slice(0, 19)}Z`);
      assert.equal(rfc3339Date(text), text);
    }),
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      const date = rfc3339Date(text);
      assert.ok(date === null || /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/.test(date));
    }),
  );
});
