import { Parser } from 'htmlparser2';

export type XmlAttributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  /** @param name with its prefix, as written: office programs always use the same prefixes */
  readonly open?: (name: string, attributes: XmlAttributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** Elements may be nested up to this depth. The parser has no limit, but reports deep ends slowly. */
const MAX_DEPTH = 2000;

/** Reads XML without building a tree, so that neither its size nor its depth matters. Entities of the document are not read. */
export function readXml(xml: string, { open, close, text }: XmlHandler): void {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (depth > MAX_DEPTH) throw new Error('its XML is nested too deeply');
        open?.(name, attributes);
      },
      onclosetag(name) {
        depth--;
        close?.(name);
      },
      ontext: (value) => text?.(value),
    },
    { xmlMode: true },
  );
  parser.end(xml);
}

/** The text of the first element of each given name. */
export function firstTexts(xml: string | null, names: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  let current: string | null = null;
  if (xml === null) return texts;
  readXml(xml, {
    open(name) {
      current = names.includes(name) && !texts.has(name) ? name : null;
    },
    close() {
      current = null;
    },
    text(value) {
      if (current !== null) texts.set(current, (texts.get(current) ?? '') + value);
    },
  });
  return texts;
}
