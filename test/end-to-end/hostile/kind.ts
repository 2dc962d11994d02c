import type { IncomingMessage, ServerResponse } from 'node:http';

/** A hostile page, the request for it, and the responses that are allowed. */
export interface Kind {
  readonly name: string;
  readonly page: Route;
  /** Members of the request. */
  readonly ask?: Readonly<Record<string, unknown>>;
  /** Only in long runs, because other pages are similar. */
  readonly long?: true;
  /** Allowed responses; default: a page that contains `before`, complete or not. */
  readonly answers?: readonly Answer[];
}

/** `page`: 200 with the text `before`, `empty`: 200 without content, `other`: 200 with any content; else an error code. */
export type Answer = 'page' | 'empty' | 'other' | 'browser.crashed' | 'timeout.total';
export type Route = (request: IncomingMessage, response: ServerResponse) => void;

export const HTML = { 'content-type': 'text/html; charset=utf-8' };
export const BEFORE = '<!doctype html><title>t</title><p id="before">before</p>';

/** A page with some text, followed by this HTML. */
export const page =
  (text: string, headers: Readonly<Record<string, string>> = {}): Route =>
  (_, response) =>
    void response.writeHead(200, { ...HTML, ...headers }).end(BEFORE + text);
export const script = (text: string): Route => page(`<script>${text}</script>`);
/** After the page has loaded, and a little later. */
export const later = (text: string, ms = 0): Route =>
  script(`addEventListener('load', () => setTimeout(() => { ${text} }, ${ms}))`);

/** Sends pieces until the other side closes the connection. */
export function endless(response: ServerResponse, piece: string): void {
  const timer = setInterval(() => response.write(piece), 20);
  response.on('close', () => clearInterval(timer));
}

export const PAGE_OR_TIME: readonly Answer[] = ['page', 'timeout.total'];
export const PAGE_OR_CRASH: readonly Answer[] = ['page', 'browser.crashed', 'timeout.total'];
