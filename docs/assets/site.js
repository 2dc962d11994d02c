// The script of the documentation: the color scheme, the search, and the buttons that copy code.

const scheme = localStorage.getItem('sluice-color-scheme');
if (scheme === 'light' || scheme === 'dark') document.documentElement.style.colorScheme = scheme;

const MOST_RESULTS = 12;

/** A number that is larger for better results; 0: not all words were found. */
function score({ heading, title, text }, words) {
  const [head, page, body] = [heading, title, text].map((part) => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const found = (head === word ? 40 : head.includes(word) ? 12 : 0) + (page.includes(word) ? 6 : 0);
    if (found === 0 && !body.includes(word)) return 0;
    sum += found + 1;
  }
  return sum;
}

/** The part of a text around the first of the words. */
function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - 40);
  return (start > 0 ? '…' : '') + text.slice(places.length === 0 ? 0 : start).slice(0, 140);
}

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function startSearch(base) {
  const input = document.getElementById('search');
  const list = document.getElementById('results');
  let index = null;
  const show = async () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.hidden = words.length === 0;
    if (words.length === 0) return;
    index ??= fetch(`${base}/search.json`).then((answer) => answer.json());
    const ranked = (await index)
      .map((section) => ({ section, points: score(section, words) }))
      .filter(({ points }) => points > 0)
      .sort((one, other) => other.points - one.points);
    const items = ranked.slice(0, MOST_RESULTS).map(({ section: { path, title, id, heading, text } }) => {
      const href = `${base}${path && `/${path}`}${id && `#${id}`}`;
      const name = heading === title ? title : `${title}: ${heading}`;
      return element(
        'li',
        {},
        element('a', { href }, element('b', { textContent: name }), excerpt(text, words)),
      );
    });
    list.replaceChildren(...(items.length > 0 ? items : [element('li', { textContent: 'Nothing found.' })]));
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  document.addEventListener('keydown', (event) => {
    const links = [...list.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === '/' && document.activeElement !== input) input.focus();
    else if (event.key === 'Escape') list.hidden = true;
    else if (event.key === 'Enter' && document.activeElement === input) links[0]?.click();
    else if (step !== undefined && !list.hidden && input.parentElement.contains(document.activeElement))
      [input, ...links]
        .at(([input, ...links].indexOf(document.activeElement) + step) % (links.length + 1))
        .focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener('click', (event) => {
    const isResult = event.target.closest('#results a') !== null;
    if (isResult || !input.parentElement.contains(event.target)) list.hidden = true;
  });
}

/** A page served without TLS from another machine has no clipboard, so it gets no buttons. */
function addCopyButtons() {
  if (navigator.clipboard === undefined) return;
  for (const block of document.querySelectorAll('.code')) {
    const button = element('button', { type: 'button', textContent: 'Copy' });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
    block.append(button);
  }
}

document.addEventListener('DOMContentLoaded', () => {
  startSearch(document.documentElement.dataset.docs);
  addCopyButtons();
});
