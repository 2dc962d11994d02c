import type { PageFacts } from './page-facts.ts';

const ASKS_FOR_SCRIPTS =
  /(?:enable|requires?|turn on|needs?|activ\w{1,6}|habilit\w{1,6}|without|aktivier\w{0,3})[^<]{0,40}javascript|javascript[^<]{0,60}(?:enable|disabled|required|aktivier|activ|nötig|erforderlich|necessary|needed)/i;
/** As a whole: a loading dock has opening hours. */
const LOADING =
  /^(?:(?:the )?(?:page|app|application|site) is )?(?:loading|please wait|one moment|hold on|bitte warten|laden|(?:seite )?wird geladen|chargement(?: en cours)?|veuillez patienter|cargando|carregando|caricamento|загрузка|подождите|加载中|正在加载|请稍候|読み込み中|로딩 중|yükleniyor)(?:[ ,](?:please|wait|the|your|page|app|application|content|data|site|a moment|bitte|moment|while you wait|challenge|\w{1,20}(?=\.\.\.|…))){0,4}\W{0,5}$/i;
/** Beside something else, such as a navigation; the last sign is an ellipsis read by a wrong charset. */
const SAYS_LOADING =
  /(?:^|\s)(?:loading|please wait|wird geladen|chargement|cargando)[^.…]{0,40}(?:\.{3}|…|â€¦)/i;
const GOES_ELSEWHERE =
  /\b(?:window|document|top|self)?\.?location(?:\.href|\.assign|\.replace)?\s{0,3}[=(](?!=)/;
const HYDRATED =
  /__NEXT_DATA__|__NUXT__|window\.__INITIAL_STATE__|self\.__next_f|data-reactroot|data-server-rendered/;

const FEW = 600;
const SHELL = 3;

/**
 * How much speaks for a page that only scripts make, each reason with its weight: what is shown, empty places for a
 * page to be put in, what it says to those without scripts. A page that was made on the server has all of its text, with
 * whatever it is hydrated by. [] when it does not need scripts.
 */
export function shellReasons(page: PageFacts): readonly string[] {
  const { text, scripts, mount, noscript, inline } = page;
  const { length } = text;
  const reasons: [what: string, weight: number][] = [];
  const says = (what: string, weight: number) => reasons.push([what, weight]);
  if (mount === 'empty') says('empty-root', length < FEW ? 3 : 1);
  else if (mount === 'filled' && length < 80) says('bare-root', 2);
  if (length < 400 && ASKS_FOR_SCRIPTS.test(noscript)) says('noscript-asks', 2);
  if (length < 200 && GOES_ELSEWHERE.test(inline)) says('script-redirect', 2);
  if (scripts > 0 && page.media < 2 && (length === 0 || LOADING.test(text))) says('nothing-shown', 2);
  if (scripts > 0 && length < 400 && SAYS_LOADING.test(text)) says('says-loading', 3);
  // Without one of these, little text alone tells nothing: small pages exist.
  if (reasons.length === 0 || scripts === 0) return [];
  if (length < 80) says('thin', 1);
  if (page.blocks + page.links < 3) says('no-blocks', 1);
  if (length > FEW && HYDRATED.test(page.html)) says('hydrated', -2);
  if (mount === 'none' && page.media > 1) says('media', -1);
  const weight = reasons.reduce((sum, [, one]) => sum + one, 0);
  return weight >= SHELL ? reasons.map(([what]) => what) : [];
}

/** Nothing is to be read or filled in: there is a script, and at most a picture that turns. */
export function isScriptsAlone({ text, scripts, media, fields }: PageFacts): boolean {
  return scripts > 0 && media < 2 && fields === 0 && (text === '' || LOADING.test(text));
}

/** A page that sets a cookie by script and then comes again: it wants to see that scripts run. */
export function isCookieCheck({ text, inline, links }: PageFacts, refused: boolean): boolean {
  return (
    text.length < 200 &&
    links < 3 &&
    inline.length < 20_000 &&
    /document\.cookie\s{0,3}=(?!=)/.test(inline) &&
    // To set a cookie and to go elsewhere is also how languages are chosen.
    (/location\.reload\s{0,3}\(/.test(inline) || (refused && GOES_ELSEWHERE.test(inline)))
  );
}
