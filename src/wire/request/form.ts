import { rawNumberText } from '../../base/raw-number.ts';
import { isObject } from '../schema/build.ts';
import { pointTo } from '../schema/pointer.ts';
import { type Problems, wrongValue } from '../schema/problems.ts';

/**
 * `application/x-www-form-urlencoded` (URL standard §5.2) of an object or an array of pairs. As in `query`, an array
 * repeats the name and null drops it. Null when something cannot be a field of a form.
 */
export function formFrom(data: unknown, at: string, problems: Problems): string | null {
  const before = problems.length;
  const pairs: [string, string][] = [];
  const add = (name: string, value: unknown, place: string) => {
    if (value === null) return;
    const number = rawNumberText(value);
    if (number !== null) pairs.push([name, number]);
    else if (typeof value === 'object')
      wrongValue(problems, place, 'must be a string, number or boolean', value);
    else pairs.push([name, String(value)]);
  };
  if (Array.isArray(data)) {
    data.forEach((pair: unknown, i) => {
      const place = pointTo(at, i);
      if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] !== 'string') {
        wrongValue(problems, place, 'must be a pair [name, value]', pair);
      } else add(pair[0], pair[1], pointTo(place, 1));
    });
  } else if (isObject(data) && rawNumberText(data) === null) {
    for (const [name, value] of Object.entries(data)) {
      const place = pointTo(at, name);
      if (!Array.isArray(value)) add(name, value, place);
      else for (const [i, one] of value.entries()) add(name, one, pointTo(place, i));
    }
  } else {
    // A string is a form where the Content-Type says so; `$form` writes one itself.
    const text = at === '/data' ? ', or a string' : '; send an encoded form as $raw with its content-type';
    wrongValue(problems, at, `must be an object or an array of pairs [name, value]${text}`, data);
  }
  return problems.length > before ? null : new URLSearchParams(pairs).toString();
}
