import type { IncomingMessage, ServerResponse } from 'node:http';

/** A page that does its worst, and what is asked of it beside the page. */
export interface Kind {
  readonly name: string;
  readonly page: Route;
  /** Members of the request. */
  readonly ask?: Readonly<Record<string, unknown>>;
  /** Only in long runs: others are much like it. */
  readonly long?: true;
  /** What may be answered; by default a page with `before` in it, also when it is not whole. */
  readonly answers?: readonly Answer[];
}

/** `page`: 200 with what there was, `empty`: with nothing, `other`: with anything; else the code of the failure. */
export type Answer = 'page' | 'empty' | 'other' | 'browser.crashed' | 'timeout.total';
export type Route = (request: IncomingMessage, response: ServerResponse) => void;

export const HTML = { 'content-type': 'text/html; charset=utf-8' };
export const BEFORE = '<!doctype html><title>t</title><p id="before">before</p>';

/** A page with some text, and then this. */
export const page =
  (text: string, headers: Readonly<Record<string, string>> = {}): Route =>
  (_, response) =>
    void response.writeHead(200, { ...HTML, ...headers }).end(BEFORE + text);
export const script = (text: string): Route => page(`<script>${text}</script>`);
/** After the page has loaded, and a little later. */
export const later = (text: string, ms = 0): Route =>
  script(`addEventListener('load', () => setTimeout(() => { ${text} }, ${ms}))`);

/** Sends pieces for as long as somebody takes them. */
export function endless(response: ServerResponse, piece: string): void {
  const timer = setInterval(() => response.write(piece), 20);
  response.on('close', () => clearInterval(timer));
}

export const PAGE_OR_TIME: readonly Answer[] = ['page', 'timeout.total'];
export const PAGE_OR_CRASH: readonly Answer[] = ['page', 'browser.crashed', 'timeout.total'];
