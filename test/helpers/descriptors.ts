import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Service } from './service.ts';

/** Counts the open descriptors of a service by kind. Sockets to its callers are not counted: each keeps a few open. */
export function descriptorsOf({
  pid,
  port,
}: Service): Readonly<Record<string, number>> & { readonly sockets: number } {
  const kinds: Record<string, number> = {};
  for (const name of readdirSync(`/proc/${pid}/fd`)) {
    const kind = linkOf(`/proc/${pid}/fd/${name}`)
      .replace(/:\[\d+\]$/, '')
      .replace(/^.*\//, '');
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  // As /proc/net/tcp has it: 127.0.0.1 and the port in hexadecimal, and 01 for ESTABLISHED (proc_pid_net(5)).
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const established = new RegExp(`^ *\\d+: ${local} \\S+ 01 `, 'gm');
  const callers = readFileSync('/proc/net/tcp', 'utf8').match(established)?.length ?? 0;
  const { socket = 0, ...others } = kinds;
  return { ...others, sockets: socket - callers };
}

/** The target of a link in /proc; 'closed' if the descriptor was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return 'closed';
  }
}
