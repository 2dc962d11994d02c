/** The property that tells which vocabulary a page uses (RDFa Core 1.1 §7.5 step 2). */
export const RDFA_USES_VOCABULARY = 'http://www.w3.org/ns/rdfa#usesVocabulary';

const XHTML_VOCABULARY = 'http://www.w3.org/1999/xhtml/vocab#';

/** Prefixes that need no declaration: the initial context of RDFa 1.1, and the vocabularies of Open Graph (https://ogp.me). */
export const INITIAL_PREFIXES: ReadonlyMap<string, string> = new Map([
  ['article', 'http://ogp.me/ns/article#'],
  ['book', 'http://ogp.me/ns/book#'],
  ['cc', 'http://creativecommons.org/ns#'],
  ['ctag', 'http://commontag.org/ns#'],
  ['dc', 'http://purl.org/dc/terms/'],
  ['dc11', 'http://purl.org/dc/elements/1.1/'],
  ['dcat', 'http://www.w3.org/ns/dcat#'],
  ['dcterms', 'http://purl.org/dc/terms/'],
  ['foaf', 'http://xmlns.com/foaf/0.1/'],
  ['gr', 'http://purl.org/goodrelations/v1#'],
  ['ical', 'http://www.w3.org/2002/12/cal/icaltzd#'],
  ['music', 'http://ogp.me/ns/music#'],
  ['og', 'http://ogp.me/ns#'],
  ['org', 'http://www.w3.org/ns/org#'],
  ['owl', 'http://www.w3.org/2002/07/owl#'],
  ['profile', 'http://ogp.me/ns/profile#'],
  ['prov', 'http://www.w3.org/ns/prov#'],
  ['rdf', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'],
  ['rdfa', 'http://www.w3.org/ns/rdfa#'],
  ['rdfs', 'http://www.w3.org/2000/01/rdf-schema#'],
  ['rev', 'http://purl.org/stuff/rev#'],
  ['schema', 'http://schema.org/'],
  ['sioc', 'http://rdfs.org/sioc/ns#'],
  ['skos', 'http://www.w3.org/2004/02/skos/core#'],
  ['v', 'http://rdf.data-vocabulary.org/#'],
  ['vcard', 'http://www.w3.org/2006/vcard/ns#'],
  ['video', 'http://ogp.me/ns/video#'],
  ['website', 'http://ogp.me/ns/website#'],
  ['xhv', XHTML_VOCABULARY],
  ['xsd', 'http://www.w3.org/2001/XMLSchema#'],
]);

/** Words that mean something without a prefix and without a vocabulary. */
export const INITIAL_TERMS: ReadonlyMap<string, string> = new Map([
  ['describedby', 'http://www.w3.org/2007/05/powder-s#describedby'],
  ['license', `${XHTML_VOCABULARY}license`],
  ['role', `${XHTML_VOCABULARY}role`],
]);
