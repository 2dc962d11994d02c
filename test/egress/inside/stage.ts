import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DnsServer, startDnsServer } from '../../site/dns-server.ts';
import { type Canary, startCanary } from './listeners.ts';
import {
  ALLOWED,
  ALLOWED_OUTSIDE,
  applies,
  CANARY,
  CANARY_OUTSIDE,
  MODES,
  type Mode,
  nameOf,
  portOf,
  type Site,
  startSite,
} from './site.ts';
import { VECTORS, type Vector } from './vectors.ts';

/** The modes that lead to where nobody may come. */
export const AIMED: readonly Mode[] = MODES.filter((mode) => mode !== 'allowed');

export interface Stage extends AsyncDisposable {
  readonly site: Site;
  /** Nobody may come here. */
  readonly canary: Canary;
  readonly allowed: Canary;
  /** What the system asks, and what the gateway is to ask. */
  readonly systemDns: DnsServer;
  readonly ownDns: DnsServer;
  /** Names of vectors that reached their listener, or its name server. */
  reached(of: Canary, mode: Mode): ReadonlySet<string>;
  reset(): void;
}

/**
 * Everything that listens, in a network and mount name space of this process alone.
 * @param isFired the vectors that the pages of the site make happen
 */
export async function openStage(isFired: (vector: Vector) => boolean = () => true): Promise<Stage> {
  // Else it gets an address of its own a second later, at which Chromium ends all that is under way.
  writeFileSync('/proc/sys/net/ipv6/conf/default/disable_ipv6', '1');
  for (const words of [
    'link set lo up',
    'link add outside type veth peer name other',
    'link set other up',
    `addr add ${ALLOWED_OUTSIDE}/24 dev outside`,
    `addr add ${CANARY_OUTSIDE}/24 dev outside`,
    'link set outside up',
    `route add default via ${CANARY_OUTSIDE} dev outside`,
  ])
    execFileSync('ip', words.split(' '));
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-resolv-'));
  stack.defer(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'resolv.conf');
  writeFileSync(file, `nameserver ${CANARY}\n`);
  execFileSync('mount', ['--bind', file, '/etc/resolv.conf']);
  stack.defer(() => void execFileSync('umount', ['/etc/resolv.conf']));
  const names = { '*.canary.test': { addresses: [CANARY_OUTSIDE] } };
  const systemDns = stack.use(await startDnsServer(names, { host: CANARY, port: 53 }));
  const ownDns = stack.use(await startDnsServer(names));
  const site = stack.use(await startSite(isFired));
  const ports = (modes: readonly Mode[]) => modes.flatMap((mode) => VECTORS.map((_, at) => portOf(mode, at)));
  const canary = stack.use(await startCanary([CANARY, CANARY_OUTSIDE], ports(AIMED)));
  const allowed = stack.use(await startCanary([ALLOWED, ALLOWED_OUTSIDE], ports(['allowed'])));
  const all = stack.move();
  return {
    site,
    canary,
    allowed,
    systemDns,
    ownDns,
    reached(of, mode) {
      const asked = new Set(systemDns.questions.map(({ name }) => name.toLowerCase()));
      const came = (at: number) =>
        (of.hits.get(portOf(mode, at)) ?? 0) > 0 || (mode === 'name' && asked.has(nameOf(at)));
      return new Set(VECTORS.flatMap(({ name }, at) => (applies(mode, at) && came(at) ? [name] : [])));
    },
    reset() {
      canary.reset();
      allowed.reset();
      (systemDns.questions as unknown[]).length = 0;
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
