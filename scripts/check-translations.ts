/**
 * Part of `npm run check`: the texts of the dashboard and their catalogs.
 * - Each text of the sources is in each catalog, and nothing else.
 * - A language that is offered (`complete` in dashboard/src/i18n/languages.ts) has all translations.
 * - A translation has the placeholders and elements of its text.
 * - The titles and the advice of the service, the reasons of the router, the descriptions of the members of a request, and the signals of verdicts are translated.
 * - The small compiler of English texts returns what Lingui's own one does.
 * - No text of JSX or of an attribute such as `title` is outside of `Trans` and `t`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { formatter } from '@lingui/format-po';
import { compileMessage as compileByLingui } from '@lingui/message-utils/compileMessage';
import { extractMessagesFromFiles } from '@lingui/native-tools';
import ts from 'typescript';
import { compileMessage } from '../dashboard/src/i18n/compile-message.ts';
import { TRANSLATIONS } from '../dashboard/src/i18n/languages.ts';
import { labelOf } from '../dashboard/src/pages/playground/model/labels.ts';
import { RULES } from '../src/assess/match-rules.ts';
import { FAILURES, WARNINGS } from '../src/domain/failure.ts';
import { DEFENSE_REASONS, ENDING_WORDS, REASON_TEMPLATES, REASONS } from '../src/router/reasons.ts';

const folder = join(import.meta.dirname, '../dashboard/src');
const files = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !/\.(?:gen|d)\.ts$/.test(file));

function fail(message: string): void {
  console.error(message);
  process.exitCode = 1;
}

const { messages, warnings } = await extractMessagesFromFiles(files.map((file) => join(folder, file)));
for (const warning of warnings) fail(warning);
const texts = new Map(messages.map(({ id, message = id }) => [id, message]));

for (const text of texts.values()) {
  if (!isDeepStrictEqual(normalised(compileMessage(text)), normalised(compileByLingui(text))))
    fail(`dashboard/src/i18n/compile-message.ts cannot compile this text: ${text}`);
}

/** Without members that are undefined. */
function normalised(tokens: unknown): unknown {
  return JSON.parse(JSON.stringify(tokens));
}

for (const { code, complete } of TRANSLATIONS) {
  const name = `dashboard/src/locales/${code}.po`;
  const content = readFileSync(join(folder, 'locales', `${code}.po`), 'utf8');
  const catalog = await formatter().parse(content, { locale: code, sourceLocale: 'en', filename: name });
  const missing = [...texts].filter(([id]) => catalog[id] === undefined || catalog[id].obsolete);
  const superfluous = Object.entries(catalog).filter(([id]) => !texts.has(id));
  if (missing.length + superfluous.length > 0)
    fail(
      `${name}: ${missing.length} texts are missing, ${superfluous.length} are not in the sources; ` +
        'run `npx lingui extract --clean` in dashboard/',
    );
  for (const [id, text] of texts) {
    const translation = catalog[id]?.translation ?? '';
    if (translation === '') {
      if (complete) fail(`${name}: no translation of ${text}`);
    } else if (placeholdersOf(text) !== placeholdersOf(translation))
      fail(`${name}: other placeholders than in ${text}: ${translation}`);
  }
}

/** The descriptions and labels of the members of a scrape request that the playground shows. */
function fieldTexts(): ReadonlySet<string> {
  const { components } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'),
  ) as { readonly components: { readonly schemas: Readonly<Record<string, object>> } };
  const found = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (schema: unknown, name = ''): void => {
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) return;
    seen.add(schema);
    const { description, $ref, ...members } = schema as {
      readonly description?: unknown;
      readonly $ref?: string;
      readonly properties?: Readonly<Record<string, { readonly const?: unknown }>>;
    };
    if (typeof description === 'string') found.add(description.replace(/ ?\bBrowser only\.$/, ''));
    // They are edited as a whole.
    if (name === 'cookies' || name === 'storage_state') return;
    for (const [member, { const: tag }] of Object.entries(members.properties ?? {}))
      for (const one of [member, tag]) if (typeof one === 'string') found.add(labelOf(one).label);
    if ($ref !== undefined) visit(components.schemas[$ref.split('/').at(-1)!]);
    for (const [member, value] of Object.entries(members))
      if (!/^(?:examples?|default|enum)$/.test(member)) visit(value, member);
  };
  visit(components.schemas.ScrapeRequest);
  found.delete('');
  return found;
}

// What the service says, by its English texts.
const serviceTexts = new Set<string>([
  ...Object.values(FAILURES).flatMap(({ title, help }) => [title, help]),
  ...Object.values(WARNINGS),
  ...Object.values(REASONS).filter((reason) => reason !== REASONS.named),
  ...REASON_TEMPLATES,
  ...DEFENSE_REASONS,
  ...ENDING_WORDS,
]);
const codeSpans = (text: string) => (text.match(/`[^`]+`/g) ?? []).sort().join(' ');
for (const [kind, texts] of [
  ['service', serviceTexts],
  ['fields', fieldTexts()],
] as const)
  for (const { code } of TRANSLATIONS) {
    const name = `dashboard/src/locales/${kind}/${code}.json`;
    const content = readFileSync(join(folder, 'locales', kind, `${code}.json`), 'utf8');
    const found = JSON.parse(content) as Record<string, string>;
    for (const text of texts) {
      const translation = found[text] ?? '';
      if (translation === '') fail(`${name}: no translation of ${text}`);
      else if (codeSpans(text) !== codeSpans(translation))
        fail(`${name}: other words in backticks than in ${text}: ${translation}`);
    }
    for (const text of Object.keys(found))
      if (!texts.has(text)) fail(`${name}: the service does not say ${text}`);
  }

// What the signals of verdicts say. A signal that is not listed is a page of the maker that its first part names.
const meanings = [
  ...readFileSync(join(folder, 'result/route/signal-text.ts'), 'utf8').matchAll(/^ {2}'([\w/-]+)': t`/gm),
].map(([, begin]) => begin!);
const families = new Set(meanings.map((begin) => begin.split('/')[0]));
const ofAssess = readFileSync(join(import.meta.dirname, '../src/assess/assess.ts'), 'utf8');
const signals = [
  ...RULES.map(({ id }) => id),
  ...[...ofAssess.matchAll(/'((?:script|status)\/[\w-]+)'/g)].map(([, signal]) => signal!),
];
for (const signal of signals)
  if (families.has(signal.split('/')[0]) && !meanings.some((begin) => signal.startsWith(begin)))
    fail(`dashboard/src/result/route/signal-text.ts does not say what ${signal} means`);
for (const begin of meanings.filter((name) => /^(?:phrase|words|wall|firewall|queue)\//.test(name)))
  if (!signals.some((signal) => signal.startsWith(begin)))
    fail(`dashboard/src/result/route/signal-text.ts: no signal begins with ${begin}`);

/** The names of placeholders and elements, sorted: `<0> count`. */
function placeholdersOf(text: string): string {
  const names = new Set(text.match(/<\/?\d+\/?>/g));
  const add = (tokens: unknown): void => {
    if (!Array.isArray(tokens)) return;
    for (const token of tokens) {
      if (!Array.isArray(token)) continue;
      names.add(token[0]);
      for (const part of Object.values(token[2] ?? {})) add(part);
    }
  };
  add(compileByLingui(text));
  return [...names].sort().join(' ');
}

/** Names, units and the like, which are the same in all languages. */
const SAME_IN_ALL = /^(?:Sluice|JSON|HTTP|URL|curl|p95|p99|px|ms|s|GB)$/;
const TEXT_ATTRIBUTES =
  /^(?:title|label|placeholder|description|aria-label|alt|caption|unit|confirmLabel|submitLabel)$/;
/** Examples of values in `placeholder`: URLs, paths, addresses, names without a space. */
const EXAMPLE = /^(?:[\w./:*@-]*|h1, .*|[.{].*)$|^https?:/s;
const hasWord = (text: string) =>
  /\p{L}{2}/u.test(text) && !SAME_IN_ALL.test(text.replace(/[^\p{L}\d]+/gu, ''));

for (const file of files.filter((file) => file.endsWith('.tsx'))) {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(folder, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  const report = (node: ts.Node) => {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    fail(`dashboard/src/${file}:${line + 1}: put this text into Trans or t: ${node.getText().trim()}`);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && /^(?:Trans|code|kbd|pre)$/.test(node.openingElement.tagName.getText()))
      return;
    if (ts.isJsxText(node) && hasWord(node.text)) report(node);
    if (
      ts.isJsxAttribute(node) &&
      TEXT_ATTRIBUTES.test(node.name.getText()) &&
      node.initializer !== undefined &&
      ts.isStringLiteral(node.initializer) &&
      hasWord(node.initializer.text) &&
      !(node.name.getText() === 'placeholder' && EXAMPLE.test(node.initializer.text))
    )
      report(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
}
