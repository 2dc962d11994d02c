import { childOf, elementsOf, type XmlElement, xmlTree } from './xml-tree.ts';

interface WordStyle {
  readonly name: string;
  readonly basedOn: string | undefined;
  /** From 0; 9: text. */
  readonly outline: number | undefined;
  readonly isHidden: boolean | undefined;
}

/** Styles may be based on one another up to this depth. */
const MAX_CHAIN = 20;
const TEXT_LEVEL = 9;
const MAX_HEADING = 6;

/** A property that is on by being there (ECMA-376 part 1, §22.9.2.7). */
export function isOn(property: XmlElement | undefined): boolean | undefined {
  return property === undefined ? undefined : !/^(?:0|false|off)$/.test(property.attributes['w:val'] ?? '1');
}

/** The styles of a Word document, each with what it inherits (§17.7.4.3). */
export class WordStyles {
  readonly #styles = new Map<string, WordStyle>();

  /** @param xml the member `word/styles.xml`; null: there is none */
  constructor(xml: string | null) {
    if (xml === null) return;
    for (const style of elementsOf(xmlTree(xml))) {
      const id = style.attributes['w:styleId'];
      if (style.name !== 'w:style' || id === undefined || this.#styles.has(id)) continue;
      this.#styles.set(id, {
        name: wordValue(style, 'w:name') ?? '',
        basedOn: wordValue(style, 'w:basedOn'),
        outline: levelOf(childOf(style, 'w:pPr')),
        isHidden: isOn(childOf(childOf(style, 'w:rPr'), 'w:vanish')),
      });
    }
  }

  /** The level of a heading, 1 to 6, of a paragraph; null: it is none. @param properties `w:pPr` */
  headingLevel(properties: XmlElement | undefined): number | null {
    const styled = this.#inherited(wordValue(properties, 'w:pStyle'), ({ outline, name }) => {
      const level = /^heading (\d)$/i.exec(name)?.[1];
      return outline ?? (level === undefined ? undefined : Number(level) - 1);
    });
    const level = levelOf(properties) ?? styled ?? TEXT_LEVEL;
    return level < TEXT_LEVEL ? Math.min(MAX_HEADING, level + 1) : null;
  }

  /** Whether the text of a style is hidden; undefined: it does not say so. */
  isHidden(styleId: string | undefined): boolean | undefined {
    return this.#inherited(styleId, ({ isHidden }) => isHidden);
  }

  #inherited<T>(styleId: string | undefined, read: (style: WordStyle) => T | undefined): T | undefined {
    let id = styleId;
    for (let depth = 0; id !== undefined && depth < MAX_CHAIN; depth++) {
      const style = this.#styles.get(id);
      const value = style === undefined ? undefined : read(style);
      if (value !== undefined) return value;
      id = style?.basedOn;
    }
    return undefined;
  }
}

/** `w:val` of a child. */
export function wordValue(parent: XmlElement | undefined, name: string): string | undefined {
  return childOf(parent, name)?.attributes['w:val'];
}

function levelOf(properties: XmlElement | undefined): number | undefined {
  const level = Number(wordValue(properties, 'w:outlineLvl'));
  return level >= 0 && level <= TEXT_LEVEL ? level : undefined;
}
