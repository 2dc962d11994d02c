import type { Schema } from '../api/client.ts';
import { DataTable } from '../ui/data-table.tsx';
import { formatUtc } from '../ui/format.ts';
import { Panel } from '../ui/panel.tsx';
import classes from './tables.module.css';

/** What the target set in this scrape. Nothing at all when it set none. */
export function CookiesPanel({ cookies }: { readonly cookies: readonly Schema<'Cookie'>[] }) {
  if (cookies.length === 0) return null;
  return (
    <Panel title="Cookies" description="Set by the site during this scrape." flush>
      <DataTable
        caption="Cookies set by the site"
        head={
          <>
            <th>Name</th>
            <th>Value</th>
            <th>Domain and path</th>
            <th>Expires</th>
            <th>Flags</th>
          </>
        }
      >
        {cookies.map((cookie) => (
          <tr key={`${cookie.name} ${cookie.domain} ${cookie.path}`}>
            <td className={classes.name}>{cookie.name}</td>
            <td className={classes.value}>{cookie.value}</td>
            <td className={classes.value}>
              {cookie.domain}
              {cookie.path}
            </td>
            <td className={classes.plain}>{expiryOf(cookie.expires)}</td>
            <td className={classes.plain}>{flagsOf(cookie)}</td>
          </tr>
        ))}
      </DataTable>
    </Panel>
  );
}

/** @param expires seconds since the epoch; a target may send what no calendar has */
function expiryOf(expires: number | null): string {
  if (expires === null) return 'with the session';
  const at = new Date(expires * 1000);
  return Number.isNaN(at.getTime()) ? 'never' : formatUtc(at.toISOString());
}

function flagsOf({ secure, http_only, same_site }: Schema<'Cookie'>): string {
  const flags = [
    secure ? 'Secure' : '',
    http_only ? 'HttpOnly' : '',
    same_site === null ? '' : `SameSite=${same_site}`,
  ];
  return flags.filter((flag) => flag !== '').join(', ') || '–';
}
