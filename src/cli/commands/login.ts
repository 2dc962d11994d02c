import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Login, loginPath, readLogin, writeLogin } from '../../config/login-file.ts';
import { baseUrl } from '../../config/parsers.ts';
import { ApiError } from '../core/api-client.ts';
import { CommandError, type RunCommand, WRONG_USAGE } from '../core/command.ts';
import { INTERRUPTED, remoteApi } from '../core/connect.ts';

/** Asks for a service and a key, checks both, and stores them. */
export const login: RunCommand = async ({ values, flags }, io) => {
  if (flags.has('remove')) {
    writeLogin(null);
    io.out(`${loginPath()} is deleted`);
    return 0;
  }
  const given = values.get('url') ?? io.config().remoteUrl;
  const { entered, key } = process.stdin.isTTY ? await askBoth(given) : await readKey(given);
  const url = baseUrl(entered);
  if (url.problem !== null) throw new CommandError(`the URL ${url.problem}`, WRONG_USAGE);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new CommandError('the API key is missing, or has blanks', WRONG_USAGE);
  const version = await check({ url: url.value, key });
  writeLogin({ url: url.value, key });
  io.out(`${url.value} is Sluice ${version}, and the key works. Stored in ${loginPath()}`);
  return 0;
};

interface Entered {
  readonly entered: string;
  readonly key: string;
}

/** @param url null: not given */
async function askBoth(url: string | null): Promise<Entered> {
  using prompt = openPrompt();
  const known = storedUrl();
  const entered = url ?? (await prompt.ask(`URL of the service${known === '' ? '' : ` [${known}]`}: `));
  return { entered: entered === '' ? known : entered, key: await prompt.ask('API key: ', true) };
}

/** The key is the first line of standard input. */
async function readKey(url: string | null): Promise<Entered> {
  if (url === null) throw new CommandError('--url is missing', WRONG_USAGE);
  return { entered: url, key: (await text(process.stdin)).split(/\r?\n/, 1)[0] ?? '' };
}

/** Of the file that is overwritten; empty if it cannot be read. */
function storedUrl(): string {
  try {
    return readLogin()?.url ?? '';
  } catch {
    return '';
  }
}

/** @returns the version of the service @throws CommandError if there is no service, or the key does not work */
export async function check(service: Login): Promise<string> {
  const api = remoteApi(service);
  const signal = AbortSignal.timeout(CHECK_MS);
  try {
    const { version } = await api.call<{ readonly version: string }>('GET', '/api/v1/version/', {
      signal,
      once: true,
    });
    // A key without the scope `read` is a good key, too.
    await api.call('GET', '/api/v1/scrape/?limit=1', { signal, once: true }).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.errors[0]?.code !== 'auth.scope') throw error;
    });
    return version;
  } catch (error) {
    if (signal.aborted)
      throw new CommandError(`${service.url} cannot be reached within ${CHECK_MS / 1_000} s`);
    throw error;
  }
}

const CHECK_MS = 10_000;

/** Asks questions on the terminal, one after the other. Must be disposed. */
function openPrompt() {
  let isSecret = false;
  const output = new Writable({
    write(chunk, _encoding, done) {
      if (!isSecret) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  const lines = terminal[Symbol.asyncIterator]();
  // Without a listener, Ctrl+C would only pause the input.
  terminal.on('SIGINT', () => terminal.close());
  return {
    /** @param secret what is typed is not shown @throws CommandError at Ctrl+C and Ctrl+D */
    async ask(question: string, secret = false): Promise<string> {
      terminal.setPrompt(question);
      terminal.prompt();
      isSecret = secret;
      const { value, done } = await lines.next();
      isSecret = false;
      if (secret) process.stderr.write('\n');
      if (done === true) throw new CommandError('nothing was stored', INTERRUPTED);
      return value.trim();
    },
    [Symbol.dispose]: () => terminal.close(),
  };
}
