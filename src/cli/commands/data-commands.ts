import { DEFAULT_SCOPES, SCOPES } from '../../domain/account.ts';
import { USER_LIMIT_NAMES } from '../../domain/user-limits.ts';
import type { CommandSpec, Flag } from '../core/command.ts';
import { JSON_FLAG } from '../core/flags.ts';

const LINES: Flag = { ...JSON_FLAG, doc: 'A line of JSON each instead of text.' };

const REMOTE: Flag = {
  name: 'remote',
  doc: 'At the service of SLUICE_URL or sluice login, instead of in the data folder; its key needs the scope admin.',
};

const EMAIL: Flag = { name: 'email', value: 'E', doc: 'E-mail of the user.' };

const USER_SETTINGS: readonly Flag[] = [
  { name: 'password', value: 'P', doc: 'The password; - reads it from standard input.' },
  {
    name: 'role',
    value: 'R',
    doc: 'admin, user (default) or viewer, who reads everything and changes nothing.',
  },
  { name: 'admin', doc: 'The same as --role admin.' },
  {
    name: 'concurrency',
    value: 'N',
    doc: 'How many requests the user may have in flight at once; default: 50. The word default restores it.',
  },
  {
    name: 'limits',
    value: 'L',
    doc: `Such as job_concurrency=40,streams=default; names: ${USER_LIMIT_NAMES.join(', ')}.`,
  },
];

const USERS: CommandSpec = {
  name: 'users',
  summary: 'manages users',
  verbs: [
    {
      name: 'create',
      summary: 'creates a user and prints the id',
      flags: [EMAIL, ...USER_SETTINGS, REMOTE],
      load: async () => (await import('./users.ts')).createUser,
    },
    {
      name: 'set',
      summary: 'changes a user',
      flags: [
        EMAIL,
        ...USER_SETTINGS,
        { name: 'no-admin', doc: 'The same as --role user.' },
        { name: 'disable', doc: 'The user cannot sign in, and the keys do not work.' },
        { name: 'enable', doc: 'Ends --disable.' },
        REMOTE,
      ],
      load: async () => (await import('./users.ts')).setUser,
    },
    {
      name: 'list',
      summary: 'lists users',
      flags: [LINES, REMOTE],
      load: async () => (await import('./users.ts')).listUsers,
    },
    {
      name: 'reset-second-factor',
      summary: 'removes the second factor of a user who has lost it',
      flags: [EMAIL, REMOTE],
      load: async () => (await import('./users.ts')).resetSecondFactor,
    },
    {
      name: 'link',
      summary: 'prints a link that sets the password; it works once, for 24 hours',
      flags: [{ ...EMAIL, doc: 'May be left out if there is only one administrator.' }, REMOTE],
      load: async () => (await import('./users.ts')).linkUser,
    },
  ],
};

const KEYS: CommandSpec = {
  name: 'keys',
  summary: 'manages API keys',
  verbs: [
    {
      name: 'create',
      summary: 'creates a key and prints only the key',
      flags: [
        {
          name: 'user',
          value: 'E',
          doc: 'E-mail or id of the user; with --remote, the key is for your own.',
        },
        { name: 'name', value: 'N', doc: 'Name of the key.' },
        {
          name: 'scope',
          value: 'S',
          many: true,
          choices: SCOPES,
          doc: `What the key may do: ${SCOPES.join(', ')}. Can be given several times (default: ${DEFAULT_SCOPES.join(', ')}).`,
        },
        { name: 'test', doc: 'A test key: it may scrape test hosts (*.sluice.test) alone.' },
        REMOTE,
      ],
      load: async () => (await import('./keys.ts')).createKey,
    },
    {
      name: 'list',
      summary: 'lists keys',
      flags: [{ name: 'user', value: 'E', doc: 'Only keys of this user.' }, LINES, REMOTE],
      load: async () => (await import('./keys.ts')).listKeys,
    },
    {
      name: 'revoke',
      summary: 'revokes a key; a running service notices within a second',
      words: ['ID'],
      flags: [REMOTE],
      load: async () => (await import('./keys.ts')).revokeKey,
    },
  ],
};

const SECRETS: CommandSpec = {
  name: 'secrets',
  summary: 'manages the keys that encrypt stored secrets',
  verbs: [
    {
      name: 'list',
      summary: 'lists the encryption keys, and how many stored values need each',
      load: async () => (await import('./secrets.ts')).listSecrets,
    },
    {
      name: 'rotate',
      summary: 'encrypts all stored values with the newest key; can be repeated if it was interrupted',
      flags: [{ name: 'new-key', doc: 'First creates a key in the data folder; stop the service before.' }],
      notes: [
        'With SLUICE_ENCRYPTION_KEY: put the new key before the others, restart the service, then rotate. Older keys can be removed when "sluice secrets list" shows that nothing needs them, but backups may still need them.',
      ],
      load: async () => (await import('./secrets.ts')).rotateSecrets,
    },
    {
      name: 'forget',
      summary: 'deletes what was encrypted with a lost key: jobs with their items, webhooks',
      words: ['ID'],
      load: async () => (await import('./secrets.ts')).forgetSecrets,
    },
  ],
};

/** Commands for the operator of a service: they work on its data folder and configuration. */
export const DATA_COMMANDS: readonly CommandSpec[] = [
  USERS,
  KEYS,
  SECRETS,
  {
    name: 'ca',
    summary: 'prints the certificate of the proxy port (SLUICE_PROXY_PORT) as PEM, for clients to trust',
    flags: [{ name: 'new', doc: 'First makes a new one, which a service uses from its next start on.' }],
    notes: [
      'The certificate and its key are created at the first start with a proxy port, or by this command.',
    ],
    load: async () => (await import('./ca.ts')).ca,
  },
  {
    name: 'migrate',
    summary: 'updates the database for this version, and does at once what a service does in the background',
    notes: [
      'A service does the same by itself: it updates the database at its start, and goes on with older records while it runs. An interrupted command can be repeated. This cannot be undone: run sluice backup with the old version before.',
    ],
    load: async () => (await import('./migrate.ts')).migrate,
  },
  {
    name: 'copy',
    summary: 'copies a data folder to PostgreSQL, and its large contents also to S3; stop the service first',
    flags: [
      { name: 'from', value: 'FOLDER', doc: 'The data folder; default: that of SLUICE_DATA_DIR.' },
      {
        name: 'to',
        value: 'URL',
        doc: 'The database, which must be empty; default: SLUICE_DATABASE_URL, which other users of the machine cannot see.',
      },
    ],
    notes: [
      'If it was interrupted, run it again: it goes on where it was. At the end it compares all rows and contents. Until then no service starts on the database. The data folder stays as it is.',
      'Large contents are copied to the bucket of SLUICE_S3_ENDPOINT, if it is set, else to the database.',
    ],
    load: async () => (await import('./copy.ts')).copy,
  },
  {
    name: 'backup',
    summary: 'writes all data to one file; works while the service runs',
    words: ['FILE'],
    notes: ['FILE must not exist.'],
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'replaces the data with a backup; stop the service first',
    words: ['FILE'],
    flags: [
      { name: 'force', doc: 'Even if there is data already; the old database is kept next to the new one.' },
    ],
    notes: [
      'Restores the state at the time of the backup: keys that were revoked since then work again, and so do sessions that were ended. See sluice keys list and sluice keys revoke.',
    ],
    load: async () => (await import('./backup.ts')).restore,
  },
  {
    name: 'login',
    summary: 'stores the URL and the key of a service, which commands then use',
    flags: [
      { name: 'url', value: 'URL', doc: 'Base URL of the service; otherwise the command asks for it.' },
      { name: 'remove', doc: 'Deletes what is stored.' },
    ],
    notes: [
      'Asks for URL and API key, checks them, and stores them in $XDG_CONFIG_HOME/sluice/login.json (default: ~/.config), which only you can read. If standard input is no terminal, its first line is the key.',
      'SLUICE_URL and SLUICE_KEY win over what is stored.',
    ],
    load: async () => (await import('./login.ts')).login,
  },
  {
    name: 'doctor',
    summary: 'checks this machine, the configuration and the service',
    flags: [LINES],
    notes: [
      'Each line says ok, warn or fail, and what to do. Exit code 1 if something fails. With a service of SLUICE_URL or sluice login, that one is checked, too.',
    ],
    load: async () => (await import('./doctor.ts')).doctor,
  },
];
