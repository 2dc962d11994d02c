import { bare, ordinary } from '../a-page.ts';
import type { Examples } from './example.ts';

export const SITE_EXAMPLES: Examples = {
  'google/sorry': {
    for: {
      status: 429,
      url: 'https://www.google.com/search?q=a',
      final: 'https://www.google.com/sorry/index?continue=x',
      body: ordinary(),
    },
    against: { url: 'https://www.google.com/search?q=sorry', body: ordinary() },
  },
  'google/unusual-traffic': {
    for: {
      status: 429,
      body: bare('', '<p>Our systems have detected unusual traffic from your computer network.</p>'),
    },
    against: {
      body: ordinary({ body: '<p>It said “unusual traffic from your computer network”.</p>' }),
    },
  },
  'amazon/validate-captcha': {
    for: {
      url: 'https://www.amazon.com/dp/B0',
      body: bare(
        'Amazon.com',
        '<form action="/errors/validateCaptcha"><p>Type the characters you see.</p></form>',
      ),
    },
    against: { url: 'https://www.amazon.com/dp/B0', body: ordinary({ title: 'Kettle, 1.5 l' }) },
  },
  'amazon/automated-access': {
    for: {
      status: 503,
      body: bare(
        '503',
        '<!-- To discuss automated access write to api-services-support@amazon.com --><p>Sorry!</p>',
      ),
    },
    against: {
      status: 503,
      kind: 'error_page',
      body: bare('503', '<p>Sorry! We are down for a minute.</p>'),
    },
  },
  'linkedin/authwall': {
    for: {
      url: 'https://www.linkedin.com/in/somebody',
      final: 'https://www.linkedin.com/authwall?trk=x',
      body: ordinary(),
    },
    against: {
      url: 'https://www.linkedin.com/uas/login',
      final: 'https://www.linkedin.com/uas/login?x',
      body: ordinary(),
    },
  },
  'linkedin/999': {
    for: { status: 999, url: 'https://www.linkedin.com/in/somebody', body: bare('', '<p>…</p>') },
    against: { url: 'https://www.linkedin.com/company/a', body: ordinary() },
  },
  'meta/login': {
    for: {
      url: 'https://www.instagram.com/somebody/',
      final: 'https://www.instagram.com/accounts/login/?next=x',
      body: ordinary(),
    },
    against: { url: 'https://www.instagram.com/somebody/', body: ordinary() },
  },
  'reddit/network-security': {
    for: {
      status: 403,
      body: bare('Blocked', '<p>You have been blocked by network security. Log in, or file a ticket.</p>'),
    },
    against: { body: ordinary({ body: '<p>whoa there, pardner, the old page said</p>' }) },
  },
};
