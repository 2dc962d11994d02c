// The script of the documentation: the color scheme, the search, the language of the examples, and the buttons that copy code.

const scheme = localStorage.getItem('sluice-color-scheme');
if (scheme === 'light' || scheme === 'dark') document.documentElement.style.colorScheme = scheme;

// Hides the other tabs from the start, so that the page does not jump.
document.documentElement.classList.add('scripted');

const MOST_RESULTS = 12;

/** Who searches for a job wants a page that tells how it is done; the contract has every word somewhere. */
const WEIGHTS = [
  [/^recipes\//, 3],
  [/^guides\//, 2],
  [/^contract$/, 0.5],
];

/** How well a text has a word: 1 at the beginning of a word of the text, less inside of one, 0 nowhere. */
function has(text, word) {
  for (let place = text.indexOf(word); place >= 0; place = text.indexOf(word, place + 1))
    if (place === 0 || !/[a-z\d]/.test(text[place - 1])) return 1;
  return text.includes(word) ? 0.2 : 0;
}

/** A number that is larger for better results; 0: not all words were found. */
function score({ path, heading, title, text, row = false, words: named = '' }, words) {
  const [head, page, body, names] = [heading, title, text, named].map((part) => part.toLowerCase());
  let sum = 0;
  for (const word of words) {
    const exact = head === word ? 28 : 0;
    const found = exact + 12 * has(head, word) + 6 * has(page, word) + 45 * has(names, word);
    const inText = has(body, word);
    if (found === 0 && inText === 0) return 0;
    sum += found + inText;
  }
  // A row of a table is about its word alone, on whatever page.
  const weight = WEIGHTS.find(([pattern]) => pattern.test(path))?.[1] ?? 1;
  return sum * (row ? Math.min(weight, 1) : weight);
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

const LANGUAGE = 'sluice-docs-language';

/** Shows one language of each example: the chosen one, or the first where the example does not have it. */
function showLanguage(language) {
  for (const group of document.querySelectorAll('.tabs')) {
    const tabs = [...group.querySelectorAll('[role=tab]')];
    const chosen = tabs.find(({ textContent }) => textContent === language) ?? tabs[0];
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.setAttribute('aria-selected', isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen;
    }
  }
}

/** The others keep their place on the screen when examples above them change their height. */
function chooseLanguage(tab) {
  const place = tab.getBoundingClientRect().top;
  localStorage.setItem(LANGUAGE, tab.textContent);
  showLanguage(tab.textContent);
  scrollBy({ top: tab.getBoundingClientRect().top - place, behavior: 'instant' });
}

function addTabs() {
  for (const [number, group] of document.querySelectorAll('.tabs').entries()) {
    const panels = [...group.querySelectorAll('.code')];
    const list = element('div', { role: 'tablist', ariaLabel: 'Language' });
    for (const [index, panel] of panels.entries()) {
      const { label } = panel.dataset;
      const [id, panelId] = [`tab-${number}-${index}`, `panel-${number}-${index}`];
      Object.assign(panel, { id: panelId, role: 'tabpanel', ariaLabel: label });
      panel.querySelector('.label').remove();
      const tab = element('button', { type: 'button', role: 'tab', id, textContent: label });
      tab.setAttribute('aria-controls', panelId);
      list.append(tab);
    }
    list.addEventListener('click', ({ target }) => target.role === 'tab' && chooseLanguage(target));
    list.addEventListener('keydown', (event) => {
      const tabs = [...list.children];
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const tab = tabs[(tabs.indexOf(event.target) + step + tabs.length) % tabs.length];
      chooseLanguage(tab);
      tab.focus();
    });
    group.prepend(list);
  }
  showLanguage(localStorage.getItem(LANGUAGE));
  // Another page of the site is open beside this one.
  addEventListener('storage', ({ key, newValue }) => key === LANGUAGE && showLanguage(newValue));
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
  addTabs();
  addCopyButtons();
});
