import { spawnSync } from 'node:child_process';
import { after, before } from 'node:test';
import { type Child, startChild } from '../helpers/child.ts';
import { type Service, startService } from '../helpers/service.ts';

const checked = spawnSync('gunicorn', ['--check-config', 'httpbin:app'], { encoding: 'utf8' });

/** Why these tests cannot run here; false: they can. For the option `skip`. */
export const NO_HTTPBIN: string | false =
  checked.status === 0
    ? false
    : 'httpbin under gunicorn does not start (Debian: apt-get install python3-httpbin gunicorn)';

export interface Stage {
  readonly service: Service;
  /** `http://127.0.0.1:port` of httpbin. */
  readonly bin: string;
}

/** httpbin and Sluice for all tests of the `describe` that calls it; the members may be read inside of tests only. */
export function useStage(): Stage {
  let service: Service | undefined;
  let gunicorn: Child | undefined;
  let bin = '';
  before(async () => {
    // Unbuffered, and never on the terminal: it logs to stderr, which is where the port is told.
    const args = [
      '-k',
      'gthread',
      '--threads',
      '40',
      '--keep-alive',
      '30',
      '-b',
      '127.0.0.1:0',
      '--log-file',
      '-',
    ];
    gunicorn = startChild('sh', ['-c', 'exec gunicorn "$@" 2>&1', 'sh', ...args, 'httpbin:app']);
    const [started, [, address]] = await Promise.all([
      startService(),
      gunicorn.printed(/Listening at: (http:\/\/[0-9.:]+)/),
    ]);
    // What `auto` takes depends on what it has seen of httpbin before; these tests are of one client.
    service = {
      ...started,
      scrape: (request, options) => started.scrape({ scraper: 'http', ...(request as object) }, options),
    };
    bin = address!;
  });
  after(async () => {
    gunicorn?.kill('SIGTERM');
    await gunicorn?.exited;
    await service?.end();
  });
  return {
    get service() {
      return service!;
    },
    get bin() {
      return bin;
    },
  };
}

/** What /anything and its kind saw. */
export interface Echo {
  readonly method: string;
  readonly url: string;
  readonly args: Record<string, string | string[]>;
  readonly data: string;
  readonly files: Record<string, string>;
  readonly form: Record<string, string | string[]>;
  readonly headers: Record<string, string>;
  readonly json: unknown;
}
