import { systemClock } from './base/time.ts';
import type { Config } from './config/config.ts';
import type { Data } from './data.ts';
import type { Sealer } from './domain/sealing.ts';
import { SettingsError } from './ports/proxies.ts';
import { Authority, openAuthorityPem } from './proxy-port/authority.ts';
import type { ProxyPort, ProxyPortOptions } from './proxy-port/create-proxy-port.ts';

interface AuthorityDeps extends Pick<Data, 'store'> {
  readonly sealer: Sealer;
}

/** The certificate authority of the proxy port; null: this process has no proxy port. @throws SettingsError */
export async function openAuthority(
  { store, sealer }: AuthorityDeps,
  { proxyPort, proxyTlsCert, proxyTlsKey, role }: Config,
): Promise<Authority | null> {
  if (proxyPort === null && (proxyTlsCert ?? proxyTlsKey) !== null)
    throw new SettingsError('SLUICE_PROXY_TLS_CERT and SLUICE_PROXY_TLS_KEY need SLUICE_PROXY_PORT');
  if (proxyPort === null || role === 'worker') return null;
  return new Authority(await openAuthorityPem(store.secrets, sealer, systemClock), systemClock.now);
}

/** Does not listen yet. @throws SettingsError */
export async function openProxyPort(
  { proxyTlsCert: cert, proxyTlsKey: key }: Config,
  options: Omit<ProxyPortOptions, 'clock' | 'tls'>,
): Promise<ProxyPort> {
  if ((cert === null) !== (key === null))
    throw new SettingsError('SLUICE_PROXY_TLS_CERT and SLUICE_PROXY_TLS_KEY must be set together');
  const { createProxyPort } = await import('./proxy-port/create-proxy-port.ts');
  try {
    const tls = cert === null || key === null ? null : { cert, key };
    return createProxyPort({ ...options, clock: systemClock, tls });
  } catch (error) {
    throw new SettingsError(
      `SLUICE_PROXY_TLS_CERT and SLUICE_PROXY_TLS_KEY cannot be used: ${(error as Error).message}`,
    );
  }
}
