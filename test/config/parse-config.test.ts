import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Config, configTable, parseConfig } from '../../src/config/config.ts';
import { VARIABLES } from '../../src/config/variables.ts';
import { encryptionKey } from '../../src/domain/sealing.ts';
import fc from '../helpers/fast-check.ts';

const SECRET = 'correct-horse-battery';
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';

describe('parseConfig', () => {
  it('is whole without any variable', () => {
    const { config, problems } = parseConfig({});
    assert.equal(problems, null);
    assert.ok(Object.isFrozen(config));
    assert.deepEqual(config, {
      host: '127.0.0.1',
      port: 8080,
      dataDir: './data',
      baseUrl: null,
      trustedProxies: [],
      secret: null,
      encryptionKeys: null,
      jobConcurrency: 32,
      jobHostConcurrency: 8,
      adminEmail: 'admin@localhost',
      adminPassword: null,
      apiKey: null,
      allowAddresses: [],
      webhookAllow: [],
      exportAllow: [],
      dnsServers: [],
      oidcClientId: null,
      oidcClientSecret: null,
      oidcIssuer: null,
      oidcName: 'OpenID Connect',
      oidcRoleClaim: null,
      oidcRoles: null,
      oidcScopes: 'openid email profile',
      oidcSignUp: false,
      smtpFrom: null,
      smtpServer: null,
      retentionDays: 7,
      s3AccessKeyId: null,
      s3Bucket: null,
      s3Endpoint: null,
      s3ForcePathStyle: false,
      s3Prefix: '',
      s3Region: 'us-east-1',
      s3SecretAccessKey: null,
      screenshotHours: 24,
      storageBytes: null,
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReadUrl: null,
      redis: null,
      tracePaths: false,
      browsersFile: null,
      vendorsFile: null,
      guardPort: null,
      guardUrl: null,
      memoryBytes: null,
      durability: 'normal',
      browserPaths: [],
      browserSlots: null,
      browserWarm: true,
      browserSandbox: 'on',
      probeBudget: 0,
      drainSeconds: 25,
      drainDelaySeconds: null,
      role: 'all',
      metricsToken: null,
      passwordCost: 15,
      corsOrigins: { kind: 'off' },
      dialects: [],
      logFormat: 'auto',
      logLevel: 'info',
      ca: null,
      prices: null,
      llmUrl: null,
      llmModel: 'default',
      llmKey: null,
      llmContext: 16_384,
      llmConcurrency: 4,
      llmTimeoutMs: 60_000,
      proxiesFile: null,
      proxyPort: null,
      proxyTlsCert: null,
      proxyTlsKey: null,
      robots: 'ignore',
      autoIdentity: 'browser',
      siteConcurrency: null,
      dashboard: true,
      allowDirect: true,
      remoteUrl: null,
      remoteKey: null,
    });
  });

  const good: [variable: string, text: string, member: keyof Config, value: unknown][] = [
    ['SLUICE_HOST', '::', 'host', '::'],
    ['SLUICE_HOST', '[::1]', 'host', '::1'],
    ['SLUICE_HOST', 'localhost', 'host', 'localhost'],
    [
      'SLUICE_WEBHOOK_ALLOW',
      '10.0.0.0/8, Hooks.Internal:80,[::1]:99',
      'webhookAllow',
      ['10.0.0.0/8', 'hooks.internal:80', '[::1]:99'],
    ],
    ['SLUICE_PORT', '0', 'port', 0],
    ['SLUICE_PORT', ' 65535 ', 'port', 65535],
    ['SLUICE_PORT', '', 'port', 8080],
    ['SLUICE_PROBE_BUDGET', '2500.5', 'probeBudget', 2500.5],
    ['SLUICE_BASE_URL', 'https://Example.com:443/', 'baseUrl', 'https://example.com'],
    ['SLUICE_BASE_URL', 'http://h:8080/a/b//', 'baseUrl', 'http://h:8080/a/b'],
    [
      'SLUICE_TRUSTED_PROXIES',
      'loopback, 10.0.0.0/8,::1,',
      'trustedProxies',
      ['loopback', '10.0.0.0/8', '::1'],
    ],
    ['SLUICE_SECRET', '0123456789abcdef', 'secret', '0123456789abcdef'],
    ['SLUICE_DATABASE_URL', 'postgres://u:p@h/d', 'databaseUrl', 'postgres://u:p@h/d'],
    ['SLUICE_DATABASE_URL', 'postgresql:///d?host=/run', 'databaseUrl', 'postgresql:///d?host=/run'],
    [
      'SLUICE_ENCRYPTION_KEY',
      `${'A'.repeat(43)}=,\n${'00'.repeat(31)}01`,
      'encryptionKeys',
      [encryptionKey(Buffer.alloc(32)), encryptionKey(Buffer.from(`${'00'.repeat(31)}01`, 'hex'))],
    ],
    ['SLUICE_ADMIN_EMAIL', 'me@example.com', 'adminEmail', 'me@example.com'],
    ['SLUICE_ADMIN_PASSWORD', '12345678', 'adminPassword', '12345678'],
    ['SLUICE_API_KEY', 'a.b_c~d+e/f=g-h0', 'apiKey', 'a.b_c~d+e/f=g-h0'],
    ['SLUICE_ALLOW_ADDRESSES', '10.0.0.0/8,fd00::/8', 'allowAddresses', ['10.0.0.0/8', 'fd00::/8']],
    [
      'SLUICE_DNS_SERVERS',
      '1.1.1.1,1.1.1.1:53,::1,[::1],[::1]:5353',
      'dnsServers',
      ['1.1.1.1', '1.1.1.1:53', '::1', '::1', '[::1]:5353'],
    ],
    ['SLUICE_RETENTION_DAYS', '0.5', 'retentionDays', 0.5],
    ['SLUICE_STORAGE_BYTES', '20GB', 'storageBytes', 20e9],
    ['SLUICE_MEMORY_BYTES', '1.5 GiB', 'memoryBytes', 1.5 * 2 ** 30],
    ['SLUICE_MEMORY_BYTES', '1073741824', 'memoryBytes', 2 ** 30],
    ['SLUICE_DURABILITY', 'Full', 'durability', 'full'],
    [
      'SLUICE_BROWSER_PATH',
      '/usr/bin/chromium, firefox=/opt/a=b/firefox',
      'browserPaths',
      [
        { type: 'chromium', path: '/usr/bin/chromium' },
        { type: 'firefox', path: '/opt/a=b/firefox' },
      ],
    ],
    [
      'SLUICE_BROWSER_PATH',
      '/opt/a=b/chrome',
      'browserPaths',
      [{ type: 'chromium', path: '/opt/a=b/chrome' }],
    ],
    ['SLUICE_BROWSER_SLOTS', '4', 'browserSlots', 4],
    ['SLUICE_BROWSER_WARM', 'false', 'browserWarm', false],
    ['SLUICE_BROWSER_SANDBOX', 'OFF', 'browserSandbox', 'off'],
    ['SLUICE_DRAIN_SECONDS', '0', 'drainSeconds', 0],
    ['SLUICE_METRICS_TOKEN', 'metrics-token-0123', 'metricsToken', 'metrics-token-0123'],
    ['SLUICE_CORS_ORIGINS', '*', 'corsOrigins', { kind: 'any' }],
    [
      'SLUICE_CORS_ORIGINS',
      'https://a.example, http://localhost:3000/',
      'corsOrigins',
      { kind: 'list', origins: ['https://a.example', 'http://localhost:3000'] },
    ],
    ['SLUICE_DIALECTS', 'firecrawl, Zyte', 'dialects', ['firecrawl', 'zyte']],
    ['SLUICE_LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['SLUICE_ALLOW_DIRECT', 'false', 'allowDirect', false],
    ['SLUICE_PROXIES', '', 'allowDirect', true],
    ['SLUICE_NO_SUCH_NAME', ' ', 'allowDirect', true],
    ['PATH', '/bin', 'allowDirect', true],
  ];
  for (const [variable, text, member, value] of good) {
    it(`takes ${variable}=${text}`, () => {
      const { config, problems } = parseConfig({ [variable]: text });
      assert.equal(problems, null);
      assert.deepEqual(config[member], value);
    });
  }

  const bad: [variable: string, text: string, message: RegExp][] = [
    ['SLUICE_HOST', 'http://x', /address or a host name.*got "http:\/\/x"/],
    ['SLUICE_HOST', '1.2.3', /address or a host name/],
    ['SLUICE_PORT', '65536', /from 0 to 65535; got "65536"/],
    ['SLUICE_PORT', '80a', /whole number/],
    ['SLUICE_PORT', '-1', /whole number/],
    ['SLUICE_PORT', '0x50', /whole number/],
    ['SLUICE_DATA_DIR', 'a\0b', /path/],
    ['SLUICE_BASE_URL', 'example.com', /absolute http or https URL/],
    ['SLUICE_BASE_URL', 'ftp://example.com', /absolute http or https URL/],
    ['SLUICE_BASE_URL', 'http://a/?x=1', /query/],
    ['SLUICE_BASE_URL', 'http://a/?', /query/],
    ['SLUICE_BASE_URL', 'http://u:p@a/', /password/],
    ['SLUICE_TRUSTED_PROXIES', 'loopback,nginx', /loopback, linklocal, uniquelocal; got "nginx"/],
    ['SLUICE_SECRET', 'short', /16 to 1024 characters; got 5/],
    ['SLUICE_DATABASE_URL', 'mysql://u:p@h/d', /must be a URL such as postgres:/],
    ['SLUICE_DATABASE_URL', 'postgres://u:p@h', /must be a URL such as postgres:/],
    ['SLUICE_DATABASE_READ_URL', 'postgres://u:p@h/d', /needs SLUICE_DATABASE_URL, too/],
    [
      'SLUICE_ENCRYPTION_KEY',
      `${'A'.repeat(43)}=, short`,
      /openssl.*number 2 is none \(it has 5 characters\)/,
    ],
    ['SLUICE_ADMIN_EMAIL', 'nobody', /e-mail/],
    ['SLUICE_ADMIN_PASSWORD', '1234567', /8 to 1024/],
    ['SLUICE_API_KEY', 'a'.repeat(201), /16 to 200/],
    ['SLUICE_API_KEY', 'has a space in its text', /may only contain/],
    ['SLUICE_ALLOW_ADDRESSES', '10.0.0.0/33, 10.0.0.0/8, x', /10\.0\.0\.0\/33.*got "x"/],
    ['SLUICE_ALLOW_ADDRESSES', 'localhost', /CIDR/],
    ['SLUICE_DNS_SERVERS', 'dns.example', /name servers/],
    ['SLUICE_DNS_SERVERS', '1.1.1.1:0', /1 to 65535/],
    ['SLUICE_DNS_SERVERS', '[1.1.1.1]:53', /name servers/],
    ['SLUICE_DNS_SERVERS', '::1%lo', /name servers/],
    ['SLUICE_RETENTION_DAYS', '0', /above 0/],
    ['SLUICE_RETENTION_DAYS', '1e3', /number/],
    ['SLUICE_RETENTION_DAYS', 'NaN', /number/],
    ['SLUICE_STORAGE_BYTES', '10', /at least 1MB/],
    ['SLUICE_STORAGE_BYTES', '10 apples', /KiB/],
    ['SLUICE_STORAGE_BYTES', '999999999999999TiB', /less than 8192TiB/],
    ['SLUICE_STORAGE_BYTES', '9999999TB', /less than 8192TiB/],
    ['SLUICE_MEMORY_BYTES', '1MB', /at least 16MiB/],
    ['SLUICE_DURABILITY', 'paranoid', /normal, full; got "paranoid"/],
    ['SLUICE_BROWSER_PATH', 'chromium', /absolute paths.*got "chromium"/],
    ['SLUICE_BROWSER_PATH', 'opera=/usr/bin/opera', /one of chromium, chrome, msedge, firefox, webkit/],
    ['SLUICE_BROWSER_SLOTS', '0', /from 1 to 256/],
    ['SLUICE_BROWSER_SANDBOX', 'true', /on, off/],
    ['SLUICE_DRAIN_SECONDS', '-1', /from 0 to 3600/],
    ['SLUICE_PROBE_BUDGET', '-1', /from 0 to 1000000000/],
    ['SLUICE_PROBE_BUDGET', 'on', /from 0 to 1000000000/],
    ['SLUICE_METRICS_TOKEN', 'x', /16 to 200/],
    ['SLUICE_CORS_ORIGINS', 'https://a.example/path', /without a path/],
    ['SLUICE_CORS_ORIGINS', 'null', /origins/],
    ['SLUICE_CORS_ORIGINS', ',', /at least one/],
    ['SLUICE_LOG_LEVEL', 'verbose', /trace, debug/],
    ['SLUICE_ALLOW_DIRECT', 'maybe', /true or false/],
    ['SLUICE_CA_FILE', 'ca.pem', /not read/],
    ['SLUICE_S3_BUCKET', 'contents', /needs SLUICE_S3_ENDPOINT, SLUICE_S3_ACCESS_KEY_ID, SLUICE_S3_SECRET/],
    ['SLUICE_S3_PREFIX', 'a/', /needs SLUICE_S3_ENDPOINT, SLUICE_S3_BUCKET/],
    ['SLUICE_S3_REGOIN', 'x', /did you mean SLUICE_S3_REGION/],
    ['SLUICE_PROT', '1', /did you mean SLUICE_PORT\?/],
    ['SLUICE_API_KEYS', '1', /did you mean SLUICE_API_KEY\?/],
    ['SLUICE_COMPLETELY_DIFFERENT', '1', /is not a setting of this service$/],
    ['SLUICE_SECRET_FILE', '/x', /is not a setting/],
    ['SLUICE_PORT_8080_TCP_ADDR', '10.0.0.1', /enableServiceLinks/],
    ['SLUICE_SERVICE_HOST', '10.0.0.1', /enableServiceLinks/],
    ['SLUICE_REDIS_URL', 'redis://redis', /needs SLUICE_DATABASE_URL, too/],
    ['SLUICE_REDIS_URL', 'http://redis', /must be redis:/],
  ];
  for (const [variable, text, message] of bad) {
    it(`refuses ${variable}=${text.slice(0, 30)}`, () => {
      const { config, problems } = parseConfig({ [variable]: text });
      assert.equal(config, null);
      assert.equal(problems.length, 1);
      assert.equal(problems[0]?.variable, variable);
      assert.match(problems[0]?.message ?? '', message);
    });
  }

  const S3 = {
    SLUICE_S3_ENDPOINT: 'https://s3.example.com/',
    SLUICE_S3_BUCKET: 'contents',
    SLUICE_S3_ACCESS_KEY_ID: 'AKIA',
    SLUICE_S3_SECRET_ACCESS_KEY: SECRET,
  };

  it('takes a group of variables that is complete', () => {
    const { config } = parseConfig({ ...S3, SLUICE_S3_PREFIX: 'a/b' });
    assert.equal(config?.s3Endpoint, 'https://s3.example.com');
    assert.equal(config?.s3Prefix, 'a/b/');
    assert.equal(config?.s3Region, 'us-east-1');
  });

  for (const name of Object.keys(S3))
    it(`refuses the group without ${name}`, () => {
      const { problems } = parseConfig({ ...S3, [name]: '' });
      assert.equal(problems?.length, 1);
      assert.match(problems![0]!.message, new RegExp(`^needs ${name}, too$`));
    });

  it('names wrong values of the group, and no secret', () => {
    const { problems } = parseConfig({ ...S3, SLUICE_S3_PREFIX: '../x', SLUICE_S3_BUCKET: 'a/b' });
    assert.deepEqual(
      problems?.map(({ variable }) => variable),
      ['SLUICE_S3_BUCKET', 'SLUICE_S3_PREFIX'],
    );
    assert.ok(!JSON.stringify(problems).includes(SECRET));
  });

  const OIDC = {
    SLUICE_OIDC_ISSUER: 'https://login.example.com/realms/main/',
    SLUICE_OIDC_CLIENT_ID: 'sluice',
    SLUICE_OIDC_CLIENT_SECRET: SECRET,
  };

  it('takes an OpenID provider; the last slash of the issuer counts', () => {
    const roles = 'cn=chiefs=admin, staff = user';
    const claim = { SLUICE_OIDC_ROLE_CLAIM: 'realm_access.roles', SLUICE_OIDC_ROLES: roles };
    const { config } = parseConfig({ ...OIDC, ...claim });
    assert.equal(config?.oidcIssuer, OIDC.SLUICE_OIDC_ISSUER);
    assert.deepEqual(config?.oidcRoles, [
      { value: 'cn=chiefs', role: 'admin' },
      { value: 'staff', role: 'user' },
    ]);
    for (const issuer of ['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:1/x'])
      assert.equal(parseConfig({ ...OIDC, SLUICE_OIDC_ISSUER: issuer }).problems, null, issuer);
  });

  for (const [name, text, message] of [
    ['SLUICE_OIDC_CLIENT_ID', '', /^needs SLUICE_OIDC_CLIENT_ID, too$/],
    ['SLUICE_OIDC_CLIENT_SECRET', '', /^needs SLUICE_OIDC_CLIENT_SECRET, too$/],
    ['SLUICE_OIDC_ISSUER', 'http://login.example.com', /an https URL, or an http URL of this machine/],
    ['SLUICE_OIDC_ISSUER', 'https://login.example.com/?x', /query/],
    ['SLUICE_OIDC_SCOPES', 'email', /with openid/],
    ['SLUICE_OIDC_ROLES', 'a=admin', /^needs SLUICE_OIDC_ROLE_CLAIM, too$/],
    ['SLUICE_OIDC_NAME', 'x'.repeat(61), /at most 60/],
  ] as const)
    it(`refuses an OpenID provider with ${name}=${text.slice(0, 30)}`, () => {
      const { problems } = parseConfig({ ...OIDC, [name]: text });
      assert.equal(problems?.length, 1);
      assert.match(problems![0]!.message, message);
    });

  it('refuses roles that there are not', () => {
    const claim = { SLUICE_OIDC_ROLE_CLAIM: 'groups', SLUICE_OIDC_ROLES: 'staff=owner' };
    const { problems } = parseConfig({ ...OIDC, ...claim });
    assert.match(problems![0]!.message, /one of admin, user, viewer; got "staff=owner"/);
  });

  it('names every wrong variable at once', () => {
    const { problems } = parseConfig({
      SLUICE_PORT: 'x',
      SLUICE_HOST: '::1',
      SLUICE_LOG_LEVEL: 'x',
      SLUICE_FOO: 'x',
    });
    assert.deepEqual(
      problems?.map((problem) => problem.variable),
      ['SLUICE_PORT', 'SLUICE_LOG_LEVEL', 'SLUICE_FOO'],
    );
  });

  it('takes a secret from its file', () => {
    const { config } = parseConfig(
      { SLUICE_API_KEY_FILE: '/run/key', SLUICE_CA_FILE: 'ca.pem' },
      {
        SLUICE_API_KEY_FILE: { text: `${SECRET}\n`, error: null },
        SLUICE_CA_FILE: { text: CERTIFICATE, error: null },
      },
    );
    assert.equal(config?.apiKey, SECRET);
    assert.equal(config?.ca, CERTIFICATE);
  });

  it('refuses a file that is missing, empty, or given beside the value', () => {
    const env = { SLUICE_API_KEY_FILE: 'a', SLUICE_ADMIN_PASSWORD_FILE: 'b', SLUICE_CA_FILE: 'c' };
    const { problems } = parseConfig(env, {
      SLUICE_API_KEY_FILE: { text: null, error: 'ENOENT' },
      SLUICE_ADMIN_PASSWORD_FILE: { text: ' \n', error: null },
      SLUICE_CA_FILE: { text: 'not a certificate', error: null },
    });
    assert.deepEqual(
      problems?.map(({ variable, message }) => `${variable} ${message.slice(0, 40)}`),
      [
        'SLUICE_ADMIN_PASSWORD_FILE must name a file that is not empty',
        'SLUICE_API_KEY_FILE must name a readable file; ENOENT',
        'SLUICE_CA_FILE must name a file with certificates in PE',
      ],
    );
    const both = parseConfig({ SLUICE_API_KEY: SECRET, SLUICE_API_KEY_FILE: 'a' });
    assert.match(both.problems?.[0]?.message ?? '', /together with SLUICE_API_KEY_FILE/);
  });

  it('never throws, and never tells a secret', () => {
    const name = fc.oneof(
      fc.constantFrom(...Object.values(VARIABLES).map((variable) => variable.name)),
      fc.string().map((text) => `SLUICE_${text}`),
    );
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(fc.string(), fc.webUrl(), fc.ipV6())), (env) => {
        const { config, problems } = parseConfig(env);
        assert.equal(config === null, problems !== null);
      }),
    );
    const secrets = Object.values(VARIABLES).filter((variable) => 'secret' in variable);
    assert.equal(secrets.length, 15);
    for (const { name } of secrets) {
      const { problems } = parseConfig({ [name]: 'hunter2 hunter2 hunter2'.repeat(50) });
      assert.doesNotMatch(problems?.[0]?.message ?? 'hunter2', /hunter2/);
    }
  });

  it('has a row of documentation for every variable', () => {
    const rows = configTable();
    assert.equal(rows.length, Object.keys(VARIABLES).length);
    assert.deepEqual(rows[1], {
      name: 'SLUICE_PORT',
      fallback: '`8080`',
      doc: 'Port to listen on. `0`: any free port.',
    });
    assert.ok(rows.every((row) => row.doc.endsWith('.') && row.fallback !== ''));
    assert.ok(rows.some((row) => row.name === 'SLUICE_API_KEY[_FILE]'));
  });
});
