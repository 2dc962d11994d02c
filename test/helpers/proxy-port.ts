import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type Site, startSite } from '../site/site.ts';
import { runChild } from './child.ts';
import { freePort } from './free-port.ts';
import { type Service, startService, TEST_KEY } from './service.ts';

/** A service with a proxy port, a site with TLS whose certificate it trusts, and what clients of the proxy port need. */
export interface ProxyPortService {
  readonly service: Service;
  readonly site: Site;
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** The certificate that clients trust: as PEM, and its file. */
  readonly ca: string;
  readonly caFile: string;
  /** The URL of the proxy. @param options of the password */
  url(options?: string, key?: string): string;
}

/** Starts them for all tests of the calling `describe`. Members can only be read inside of tests. */
export function useProxyPort(env: () => NodeJS.ProcessEnv = () => ({})): ProxyPortService {
  let started: ProxyPortService | undefined;
  const opened = new AsyncDisposableStack();
  before(async () => {
    const site = opened.use(await startSite({ tls: true }));
    const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-port-'));
    opened.defer(() => rmSync(folder, { recursive: true }));
    const siteCa = join(folder, 'site.pem');
    writeFileSync(siteCa, site.ca!);
    const address = `127.0.0.1:${await freePort()}`;
    const own = env();
    const service = await startService({
      SLUICE_PROXY_PORT: address.split(':')[1],
      SLUICE_CA_FILE: siteCa,
      ...own,
    });
    opened.defer(() => service.end());
    const ca = await (await fetch(`${service.base}/api/v1/proxy-ca.pem`)).text();
    const caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, ca);
    const scheme = own.SLUICE_PROXY_TLS_CERT === undefined ? 'http' : 'https';
    const url = (options = '', key = TEST_KEY) =>
      `${scheme}://${encodeURIComponent(key)}:${encodeURIComponent(options)}@${address}`;
    started = { service, site, address, ca, caFile, url };
  });
  after(() => opened.disposeAsync());
  return new Proxy({} as ProxyPortService, { get: (_, name) => Reflect.get(started!, name) });
}

/** Runs a client to its end, and returns what it has printed. Rejects if it fails. */
export async function runClient(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { code, stdout, stderr } = await runChild(command, args, { env: { PATH: process.env.PATH, ...env } });
  if (code !== 0)
    throw new Error(`${command} ended with ${code}:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  return stdout;
}

/** Why the client cannot run on this machine; false: it can. */
export async function missing(command: string, ...args: readonly string[]): Promise<string | false> {
  const { code } = await runChild(command, args);
  return code === 0 ? false : `${[command, ...args].join(' ')} does not work on this machine`;
}
