import type { Rule } from '../rule.ts';
import { TELLS_OF } from './about.ts';

/** Statuses with which a page is refused. */
const REFUSED = [401, 403, 405, 406, 418, 429, 444, 503];
const SERVED = [200, 202];
/** A place for a captcha. */
export const CAPTCHA =
  /class=["']?(?:[^"'<>]{0,60} )?(?:g-recaptcha|h-captcha|cf-turnstile|frc-captcha|smart-captcha)["' >]|arkoselabs\.com\/v2|geetest_/i;

/**
 * Words that walls of nobody in particular use. They count only where hardly anything else is said. With 200 a common word or
 * a number is no sign: the title has to be that of a wall as a whole, and the text has to speak to the visitor.
 */
export const PHRASES: readonly Rule[] = [
  {
    id: 'phrase/checking-browser',
    kind: 'challenge',
    failed: 'js',
    confidence: 0.92,
    when: {
      title:
        /^(?:just a moment|one moment,? please|please wait|checking your browser(?: before .{0,80})?|checking you are not a bot|making sure you(?: are|'re|’re) not a bot|verify(?:ing)? (?:that )?you are (?:a )?human|ddos protection by .{0,40}|(?:human|bot|browser) (?:verification|check)|security (?:check(?:point)?|verification)|attention required! \| cloudflare)(?:\.{3}|…|[.!])?(?: [-|–] .{0,60})?$/i,
      text: /^.{0,12}$|(?:checking|verifying)\b|your (?:browser|request)\b|your connection (?:is|before|needs)\b|you(?: are|'re|’re) (?:a |not a )?(?:human|robot|bot)\b|javascript|cookies|redirect|wait (?:while|a (?:few |couple of )?(?:moment|second))|^(?:loading|please wait|wait|one moment|just a moment|hold on)\W{0,4}$|ray id/i,
      unless: TELLS_OF,
      short: 600,
      links: 6,
      fields: 1,
    },
  },
  {
    id: 'phrase/checking-browser-text',
    kind: 'challenge',
    failed: 'js',
    confidence: 0.9,
    when: {
      text: /(?:checking|verifying) (?:if |that )?your browser(?=\W{0,3}$|\.|…| (?:before|is|to|and|for)\b)|enable javascript and cookies to continue(?=\W{0,3}$|[.…])|(?:verify(?:ing)?|checking|making sure) (?:that )?you(?: are|'re|’re) (?:a |not a )?(?:human|robot|bot)(?=\W{0,3}$|[.…!,:]| (?:before|by|to)\b)/i,
      unless: TELLS_OF,
      short: 250,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'phrase/captcha-alone',
    kind: 'captcha',
    failed: 'fingerprint',
    confidence: 0.9,
    when: {
      status: REFUSED,
      html: CAPTCHA,
      text: /captcha|robot|human|verif|security check|unusual|suspicious|automated|blocked|confirm/i,
      short: 400,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'phrase/captcha-served',
    kind: 'captcha',
    failed: 'fingerprint',
    confidence: 0.9,
    when: {
      status: SERVED,
      html: CAPTCHA,
      text: /\b(?:not a|no) (?:ro)?bots?\b|\byou(?: are|'re|’re) (?:a )?human\b|are you (?:a )?(?:human|robot)|(?:unusual|suspicious|automated) (?:traffic|activity|requests)|(?:complete|pass) (?:the|this|a) (?:\w{1,20} )?(?:captcha|check|challenge|verification)|(?:confirm|verify|tick|check|solve|prove|enter)\b.{0,40}\b(?:below|box|captcha|challenge|puzzle|characters)\b.{0,40}\b(?:to|and) (?:continue|proceed|go on|access|view|enter|see)\b/i,
      unless: TELLS_OF,
      short: 400,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'phrase/captcha-redirect',
    kind: 'captcha',
    failed: 'fingerprint',
    confidence: 0.93,
    when: {
      landed:
        /^[^?#]{0,400}\/(?:show|check|validate)?[-_]?(?:captcha\w{0,8}|robot-?check|bot-?check|human-?check)(?:[./?#;]|$)/i,
      returns: true,
    },
  },
  {
    id: 'phrase/blocked-redirect',
    kind: 'block',
    failed: null,
    confidence: 0.92,
    when: { landed: /^[^?#]{0,400}\/(?:blocked|access-?denied)(?:[./?#;]|$)/i, returns: true },
  },
  {
    id: 'phrase/access-denied-title',
    kind: 'block',
    failed: null,
    confidence: 0.88,
    when: {
      status: REFUSED,
      title:
        /^(?:access (?:is )?(?:denied|forbidden)|(?:error )?403\b[^a-z]{0,5}(?:forbidden|access denied|blocked)|error 403|forbidden|(?:web ?page )?blocked|request (?:blocked|rejected|denied)|(?:sorry, )?you have been blocked|access to this page has been denied|error: the request could not be satisfied)(?:[.!:]?$|[.!]? [-|–(] .{0,60}$|: (?:access|error|you|request))/i,
      short: 1200,
      links: 8,
      fields: 1,
    },
  },
  {
    id: 'phrase/soft-block-title',
    kind: 'block',
    failed: null,
    confidence: 0.88,
    when: {
      status: SERVED,
      title:
        /^(?:access (?:is )?denied|403 forbidden|request (?:blocked|rejected)|you have been blocked|access to this page has been denied|sorry, you have been blocked)[.!]?(?: [-|–] .{0,60})?$/i,
      text: /^.{0,40}$|\b(?:you (?:don't|don’t|do not) have (?:permission|access)|your (?:request|access|ip|connection|network|browser)\b|(?:request|reference|incident|support|event|ray|trace)(?: id| number| code)?[ :#]{1,3}[0-9a-f-]{1,40}|on this server|firewall|administrator|site owner|webmaster)/i,
      unless: TELLS_OF,
      short: 500,
      links: 4,
      fields: 1,
    },
  },
  {
    id: 'phrase/refused',
    kind: 'block',
    failed: null,
    confidence: 0.87,
    when: {
      status: REFUSED,
      text: /you have been blocked|(?:detected|noticed|due to|because of|seen|flagged) (?:some |an? )?(?:unusual|suspicious|abnormal|malicious) (?:traffic|activity|behaviou?r|requests?)|unusual (?:traffic|activity)|automated (?:requests|access|queries|traffic)|access to this (?:page|resource|site|website) (?:has been|is) (?:denied|blocked)|your (?:ip|ip address|request|access) (?:has been|was|is) (?:blocked|banned|denied|rejected)|(?:bots?|scrapers?|crawlers?) (?:are|is) not allowed|\baccess denied\b|^(?:403 )?forbidden(?:[.!:]|$| (?:nginx|apache|openresty|you|access|your|request|-))/i,
      short: 800,
      links: 8,
      fields: 1,
    },
  },
  {
    // Not what is said of others, or only may be the case.
    id: 'phrase/soft-block',
    kind: 'block',
    failed: null,
    confidence: 0.86,
    when: {
      status: SERVED,
      text: /(?<!\b(?:if|when|whether|that|because|why|once|like|after|while|say|says|mean|means|message|until|unless|think|as) |["“„«‘'])(?:(?:you(?:'ve| have) been|you are|you were) (?:temporarily |permanently )?blocked(?! by (?:an?|another|this|that|the other|your) (?:other )?(?:member|user|friend|person|player|seller|contact))(?=\W{0,3}$|.{1,250}(?:access|\bsite|page|request|security|\bip\b|contact|support|number|reference|network|write to|traffic|activity|\bbot))|your (?:ip|ip address|access|connection|network)(?: \(?[0-9a-f.:]{7,45}\)?)?(?: to this (?:page|site|website|resource))? (?:has been|was|is) (?:temporarily |permanently )?(?:blocked|banned|denied|blacklisted|restricted)(?! (?:only|if|when|after you|unless|until you)|[^.!?]{0,80}\?)|your request (?:has been|was|is) (?:blocked|flagged)|access to this (?:page|resource|site|website) (?:has been|is) (?:denied|blocked)(?=\W{0,3}$|[.,;:!(]| (?:for|due|because|from|you|by (?:the |our |your |an? )?(?:site|web|network|firewall|security|system|owner|admin|policy|waf))))|(?:detected|noticed|due to|because of) (?:some |an? )?(?:unusual|suspicious|automated|abnormal) (?:traffic|activity|access|requests?|behaviou?r)\b.{0,40}\b(?:from|on|in|by) (?:you\b|your |this (?:ip|network|computer|device|address))/i,
      unless: TELLS_OF,
      short: 450,
      links: 3,
      fields: 1,
    },
  },
  {
    id: 'phrase/too-many-requests',
    kind: 'rate',
    failed: 'rate',
    confidence: 0.88,
    when: {
      status: [403, 503],
      text: /too many requests|rate limit(?:ed| exceeded)|requesting (?:pages )?too (?:fast|quickly|often)/i,
      short: 300,
      links: 3,
      fields: 0,
    },
  },
  {
    // A site is slowed down for everybody by this: the first words have to say it, and hardly any may follow.
    id: 'phrase/too-many-requests-served',
    kind: 'rate',
    failed: 'rate',
    confidence: 0.91,
    when: {
      status: SERVED,
      text: /^(?:(?:sorry|oops|error|http|429)[\s:!.,–-]{1,4}){0,3}(?:you(?: have|'ve|’ve)? (?:made|sent) )?(?:too many requests|rate limit(?: is| was| has been)? exceeded|rate limited|you are requesting (?:pages )?too (?:fast|quickly|often))(?=\W{0,3}$|[.!,;:]| (?:from|please|try|wait|slow|nginx|you have|you've|we have|too many)\b)/i,
      unless: TELLS_OF,
      short: 120,
      links: 3,
      fields: 0,
    },
  },
  {
    id: 'phrase/server-error',
    kind: 'error_page',
    failed: null,
    confidence: 0.9,
    when: {
      status: [200],
      title:
        /^(?:(?:http )?(?:error |status )?50[0234]|(?:(?:http )?(?:error )?50[0234][\s:|–-]{1,3})?(?:internal server error|bad gateway|service (?:temporarily )?unavailable|gateway time-?out|server error|database error|fatal error|error)(?: [-|–] .{0,40})?)[.!]?$/i,
      text: /^.{0,60}(?:internal server error|bad gateway|gateway time-?out|service (?:temporarily )?unavailable|server error).{0,12}$|\b(?:http error 5\d\d|the service is unavailable|an error (?:has )?(?:occurred|come up)|something went wrong|please try again|try again (?:later|shortly|soon|in)|server (?:is|was|has|could|cannot|encountered)|unable to (?:connect|process|complete)|overloaded|nginx|apache|varnish|backend|upstream|connection to the database)\b/i,
      unless: TELLS_OF,
      short: 400,
      links: 4,
      fields: 0,
    },
  },
  {
    id: 'phrase/no-database',
    kind: 'error_page',
    failed: null,
    confidence: 0.93,
    when: {
      status: [200],
      title: /^(?:database error|error|.{0,60}› error)?$/i,
      text: /^error establishing a database connection/i,
      short: 300,
      links: 2,
    },
  },
];
