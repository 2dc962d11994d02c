import { failure } from '../../domain/failure.ts';
import type { Logger } from '../../observe/logger.ts';
import { Refusal } from '../core/refusal.ts';
import { createServer } from './server.ts';

interface MigratingDeps {
  readonly host: string;
  readonly port: number;
  readonly baseUrl: string;
  readonly logger: Logger;
}

/** Answers in place of the service while its data is migrated: `/healthz` with 200, everything else with 503. */
export interface MigratingServer extends AsyncDisposable {
  /** Begins to listen. If the port is taken, nothing happens: the service itself reports that. */
  start(): void;
  /** Frees the port. Also resolves if `start` was never called. */
  close(): Promise<void>;
}

export function createMigratingServer(deps: MigratingDeps): MigratingServer {
  let started: ReturnType<typeof listen> | null = null;
  async function close() {
    const app = await started;
    const closed = app?.close();
    app?.server.closeAllConnections();
    await closed;
  }
  return {
    start() {
      started ??= listen(deps);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** @returns null: the port is taken */
async function listen({ host, port, baseUrl, logger }: MigratingDeps) {
  const app = await createServer({
    logger,
    baseUrl: () => baseUrl,
    trustedProxies: [],
    corsOrigins: 'off',
    events: { requestRefused: () => {} },
  });
  app.get('/healthz', () => ({ status: 'ok' }));
  app.all('/*', { onRequest: () => Promise.reject(migratingRefusal()) }, () => {});
  return app.listen({ host, port }).then(
    () => app,
    () => null,
  );
}

const migratingRefusal = (): Refusal => {
  const details = { reason: 'migrating' };
  const cause = failure('service.unavailable', 'The data is being migrated after an update.', { details });
  // So that the next request reaches the service itself.
  return new Refusal([cause], { headers: { connection: 'close' } });
};
