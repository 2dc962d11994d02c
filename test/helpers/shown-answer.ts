import assert from 'node:assert/strict';

/*
 * Compares the answer that a text shows with the real one. A text shows a part: members may be missing, and `…` in a text stands for
 * anything. What differs each time (ids, times, durations) must only look alike.
 */

/** Texts that differ each time, by what they look like. */
const VOLATILE = [
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
];
/** Numbers that differ each time, by the name of their member. */
const VOLATILE_NUMBER = /(?:_ms|_at|^bytes|^bytes_\w+)$/;

const pattern = (shown: string): RegExp =>
  new RegExp(
    `^${shown
      .split('…')
      .map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^]*')}$`,
  );

/**
 * @param place where it stands in the answer, for the error
 * @throws AssertionError that names the place
 */
export function assertShown(shown: unknown, real: unknown, place = '', name = ''): void {
  const differ = () => `the answer has changed at ${place || '/'}: ${JSON.stringify(real)}`;
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(real), differ());
    const goesOn = shown.at(-1) === '…';
    const items = goesOn ? shown.slice(0, -1) : shown;
    if (!goesOn) assert.equal(real.length, items.length, differ());
    for (const [index, item] of items.entries())
      assertShown(item, (real as unknown[])[index], `${place}/${index}`, name);
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof real === 'object' && real !== null && !Array.isArray(real), differ());
    for (const [key, value] of Object.entries(shown)) {
      assert.ok(Object.hasOwn(real, key), `the answer has no ${place}/${key}: ${JSON.stringify(real)}`);
      assertShown(value, (real as Record<string, unknown>)[key], `${place}/${key}`, key);
    }
  } else if (typeof shown === 'string') {
    assert.ok(typeof real === 'string', differ());
    const volatile = VOLATILE.find((one) => one.test(shown));
    assert.match(real, volatile ?? pattern(shown), differ());
  } else if (typeof shown === 'number' && VOLATILE_NUMBER.test(name)) {
    assert.equal(typeof real, 'number', differ());
  } else {
    assert.equal(real, shown, differ());
  }
}

/** Each line that is shown must be printed, in this order. `…` stands for anything. */
export function assertPrinted(shown: string, real: string): void {
  const lines = real.split('\n').map((line) => line.trimEnd());
  let from = 0;
  for (const line of shown.split('\n')) {
    const text = line.trimEnd();
    if (text === '' || text === '…') continue;
    const at = lines.findIndex((one, index) => index >= from && pattern(text).test(one));
    assert.ok(at >= 0, `“${text}” is not printed (any more):\n${real}`);
    from = at + 1;
  }
}
