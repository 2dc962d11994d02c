import { escaped, htmlPage } from './html.ts';

/*
 * A shop of 300 products on 15 pages of a list. Everything follows from the number of a product, so that an example gets the same
 * answer each time.
 */

const PRODUCTS = 300;
const ON_A_PAGE = 20;

const KINDS = [
  'Anvil',
  'Kettle',
  'Lantern',
  'Compass',
  'Notebook',
  'Teapot',
  'Hammock',
  'Backpack',
  'Stool',
  'Clock',
];
const MATERIALS = ['Steel', 'Oak', 'Copper', 'Linen', 'Glass', 'Wool', 'Bamboo', 'Brass', 'Cotton', 'Slate'];
const SIZES = ['small', 'medium', 'large'];

interface Product {
  readonly sku: string;
  readonly name: string;
  /** In cents. */
  readonly price: number;
  readonly stock: number;
  readonly rating: number;
  readonly category: string;
  readonly description: string;
}

/** @param n from 1 */
function productOf(n: number): Product {
  const kind = KINDS[(n - 1) % KINDS.length]!;
  const material = MATERIALS[Math.floor((n - 1) / KINDS.length) % MATERIALS.length]!;
  const size = SIZES[Math.floor((n - 1) / (KINDS.length * MATERIALS.length))]!;
  return {
    sku: `SL-${String(n).padStart(3, '0')}`,
    name: `${material} ${kind}, ${size}`,
    price: 495 + ((n * 7_919) % 24_500),
    stock: (n * 13) % 41,
    rating: 30 + ((n * 17) % 21),
    category: kind,
    description: `A ${size} ${kind.toLowerCase()} of ${material.toLowerCase()}, made to be used every day. It is delivered within three days, and may be returned within a month.`,
  };
}

const euros = (cents: number): string => (cents / 100).toFixed(2);

const stockText = (stock: number): string => (stock === 0 ? 'Sold out' : `${stock} in stock`);

const NAVIGATION =
  '<nav><a href="/shop">Shop</a> <a href="/docs">Guides</a> <a href="/login">Log in</a></nav>';

const card = (product: Product): string =>
  `<li class="product" data-sku="${product.sku}"><a class="name" href="/shop/${product.sku}">${escaped(product.name)}</a> <span class="price">€${euros(product.price)}</span> <span class="stock">${stockText(product.stock)}</span></li>`;

/** A page of the list. @returns null: there is no such page */
export function shopList(page: number): string | null {
  const last = PRODUCTS / ON_A_PAGE;
  if (!Number.isInteger(page) || page < 1 || page > last) return null;
  const first = (page - 1) * ON_A_PAGE + 1;
  const cards = Array.from({ length: ON_A_PAGE }, (_, index) => card(productOf(first + index)));
  const link = (to: number, rel: string, text: string) =>
    `<a rel="${rel}" href="/shop?page=${to}">${text}</a>`;
  const links = [
    page > 1 ? link(page - 1, 'prev', 'Previous page') : '',
    page < last ? link(page + 1, 'next', 'Next page') : '',
  ];
  return htmlPage({
    title: page === 1 ? 'The test shop' : `The test shop, page ${page}`,
    body: `${NAVIGATION}<main><h1>The test shop</h1><p>Products ${first} to ${first + ON_A_PAGE - 1} of ${PRODUCTS}.</p><ul class="products">\n${cards.join('\n')}\n</ul><p class="pages">${links.join(' ')}</p></main>`,
  });
}

/** The page of a product. @returns null: there is no such product */
export function shopProduct(sku: string): string | null {
  const n = Number(/^SL-(\d{3})$/.exec(sku)?.[1]);
  if (!(n >= 1 && n <= PRODUCTS)) return null;
  const product = productOf(n);
  const rating = (product.rating / 10).toFixed(1);
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    sku: product.sku,
    category: product.category,
    description: product.description,
    offers: {
      '@type': 'Offer',
      price: euros(product.price),
      priceCurrency: 'EUR',
      availability: `https://schema.org/${product.stock === 0 ? 'OutOfStock' : 'InStock'}`,
    },
    aggregateRating: { '@type': 'AggregateRating', ratingValue: rating, reviewCount: 5 + (n % 90) },
  };
  return htmlPage({
    title: `${product.name} – The test shop`,
    head: `<script type="application/ld+json">${JSON.stringify(data)}</script>\n`,
    body: `${NAVIGATION}<main class="product"><h1>${escaped(product.name)}</h1><p class="price">€${euros(product.price)}</p><p class="stock">${stockText(product.stock)}</p><p class="rating">${rating} of 5</p><p class="description">${escaped(product.description)}</p><table><tr><th>SKU</th><td class="sku">${product.sku}</td></tr><tr><th>Category</th><td class="category">${product.category}</td></tr></table></main>`,
  });
}

/** Items of the page that goes on as one scrolls. @returns JSON */
export function scrollItems(from: number, count: number, last: number): string {
  const items = [];
  for (let n = from; n < from + count && n <= last; n++) {
    const { name, price } = productOf(n);
    items.push({ n, name, price: euros(price) });
  }
  return JSON.stringify({ items, more: from + count <= last });
}
