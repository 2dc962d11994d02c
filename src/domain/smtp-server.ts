/** The mail server of the operator, as `SLUICE_SMTP_URL` names it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte (`smtps:`). Otherwise STARTTLS is used if the server offers it. */
  readonly isTls: boolean;
  /** null: no login. */
  readonly login: { readonly user: string; readonly password: string } | null;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** @returns what is wrong, without the value: it may contain a password */
export function parseSmtpUrl(text: string): SmtpServer | string {
  const expected = 'must be a URL such as smtp://user:password@mail.example.com:587 or smtps://…:465';
  const url = URL.parse(text);
  const defaultPort = PORTS[url?.protocol ?? ''];
  if (url === null || defaultPort === undefined || url.hostname === '') return expected;
  if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '')
    return `${expected}, without a path and parameters`;
  if ((url.username === '') !== (url.password === '')) return `${expected}: a user needs a password`;
  try {
    return Object.freeze({
      host: decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? defaultPort : Number(url.port),
      isTls: url.protocol === 'smtps:',
      login:
        url.username === ''
          ? null
          : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) },
    });
  } catch {
    return `${expected}; in user and password, a percent sign is written %25`;
  }
}
