import type { SchemaNode } from './schema-node.ts';

const MAX_LABEL_LENGTH = 60;
/** A longer description is a sentence and no name. */
const MAX_DESCRIPTION_WORDS = 4;
/** Ends of words in `price_currency` and `priceCurrency`. */
const WORD_BREAK = /[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;

/** The words of a name or label, without accents, in lower case. */
export function wordsOf(label: string): readonly string[] {
  if (label.length > 2 * MAX_LABEL_LENGTH) return [];
  const plain = label.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain
    .split(WORD_BREAK)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** What two names must have in common to mean the same: `Price currency`, `price_currency` and `priceCurrency`. */
export function labelKey(label: string): string {
  const key = wordsOf(label).join('');
  return key.length > MAX_LABEL_LENGTH ? '' : key;
}

/** The key in singular and plural, itself first. Only English endings are known. */
export function numbersOf(key: string): readonly string[] {
  if (key.length < 3) return [key];
  if (key.endsWith('ies')) return [key, `${key.slice(0, -3)}y`];
  if (/(?:s|x|z|ch|sh)es$/.test(key)) return [key, key.slice(0, -2), key.slice(0, -1)];
  if (key.endsWith('ss')) return [key, `${key}es`];
  if (key.endsWith('s')) return [key, key.slice(0, -1)];
  return [key, `${key}s`, ...(key.endsWith('y') ? [`${key.slice(0, -1)}ies`] : [])];
}

/** Keys of what the property may be called, the best first: its name, its title, its description if that is short. */
export function keysOf(name: string, { title, description }: SchemaNode): readonly string[] {
  const keys = [labelKey(name)];
  if (title !== null) keys.push(labelKey(title));
  if (description !== null && wordsOf(description).length <= MAX_DESCRIPTION_WORDS)
    keys.push(labelKey(description));
  return [...new Set(keys)].filter((key) => key !== '');
}

/**
 * What callers call things that schema.org calls otherwise: the paths of properties, the best first. A text that is wanted of
 * a part is its name.
 */
const ALIASES: Readonly<Record<string, string>> = {
  title: 'name headline',
  name: 'headline title',
  headline: 'name',
  productname: 'name',
  producttitle: 'name',
  jobtitle: 'title',
  position: 'title',
  description: 'abstract reviewbody',
  summary: 'description abstract',
  excerpt: 'description abstract',
  content: 'articlebody text reviewbody',
  body: 'articlebody text reviewbody',
  text: 'articlebody reviewbody',
  price: 'offers/price offers/lowprice',
  amount: 'offers/price price',
  cost: 'offers/price price',
  currentprice: 'offers/price price',
  saleprice: 'offers/price price',
  lowprice: 'offers/lowprice',
  highprice: 'offers/highprice',
  currency: 'offers/pricecurrency pricecurrency basesalary/currency',
  pricecurrency: 'offers/pricecurrency',
  availability: 'offers/availability',
  instock: 'offers/availability availability',
  available: 'offers/availability availability',
  stock: 'offers/availability availability',
  condition: 'offers/itemcondition itemcondition',
  seller: 'offers/seller seller',
  vendor: 'offers/seller brand',
  brand: 'manufacturer',
  brandname: 'brand',
  manufacturer: 'brand',
  ean: 'gtin13 gtin gtin12 gtin14 gtin8',
  gtin: 'gtin13 gtin12 gtin14 gtin8',
  upc: 'gtin12 gtin',
  barcode: 'gtin13 gtin12 gtin',
  modelnumber: 'mpn model',
  articlenumber: 'sku mpn',
  productid: 'productid sku',
  colour: 'color',
  color: 'colour',
  rating: 'aggregaterating/ratingvalue reviewrating/ratingvalue ratingvalue',
  ratingvalue: 'aggregaterating/ratingvalue reviewrating/ratingvalue',
  averagerating: 'aggregaterating/ratingvalue',
  stars: 'aggregaterating/ratingvalue reviewrating/ratingvalue',
  score: 'aggregaterating/ratingvalue reviewrating/ratingvalue',
  reviewcount: 'aggregaterating/reviewcount aggregaterating/ratingcount',
  reviewscount: 'aggregaterating/reviewcount aggregaterating/ratingcount',
  ratingcount: 'aggregaterating/ratingcount aggregaterating/reviewcount',
  numberofreviews: 'aggregaterating/reviewcount aggregaterating/ratingcount',
  author: 'creator',
  authorname: 'author creator',
  authors: 'author creator',
  writer: 'author creator',
  reviewer: 'author',
  by: 'author',
  published: 'datepublished uploaddate datecreated dateposted',
  publishedat: 'datepublished uploaddate datecreated dateposted',
  publisheddate: 'datepublished uploaddate datecreated dateposted',
  publishdate: 'datepublished uploaddate datecreated dateposted',
  publicationdate: 'datepublished uploaddate datecreated',
  date: 'datepublished startdate dateposted uploaddate datecreated',
  posted: 'dateposted datepublished',
  postedat: 'dateposted datepublished',
  postdate: 'dateposted datepublished',
  updated: 'datemodified',
  updatedat: 'datemodified',
  modified: 'datemodified',
  modifiedat: 'datemodified',
  lastupdated: 'datemodified',
  image: 'thumbnailurl photo primaryimageofpage',
  imageurl: 'image thumbnailurl photo',
  picture: 'image thumbnailurl photo',
  photo: 'image thumbnailurl',
  thumbnail: 'thumbnailurl image',
  url: 'mainentityofpage item',
  link: 'url mainentityofpage item',
  website: 'url sameas',
  homepage: 'url sameas',
  category: 'articlesection genre industry occupationalcategory',
  section: 'articlesection',
  tag: 'keywords',
  keyword: 'keywords',
  topic: 'keywords about articlesection',
  publisher: 'sitename',
  site: 'publisher sitename',
  language: 'inlanguage',
  company: 'hiringorganization publisher organization',
  companyname: 'hiringorganization publisher',
  employer: 'hiringorganization',
  organization: 'hiringorganization organizer publisher',
  jobtype: 'employmenttype',
  contracttype: 'employmenttype',
  salary: 'basesalary/value/value basesalary/value basesalary',
  salarymin: 'basesalary/value/minvalue basesalary/minvalue',
  salarymax: 'basesalary/value/maxvalue basesalary/maxvalue',
  minsalary: 'basesalary/value/minvalue basesalary/minvalue',
  maxsalary: 'basesalary/value/maxvalue basesalary/maxvalue',
  deadline: 'validthrough',
  expires: 'validthrough',
  location: 'joblocation/address/addresslocality joblocation address/addresslocality address',
  place: 'location joblocation',
  venue: 'location',
  address: 'location/address joblocation/address',
  street: 'address/streetaddress location/address/streetaddress joblocation/address/streetaddress',
  city: 'address/addresslocality location/address/addresslocality joblocation/address/addresslocality',
  town: 'address/addresslocality location/address/addresslocality joblocation/address/addresslocality',
  state: 'address/addressregion location/address/addressregion joblocation/address/addressregion',
  region: 'address/addressregion location/address/addressregion joblocation/address/addressregion',
  country: 'address/addresscountry location/address/addresscountry joblocation/address/addresscountry',
  zip: 'address/postalcode location/address/postalcode joblocation/address/postalcode',
  zipcode: 'address/postalcode location/address/postalcode joblocation/address/postalcode',
  postcode: 'address/postalcode location/address/postalcode joblocation/address/postalcode',
  postalcode: 'address/postalcode location/address/postalcode joblocation/address/postalcode',
  latitude: 'geo/latitude location/geo/latitude',
  longitude: 'geo/longitude location/geo/longitude',
  phone: 'telephone contactpoint/telephone',
  tel: 'telephone contactpoint/telephone',
  phonenumber: 'telephone contactpoint/telephone',
  openinghours: 'openinghoursspecification',
  start: 'startdate',
  starts: 'startdate',
  starttime: 'startdate',
  end: 'enddate',
  ends: 'enddate',
  endtime: 'enddate',
  organizer: 'organizer',
  ingredient: 'recipeingredient ingredients',
  instruction: 'recipeinstructions',
  step: 'recipeinstructions itemlistelement',
  servings: 'recipeyield',
  yield: 'recipeyield',
  cuisine: 'recipecuisine',
  calories: 'nutrition/calories',
  cookingtime: 'cooktime',
  time: 'totaltime duration',
  question: 'name mainentity',
  answer: 'acceptedanswer/text suggestedanswer/text',
  faq: 'mainentity',
  breadcrumb: 'itemlistelement',
  comment: 'comment review',
};

/** Types of schema.org by what callers call them; those that are not here are called as they are. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  item: 'Product',
  task: 'JobPosting',
  vacancy: 'JobPosting',
  position: 'JobPosting',
  post: 'Article BlogPosting SocialMediaPosting DiscussionForumPosting',
  story: 'Article NewsArticle',
  news: 'Article NewsArticle',
  company: 'Organization Corporation LocalBusiness',
  shop: 'Organization Store',
  business: 'Organization LocalBusiness',
  author: 'Person',
  video: 'VideoObject',
  faq: 'FAQPage Question',
  breadcrumb: 'BreadcrumbList ListItem',
  step: 'HowToStep',
};

/** Paths of properties that mean the same as the key, each a list of keys. */
export function aliasesOf(key: string): readonly (readonly string[])[] {
  const names = numbersOf(key).find((name) => Object.hasOwn(ALIASES, name));
  return names === undefined ? [] : ALIASES[names]!.split(' ').map((path) => path.split('/'));
}

/** Whether one of the types of schema.org is what the key names. */
export function namesType(key: string, types: readonly string[]): boolean {
  return numbersOf(key).some((name) => {
    const named = Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name]!.split(' ') : [];
    return types.some((type) => named.includes(type) || labelKey(type) === name);
  });
}
