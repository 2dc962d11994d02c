import { imageSource } from '../../document/image-source.ts';
import { attributeOf, type TreeNode } from '../../document/page-tree.ts';
import { absoluteUrl, type ParsedPage } from '../../document/parsed-page.ts';
import { ElementTexts, visitElements } from '../../document/visit-elements.ts';
import { INITIAL_PREFIXES, INITIAL_TERMS, RDFA_USES_VOCABULARY } from './rdfa-prefixes.ts';

/** A value of a property: a text, or a reference to a node or page. */
export type RdfaValue =
  | { readonly '@id': string }
  | { readonly '@value': string; readonly '@type'?: string; readonly '@language'?: string };

/** All that the page states about one subject, as expanded JSON-LD. Members other than these are properties, by their IRI. */
export interface RdfaNode {
  /** An absolute URL, or `_:` and a number for a subject without one. */
  readonly '@id': string;
  readonly '@type'?: readonly string[];
  readonly [property: string]: string | readonly (string | RdfaValue)[] | undefined;
}

const MAX_TRIPLES = 20_000;
/** Limit of all values in the output, in characters: an element can give its text to several properties. */
const MAX_OUTPUT_LENGTH = 3 * 2 ** 20;
/** Prefixes that the page declares in all. The map is copied for each element that declares some. */
const MAX_PREFIXES = 200;
/** Terms in one attribute. */
const MAX_TOKENS = 20;
/** Properties whose text contains the text of other properties. It limits how often a text is read. */
const MAX_NESTED_TEXTS = 16;
/** Limit of the relations of one element that wait for their object. */
const MAX_INCOMPLETE = 20;

interface IncompleteTriple {
  readonly property: string;
  readonly reverse: boolean;
}

/** The evaluation context of RDFa Core 1.1 §7.2. */
interface RdfaContext {
  readonly subject: string;
  readonly object: string;
  readonly incomplete: readonly IncompleteTriple[];
  readonly language: string;
  readonly prefixes: ReadonlyMap<string, string>;
  readonly vocab: string;
  /** How many open properties contain this text. */
  readonly texts: number;
}

/** What one element says about subjects, after its IRIs are resolved. */
interface ElementSubjects {
  readonly subject: string;
  /** The subject of the elements inside; null: `subject`. */
  readonly object: string | null;
  /** The subject of `typeof`. */
  readonly typed: string | null;
}

/** Reads RDFa Lite 1.1, and what pages use beyond it: `about`, `rel`, `rev`, `content`, `datatype`, `xmlns:` (RDFa Core §7.5). */
export function rdfaOf(page: ParsedPage): RdfaNode[] {
  return new RdfaReader(page).read();
}

class RdfaReader {
  readonly #page: ParsedPage;
  readonly #texts: ElementTexts;
  readonly #triples = new RdfaTriples();
  #prefixCount = 0;
  #blankCount = 0;

  constructor(page: ParsedPage) {
    this.#page = page;
    this.#texts = new ElementTexts(page);
  }

  read(): RdfaNode[] {
    const { base } = this.#page.urls;
    const context: RdfaContext = {
      subject: base,
      object: base,
      incomplete: [],
      language: '',
      prefixes: INITIAL_PREFIXES,
      vocab: '',
      texts: 0,
    };
    visitElements([this.#page.tree.root], context, (element, parent) => this.#enter(element, parent));
    return this.#triples.nodes();
  }

  #enter(element: TreeNode, parent: RdfaContext): RdfaContext {
    if (element.attrs === undefined || element.attrs.length === 0) return parent;
    const context = this.#declarations(element, parent);
    const property = attributeOf(element, 'property');
    const { rel, rev } = this.#relations(element, context, property !== null);
    const related = rel !== null || rev !== null;
    if (!related && property === null && !hasSubject(element)) return context;
    const subjects = related
      ? this.#relatedSubjects(element, context)
      : this.#plainSubjects(element, context, property);
    const { subject, typed } = subjects;
    if (typed !== null)
      for (const type of this.#terms(attributeOf(element, 'typeof') ?? '', context))
        this.#triples.addType(typed, type);
    const incomplete = related ? this.#addRelations(rel ?? [], rev ?? [], subjects) : [];
    // The elements inside describe a blank node, unless they name another subject.
    const object = subjects.object ?? (incomplete.length > 0 ? this.#blank() : subject);
    const hasText = property !== null && this.#addProperties(element, property, subjects, context, related);
    this.#complete(context, subject);
    return {
      ...context,
      subject,
      object,
      incomplete,
      texts: hasText ? context.texts + 1 : context.texts,
    };
  }

  #declarations(element: TreeNode, parent: RdfaContext): RdfaContext {
    let { vocab, language, prefixes } = parent;
    const written = attributeOf(element, 'vocab')?.trim();
    if (written !== undefined) {
      vocab = written === '' ? '' : this.#iri(written);
      const { base } = this.#page.urls;
      if (vocab !== '') this.#triples.add(base, RDFA_USES_VOCABULARY, { '@id': vocab });
    }
    language = attributeOf(element, 'lang') ?? attributeOf(element, 'xml:lang') ?? language;
    const declared = declaredPrefixes(element).slice(0, MAX_PREFIXES - this.#prefixCount);
    if (declared.length > 0) {
      this.#prefixCount += declared.length;
      prefixes = new Map([...prefixes, ...declared]);
    }
    return vocab === parent.vocab && language === parent.language && prefixes === parent.prefixes
      ? parent
      : { ...parent, vocab, language, prefixes };
  }

  /** With `property` on the same element, `rel` and `rev` only count as far as they have prefixes (HTML+RDFa §3.1). */
  #relations(element: TreeNode, context: RdfaContext, hasProperty: boolean) {
    const read = (name: string): string[] | null => {
      const written = attributeOf(element, name);
      if (written === null) return null;
      const counted = hasProperty ? tokensOf(written).filter((token) => token.includes(':')) : [written];
      if (hasProperty && counted.length === 0) return null;
      const terms = this.#terms(counted.join(' '), context);
      // In HTML, `rel` mostly has words that say nothing to RDFa, such as `nofollow`.
      return terms.length === 0 ? null : terms;
    };
    return { rel: read('rel'), rev: read('rev') };
  }

  /** RDFa Core §7.5 step 5. */
  #plainSubjects(element: TreeNode, context: RdfaContext, property: string | null): ElementSubjects {
    const about = this.#resource(element, 'about', context);
    const isTyped = attributeOf(element, 'typeof') !== null;
    const link =
      this.#resource(element, 'resource', context) ?? this.#url(element, 'href') ?? this.#url(element, 'src');
    const isLite =
      property !== null &&
      attributeOf(element, 'content') === null &&
      attributeOf(element, 'datatype') === null;
    if (isLite) {
      const subject = about ?? (isRoot(element) ? this.#page.urls.base : context.object);
      if (!isTyped) return { subject, object: null, typed: null };
      const typed = about ?? (isRoot(element) ? this.#page.urls.base : (link ?? this.#blank()));
      return { subject, object: typed, typed };
    }
    const isInherited = isRoot(element) || isHeadOrBody(element) || !isTyped;
    const subject = about ?? link ?? (isInherited ? context.object : this.#blank());
    return { subject, object: null, typed: isTyped ? subject : null };
  }

  /** RDFa Core §7.5 step 6. */
  #relatedSubjects(element: TreeNode, context: RdfaContext): ElementSubjects {
    const about = this.#resource(element, 'about', context);
    const isTyped = attributeOf(element, 'typeof') !== null;
    const link =
      this.#resource(element, 'resource', context) ?? this.#url(element, 'href') ?? this.#url(element, 'src');
    const subject = about ?? (isRoot(element) ? this.#page.urls.base : context.object);
    const object = link ?? (isTyped && about === null ? this.#blank() : null);
    return { subject, object, typed: isTyped ? (about ?? object) : null };
  }

  /** @returns the triples that wait for an object inside the element */
  #addRelations(
    rel: readonly string[],
    rev: readonly string[],
    { subject, object }: ElementSubjects,
  ): IncompleteTriple[] {
    const relations = [
      ...rel.map((property) => ({ property, reverse: false })),
      ...rev.map((property) => ({ property, reverse: true })),
    ].slice(0, MAX_INCOMPLETE);
    if (object === null) return relations;
    for (const { property, reverse } of relations)
      this.#triples.add(reverse ? object : subject, property, { '@id': reverse ? subject : object });
    return [];
  }

  /** RDFa Core §7.5 step 11. @returns whether the value is the text of the element */
  #addProperties(
    element: TreeNode,
    written: string,
    { subject, typed }: ElementSubjects,
    context: RdfaContext,
    related: boolean,
  ): boolean {
    const properties = this.#terms(written, context);
    if (properties.length === 0) return false;
    const datatype = attributeOf(element, 'datatype');
    const content =
      attributeOf(element, 'content') ??
      (element.tagName === 'time' || element.tagName === 'data'
        ? attributeOf(element, element.tagName === 'time' ? 'datetime' : 'value')
        : null);
    const isLink = !related && datatype === null && content === null;
    const link = isLink
      ? (this.#resource(element, 'resource', context) ??
        this.#url(element, 'href') ??
        this.#url(element, 'src') ??
        (attributeOf(element, 'about') === null ? typed : null))
      : null;
    const hasText = link === null && content === null;
    if (hasText && context.texts >= MAX_NESTED_TEXTS) return false;
    const type = datatype === null || datatype === '' ? null : (this.#terms(datatype, context)[0] ?? null);
    const value: RdfaValue =
      link !== null
        ? { '@id': link }
        : {
            '@value': content === null ? this.#texts.of(element) : this.#texts.ofAttribute(content),
            ...(type !== null
              ? { '@type': type }
              : context.language !== ''
                ? { '@language': context.language }
                : {}),
          };
    for (const property of properties) this.#triples.add(subject, property, value);
    return hasText;
  }

  #complete({ incomplete, subject: parentSubject }: RdfaContext, subject: string): void {
    for (const { property, reverse } of incomplete)
      this.#triples.add(reverse ? subject : parentSubject, property, {
        '@id': reverse ? parentSubject : subject,
      });
  }

  /** The IRIs of the terms in an attribute (RDFa Core §7.4.2, §7.4.3); those without a meaning are left out. */
  #terms(written: string, { prefixes, vocab }: RdfaContext): string[] {
    const iris: string[] = [];
    for (const token of tokensOf(written)) {
      const colon = token.indexOf(':');
      if (colon === -1) {
        const iri = vocab === '' ? INITIAL_TERMS.get(token.toLowerCase()) : vocab + token;
        if (iri !== undefined) iris.push(iri);
        continue;
      }
      const namespace = prefixes.get(token.slice(0, colon).toLowerCase());
      if (namespace !== undefined && !token.startsWith('//', colon + 1))
        iris.push(namespace + token.slice(colon + 1));
      else if (/^[a-z][a-z0-9+.-]*:./i.test(token)) iris.push(token);
    }
    return iris;
  }

  /** The subject or object in `about` or `resource`: a compact IRI, perhaps in brackets, or a URL. */
  #resource(element: TreeNode, name: string, { prefixes }: RdfaContext): string | null {
    const written = attributeOf(element, name)?.trim();
    if (written === undefined) return null;
    const bracketed = written.startsWith('[') && written.endsWith(']');
    const text = bracketed ? written.slice(1, -1).trim() : written;
    if (bracketed && text === '') return null;
    if (text.startsWith('_:')) return `_:page-${text.slice(2)}`;
    const colon = text.indexOf(':');
    const namespace = colon === -1 ? undefined : prefixes.get(text.slice(0, colon).toLowerCase());
    if (namespace !== undefined && !text.startsWith('//', colon + 1))
      return namespace + text.slice(colon + 1);
    return this.#iri(text);
  }

  #url(element: TreeNode, name: string): string | null {
    const shown =
      name === 'src' && element.tagName === 'img' ? imageSource(element, this.#page.urls.base) : null;
    const written = shown ?? attributeOf(element, name)?.trim();
    // An inlined image is no name for anything.
    return written === undefined || written.startsWith('data:') ? null : this.#iri(written);
  }

  #iri(written: string): string {
    return absoluteUrl(written, this.#page.urls.base) ?? written;
  }

  #blank(): string {
    return `_:${++this.#blankCount}`;
  }
}

/** The statements of a page, by subject and property. Each counts once. */
class RdfaTriples {
  readonly #types = new Map<string, Set<string>>();
  readonly #values = new Map<string, Map<string, Map<string, RdfaValue>>>();
  #count = 0;
  #length = 0;

  addType(subject: string, type: string): void {
    const types = this.#types.get(subject) ?? new Set();
    if (this.#isFull()) return;
    this.#types.set(subject, types.add(type));
    if (!this.#values.has(subject)) this.#values.set(subject, new Map());
  }

  add(subject: string, property: string, value: RdfaValue): void {
    const key = JSON.stringify(value);
    this.#length += property.length + key.length;
    if (this.#isFull()) return;
    const properties = this.#values.get(subject) ?? new Map<string, Map<string, RdfaValue>>();
    this.#values.set(subject, properties);
    const values = properties.get(property) ?? new Map<string, RdfaValue>();
    properties.set(property, values);
    if (!values.has(key)) values.set(key, value);
  }

  nodes(): RdfaNode[] {
    return [...this.#values].map(([subject, properties]) => {
      const types = this.#types.get(subject);
      // Without a prototype `__proto__` is a name like any other.
      const node = Object.create(null) as Record<string, string | readonly (string | RdfaValue)[]>;
      node['@id'] = subject;
      if (types !== undefined) node['@type'] = [...types];
      for (const [property, values] of properties) node[property] = [...values.values()];
      return node as RdfaNode;
    });
  }

  #isFull(): boolean {
    return ++this.#count > MAX_TRIPLES || this.#length > MAX_OUTPUT_LENGTH;
  }
}

function hasSubject(element: TreeNode): boolean {
  return ['about', 'resource', 'typeof', 'href', 'src'].some((name) => attributeOf(element, name) !== null);
}

const isRoot = (element: TreeNode) => element.parentNode?.tagName === undefined;
const isHeadOrBody = ({ tagName }: TreeNode) => tagName === 'head' || tagName === 'body';

/** The prefixes in `prefix` (`a: https://a/ b: https://b/`) and in `xmlns:` attributes. */
function declaredPrefixes(element: TreeNode): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (const { name, prefix, value } of element.attrs ?? []) {
    const full = prefix ? `${prefix}:${name}` : name;
    if (full.startsWith('xmlns:')) found.push([full.slice(6).toLowerCase(), value.trim()]);
    if (full === 'prefix') {
      const words = value
        .slice(0, 10_000)
        .split(/\s+/)
        .filter((word) => word !== '');
      for (let at = 0; at + 1 < words.length; at += 2)
        if (words[at]!.endsWith(':')) found.push([words[at]!.slice(0, -1).toLowerCase(), words[at + 1]!]);
    }
  }
  return found;
}

function tokensOf(text: string): string[] {
  return text
    .slice(0, 10_000)
    .split(/[ \t\n\f\r]+/)
    .filter((token) => token !== '')
    .slice(0, MAX_TOKENS);
}
