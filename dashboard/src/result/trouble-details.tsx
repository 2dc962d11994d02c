import classes from './troubles-panel.module.css';

type Details = Readonly<Record<string, unknown>>;

/** What is known of a trouble beyond its message, member by member: `hosts: ads.example, 3 times`. */
export function TroubleDetails({ details }: { readonly details: Details }) {
  // What the sentence above says already.
  const said = new Set(['verdict', 'failed', 'wall']);
  const known = Object.entries(details).filter(
    ([name, value]) => value !== null && value !== undefined && !said.has(name),
  );
  if (known.length === 0) return null;
  return (
    <dl className={classes.details}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name.replaceAll('_', ' ')}</dt>
          <dd dir="ltr">
            {Array.isArray(value) ? (
              <ul>
                {value.map((one, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: entries have no name of their own
                  <li key={at}>{textOf(one)}</li>
                ))}
              </ul>
            ) : (
              textOf(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** `{host, count}` is `host, 3 times`; of all other objects each member with its name. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  const { host, count, ...rest } = value as Details;
  const known: string[] = host === undefined ? [] : [String(host)];
  if (typeof count === 'number') known.push(count === 1 ? 'once' : `${count} times`);
  return [...known, ...Object.entries(rest).map(([name, one]) => `${name} ${textOf(one)}`)].join(', ');
}
