import type { ProxyType } from '../../domain/job.ts';
import { notAvailable, type Problems, wrong } from '../schema/problems.ts';
import { asksFor } from './asks-for.ts';
import { DEFAULT_SESSION_TTL_S, PROXY_WORDS, type ProxyAsk, type ProxyObject } from './proxy-schema.ts';

const PROXY_URL = /^(https?|socks5h?):\/\//i;

/** The proxy type asked for. What is given is never quoted: it may hold a password. */
export function readProxy(ask: ProxyAsk | undefined, problems: Problems): ProxyType {
  if (ask === undefined) return 'datacenter';
  if (typeof ask !== 'string') return readObject(ask, problems);
  const word = PROXY_WORDS.find((one) => one === ask);
  if (word !== undefined) return word;
  if (!PROXY_URL.test(ask)) {
    wrong(
      problems,
      '/proxy',
      `must be ${PROXY_WORDS.join(', ')} or a proxy URL (http://, https://, socks5://, socks5h://)`,
    );
  } else if (!URL.canParse(ask)) wrong(problems, '/proxy', 'is not a valid proxy URL');
  else notAvailable(problems, '/proxy', 'as a URL');
  return 'datacenter';
}

function readObject(ask: ProxyObject, problems: Problems): ProxyType {
  for (const [name, value] of Object.entries(ask)) {
    if (name === 'type') {
      if (value === 'custom') notAvailable(problems, '/proxy/type', '(custom)');
    } else if (asksFor(value) && !isDefault(name, value)) notAvailable(problems, `/proxy/${name}`);
  }
  return (ask.type as ProxyType | undefined) ?? 'datacenter';
}

function isDefault(name: string, value: unknown): boolean {
  return name === 'rotate'
    ? value === 'per_attempt'
    : name === 'session_ttl_s' && value === DEFAULT_SESSION_TTL_S;
}
