import { type Failure, failure } from '../../../../domain/failure.ts';

const SHOWN_CHARACTERS = 300;

/**
 * What kept a browser from starting, from its last words. `browser.unavailable` is what stays so until somebody changes
 * the machine or the settings; all else is `browser.down`.
 */
export function launchTrouble(name: string, sandbox: boolean, lastWords: string, cause: string): Failure {
  if (sandbox && /No usable sandbox|SUID sandbox helper|FATAL:.*zygote_host_impl_linux/.test(lastWords)) {
    return failure(
      'browser.unavailable',
      `${name} cannot use its sandbox: this machine forbids user namespaces to it. Allow them (sysctl ` +
        'user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns, or the seccomp profile of the ' +
        'container), or set SLUICE_BROWSER_SANDBOX=off.',
    );
  }
  const library = /error while loading shared libraries: ([^\s:]+)/.exec(lastWords)?.[1];
  if (library !== undefined) {
    return failure(
      'browser.unavailable',
      `${name} cannot be loaded: the library ${library} is not installed.`,
    );
  }
  const short = shortOf(`${cause}\n${lastWords}`);
  if (short !== null) return failure('browser.down', `${name} did not start: ${short}`);
  const last = lastWords.trim().split('\n').at(-1)?.slice(-SHOWN_CHARACTERS) ?? '';
  return failure('browser.down', `${name} did not start: ${cause}${last === '' ? '' : ` (${last})`}.`);
}

/** What the machine has not enough of, and what to do; null: nothing of the kind is said. */
function shortOf(words: string): string | null {
  if (/\b(?:EMFILE|ENFILE)\b|Too many open files/.test(words))
    return 'there are no file descriptors left: raise the limit of open files (ulimit -n, LimitNOFILE).';
  if (/\b(?:EAGAIN|ENOMEM)\b|Resource temporarily unavailable|Cannot allocate memory/.test(words))
    return 'out of memory or processes: raise the limits of the container or the user (pids, memory).';
  if (/dev\/shm/.test(words) && /No space left on device|Permission denied|ENOSPC/.test(words))
    return 'there is no shared memory left: give /dev/shm 512 MB or more (shm_size).';
  if (/\bENOSPC\b|No space left on device/.test(words)) return 'the disk with its profile is full.';
  return null;
}
