import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A private key and its certificate, in PEM. */
export interface KeyPair {
  readonly key: string;
  readonly cert: string;
}

export interface CertificateOptions {
  /** `subjectAltName`, as in `DNS:localhost,IP:127.0.0.1`. */
  readonly names: string;
  /** End of validity in years from now; negative: in the past. Default 1. */
  readonly years?: number;
  /** Start of validity in years from now; default: in the past. */
  readonly from?: number;
  /** An RSA key of so many bits instead of a P-256 key. */
  readonly rsaBits?: number;
}

export interface Authority extends Disposable {
  readonly cert: string;
  issue(options: CertificateOptions): KeyPair;
}

/** Creates a certificate authority in a temporary folder, with the command openssl. */
export function createAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-ca-'));
  const file = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const keyFile = (name: string, rsaBits?: number) => {
    const kind =
      rsaBits === undefined
        ? ['EC', '-pkeyopt', 'ec_paramgen_curve:P-256']
        : ['RSA', '-pkeyopt', `rsa_keygen_bits:${rsaBits}`];
    openssl('genpkey', '-algorithm', ...kind, '-out', name);
  };
  keyFile('ca.key');
  openssl(
    'req',
    '-x509',
    '-new',
    '-key',
    'ca.key',
    '-days',
    '30',
    '-subj',
    '/CN=Test authority',
    '-out',
    'ca.pem',
  );
  writeFileSync(
    file('ca.cnf'),
    '[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\npolicy=any\nunique_subject=no\ncopy_extensions=copy\n[any]\ncommonName=supplied\n',
  );
  writeFileSync(file('index.txt'), '');
  let count = 0;
  return {
    cert: readFileSync(file('ca.pem'), 'utf8'),
    issue({ names, years = 1, from = Math.min(-1, years - 1), rsaBits }) {
      const name = `leaf${++count}`;
      keyFile(`${name}.key`, rsaBits);
      openssl(
        'req',
        '-new',
        '-key',
        `${name}.key`,
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=${names}`,
        '-out',
        `${name}.csr`,
      );
      const validity = ['-startdate', timestamp(from), '-enddate', timestamp(years)];
      openssl(
        'ca',
        '-batch',
        '-notext',
        '-config',
        'ca.cnf',
        '-cert',
        'ca.pem',
        '-keyfile',
        'ca.key',
        ...validity,
        '-in',
        `${name}.csr`,
        '-out',
        `${name}.pem`,
      );
      return {
        key: readFileSync(file(`${name}.key`), 'utf8'),
        cert: readFileSync(file(`${name}.pem`), 'utf8'),
      };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The time so many years from now, as `YYYYMMDDHHMMSSZ`. */
function timestamp(years: number): string {
  const time = new Date(Date.now() + years * 365 * 86_400_000);
  return `${time.toISOString().slice(0, 19).replace(/[-:T]/g, '')}Z`;
}
