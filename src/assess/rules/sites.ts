import type { Rule } from '../rule.ts';
import { TELLS_OF } from './about.ts';

/** Single large sites that everybody scrapes and that have walls of their own. */
export const SITES: readonly Rule[] = [
  {
    id: 'google/sorry',
    kind: 'captcha',
    failed: 'ip',
    confidence: 0.99,
    when: { landed: /^https?:\/\/(?:www|ipv[46])\.google\.[a-z.]{2,6}\/sorry\// },
  },
  {
    id: 'google/unusual-traffic',
    kind: 'captcha',
    failed: 'ip',
    confidence: 0.95,
    when: {
      status: [200, 403, 429, 503],
      text: /(?<!["“„«‘'])our systems have detected unusual traffic from your computer network/i,
      unless: TELLS_OF,
      short: 1500,
      links: 6,
    },
  },
  {
    id: 'amazon/validate-captcha',
    kind: 'captcha',
    failed: 'ip',
    confidence: 0.97,
    when: { html: /\/errors\/validateCaptcha|csm-captcha-instrumentation/, short: 600 },
  },
  {
    id: 'amazon/automated-access',
    kind: 'block',
    failed: 'ip',
    confidence: 0.95,
    when: { status: [503], html: /api-services-support@amazon\.com/, short: 600 },
  },
  {
    id: 'linkedin/authwall',
    kind: 'wall',
    failed: 'wall',
    wall: 'login',
    confidence: 0.97,
    when: { landed: /^https?:\/\/[a-z.]{0,20}linkedin\.com\/(?:authwall|checkpoint|uas\/login)/ },
  },
  {
    id: 'linkedin/999',
    kind: 'block',
    failed: 'fingerprint',
    confidence: 0.93,
    when: { status: [999] },
  },
  {
    id: 'meta/login',
    kind: 'wall',
    failed: 'wall',
    wall: 'login',
    confidence: 0.95,
    when: { landed: /^https?:\/\/[a-z.]{0,20}(?:instagram|facebook)\.com\/(?:accounts\/)?login/ },
  },
  {
    id: 'reddit/network-security',
    kind: 'block',
    failed: 'ip',
    confidence: 0.96,
    when: {
      status: [200, 403, 429],
      text: /(?:been|was) blocked (?:by network security|due to a network policy)/i,
      short: 1200,
      links: 8,
    },
  },
];
