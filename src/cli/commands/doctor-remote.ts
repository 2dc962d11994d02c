import type { Login } from '../../config/login-file.ts';
import { type Finding, fail, ok, warn } from './doctor-finding.ts';
import { check } from './login.ts';

const ASK_MS = 10_000;
const CLOCK_TOLERANCE_MS = 30_000;

interface ReadyView {
  readonly status?: string;
  readonly warnings?: readonly { readonly message?: string }[];
}

/** The service that commands use; nothing if there is none. @param remote throws CommandError */
export async function* checkRemote(remote: () => Login | null): AsyncGenerator<Finding> {
  const advice = 'Check SLUICE_URL and SLUICE_KEY, or run sluice login.';
  let service: Login | null;
  try {
    service = remote();
    if (service === null) return;
    yield ok('service', `${service.url} is Sluice ${await check(service)}, and the key works`);
  } catch (error) {
    yield fail('service', (error as Error).message, advice);
    return;
  }
  const before = Date.now();
  const response = await fetch(`${service.url}/readyz`, { signal: AbortSignal.timeout(ASK_MS) }).catch(
    () => null,
  );
  const ready = (await response?.json().catch(() => null)) as ReadyView | null | undefined;
  if (ready?.status !== 'ok') {
    const why = (ready?.warnings ?? []).map(({ message }) => message ?? '').join('; ');
    yield warn(
      'service',
      `it says that it is ${ready?.status ?? 'not ready'}${why === '' ? '' : `: ${why}`}`,
      `See ${service.url}/readyz.`,
    );
  }
  const date = Date.parse(response?.headers.get('date') ?? '');
  if (!Number.isNaN(date) && Math.abs(date - before) > CLOCK_TOLERANCE_MS)
    yield warn(
      'service',
      `its clock differs from the one here by ${Math.round(Math.abs(date - before) / 1_000)} s`,
      'Set both clocks by NTP.',
    );
}
