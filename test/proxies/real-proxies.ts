import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../helpers/child.ts';
import { freePort } from '../helpers/free-port.ts';
import { accepts, started } from '../helpers/started.ts';

/** A proxy of Debian's, in a process of its own on a free port of loopback. */
export interface RealProxy extends AsyncDisposable {
  readonly port: number;
}

export interface RealKind {
  /** Why it cannot be tried here; false: it can. */
  readonly skip: string | false;
  /** Why it can know no credentials here; false: it can. */
  readonly skipSignIn: string | false;
  start(auth: readonly [string, string] | null): Promise<RealProxy>;
}

const found = (...paths: string[]): string | null => paths.find((path) => existsSync(path)) ?? null;
const squid = found('/usr/sbin/squid');
const ncsa = found('/usr/lib/squid/basic_ncsa_auth');
const tinyproxy = found('/usr/bin/tinyproxy', '/usr/sbin/tinyproxy');
const danted = found('/usr/sbin/danted');
const missing = (name: string) => `${name} is missing: apt-get install ${name}`;

export const SQUID: RealKind = {
  skip: squid === null || ncsa === null ? missing('squid') : false,
  skipSignIn: false,
  start: (auth) =>
    run(async (folder, port) => {
      const rules =
        auth === null
          ? ['http_access allow all']
          : [
              `auth_param basic program ${ncsa} ${join(folder, 'passwords')}`,
              'acl known proxy_auth REQUIRED',
              'http_access allow known',
              'http_access deny all',
            ];
      if (auth !== null) {
        const hash = execFileSync('openssl', ['passwd', '-apr1', auth[1]], { encoding: 'utf8' }).trim();
        writeFileSync(join(folder, 'passwords'), `${auth[0]}:${hash}\n`);
      }
      const lines = [
        `http_port 127.0.0.1:${port}`,
        ...rules,
        'cache deny all',
        'access_log none',
        'cache_log /dev/null',
        'pid_filename none',
        'pinger_enable off',
        'shutdown_lifetime 0 seconds',
        'visible_hostname proxy.test',
        `coredump_dir ${folder}`,
      ];
      return [squid!, ['-N', '-f', write(folder, lines)]];
    }),
};

export const TINYPROXY: RealKind = {
  skip: tinyproxy === null ? missing('tinyproxy-bin') : false,
  skipSignIn: false,
  start: (auth) =>
    run(async (folder, port) => {
      const lines = [
        `Port ${port}`,
        'Listen 127.0.0.1',
        'Timeout 60',
        'MaxClients 100',
        'LogLevel Critical',
        ...(auth === null ? [] : [`BasicAuth ${auth.join(' ')}`]),
      ];
      return [tinyproxy!, ['-d', '-c', write(folder, lines)]];
    }),
};

/** It asks for the password of a user of the system: with `auth` it sees lists of users of its own in place of them. */
export const DANTE: RealKind = {
  skip: danted === null ? missing('dante-server') : false,
  skipSignIn:
    spawnSync('unshare', ['-m', 'mount', '--bind', '/etc/passwd', '/etc/passwd']).status === 0
      ? false
      : 'this machine does not permit mount namespaces (unshare -m)',
  start: (auth) =>
    run(async (folder, port) => {
      const method = auth === null ? 'none' : 'username';
      const lines = [
        'logoutput: /dev/null',
        `internal: 127.0.0.1 port = ${port}`,
        'external: 127.0.0.1',
        'clientmethod: none',
        `socksmethod: ${method}`,
        'user.unprivileged: nobody',
        'client pass { from: 127.0.0.0/8 to: 0.0.0.0/0 }',
        'socks pass {',
        ' from: 0.0.0.0/0 to: 0.0.0.0/0',
        ' protocol: tcp',
        ` socksmethod: ${method}`,
        '}',
      ];
      const words = [danted!, '-N', '1', '-f', write(folder, lines)];
      if (auth === null) return [words[0]!, words.slice(1)];
      const mounts = 'mount --bind passwd /etc/passwd && mount --bind shadow /etc/shadow && exec "$@"';
      writeUsers(folder, auth);
      return ['unshare', ['-m', `--wd=${folder}`, 'sh', '-c', mounts, 'sh', ...words]];
    }),
};

function writeUsers(folder: string, [name, password]: readonly [string, string]): void {
  const known = readFileSync('/etc/passwd', 'utf8');
  writeFileSync(join(folder, 'passwd'), `${known}${name}:x:64999:64999::/:/usr/sbin/nologin\n`);
  const hash = execFileSync('openssl', ['passwd', '-6', password], { encoding: 'utf8' }).trim();
  writeFileSync(join(folder, 'shadow'), `${name}:${hash}:19000:0:99999:7:::\n`, { mode: 0o600 });
}

function write(folder: string, lines: readonly string[]): string {
  const file = join(folder, 'proxy.conf');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

async function run(
  prepare: (folder: string, port: number) => Promise<readonly [command: string, args: readonly string[]]>,
): Promise<RealProxy> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-proxy-'));
  // Some of them give up being root.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const [command, args] = await prepare(folder, port);
  const child = startChild(command, args, { isGroup: true });
  const stop = async () => {
    child.kill('SIGKILL');
    await child.exited;
    rmSync(folder, { recursive: true, force: true });
  };
  await started(command, child, () => accepts(port)).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return { port, [Symbol.asyncDispose]: stop };
}
