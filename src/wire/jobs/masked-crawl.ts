import { maskedRequestJson } from '../request/masked-request.ts';
import type { CrawlRequestBody } from './crawl-request.ts';

const masked = (members: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(maskedRequestJson(members));

/** A crawl as the caller wrote it, as JSON text with masked secrets. Start URLs have none. */
export function maskedCrawlJson({ request, rules, ...body }: CrawlRequestBody): string {
  return JSON.stringify({
    ...(masked(body) as object),
    ...(request === undefined ? {} : { request: masked(request) }),
    ...(rules === undefined
      ? {}
      : { rules: rules.map((rule) => ({ ...rule, request: masked(rule.request) })) }),
  });
}
