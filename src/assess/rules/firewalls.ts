import { type Rule, type RuleConditions, verdict } from '../rule.ts';

/** Statuses with which firewalls refuse requests. 412, 418 and 419 to 499 are chosen by some so that logs tell them apart. */
const REFUSALS = [
  400, 401, 403, 405, 406, 409, 412, 418, 419, 420, 423, 429, 430, 432, 436, 439, 444, 451, 456, 461, 468,
  473, 493, 499, 501, 503, 999,
];

/** A block page on which a firewall names itself: the sign may be in its markup only, so it is searched for in the source. */
const named = (id: string, html: RegExp, more: RuleConditions = {}): Rule => ({
  id,
  ...verdict('block', null, 0.94),
  when: { status: REFUSALS, html, maxTextLength: 2000, maxLinks: 8, ...more },
});

/** A response header that a firewall only adds to refusals. */
const byHeader = (id: string, name: string, value: RegExp): Rule => ({
  id,
  ...verdict('block', null, 0.95),
  when: { status: REFUSALS, header: [name, value] },
});

/** A status that nothing else uses. */
const byStatus = (id: string, status: number): Rule => ({
  id,
  ...verdict('block', null, 0.93),
  when: { status: [status] },
});

/**
 * Firewalls that name themselves when they refuse a request. Sources: the plugins of wafw00f 2.2 (names and signs), and the
 * vendors' documentation. They count with the status of a refusal only: pages about a firewall are served with 200.
 */
export const FIREWALL_RULES: readonly Rule[] = [
  byStatus('yundun/461', 461),
  byStatus('360-wangzhanbao/493', 493),
  byHeader('dotdefender/denied', 'x-dotdefender-denied', /./),
  byHeader('cachewall/action', 'x-cachewall-action', /./),
  byHeader('dynamicweb/injection-check', 'x-403-status-by', /dw.inj.check/i),
  byHeader('aesecure/code', 'aesecure-code', /./),
  byHeader('naxsi/origin', 'x-data-origin', /^naxsi/i),
  {
    // Proxies send their name with the refusals of the site, too, so only a page that says hardly anything counts.
    id: 'firewall/server-name',
    ...verdict('block', null, 0.88),
    when: {
      status: REFUSALS,
      header: [
        'server',
        /waf\b|\bwf_?waf|web ?(?:application )?firewall|application (?:shield|firewall)|web ?shield|greywizard|yundun|yunjiasu|safedog|nsfocus|newdefend|wallarm|airlock|sonicwall|watchguard|profense|binarysec|trafficshield|reblaze|dosarrest|nullddos|zenedge|qrator|ddos-guard|variti|servicepipe|stormwall/i,
      ],
      text: /^/,
      maxTextLength: 400,
      maxLinks: 3,
      maxFields: 1,
    },
  },
  named('360-wangzhanbao/page', /wzws-waf-cgi\/|wangshan\.360\.cn/i),
  named('aesecure/page', /aesecure_denied\.png/i),
  named('airee/page', /airee\.cloud/i),
  named('airlock/page', /server detected a syntax error in your request/i),
  named('anquanbao/page', /aqb_cc\/error\//i),
  named('anyu/page', /anyu.{0,10}the green channel|access has been intercepted by anyu/i),
  named('approach/page', /approach.{0,10}web application (?:firewall|filtering)/i),
  named('armor/page', /blocked by website protection from armor|create an armor support ticket/i),
  named('arvancloud/page', /arvan ?cloud/i, {
    text: /forbidden|blocked|denied|refused|access|مسدود|دسترسی/i,
  }),
  named('astra/page', /astrawebsecurity\.freshdesk\.com|www\.getastra\.com\/assets\/images/i),
  named('barikode/page', /<strong>barikode<.strong>/i),
  named('barracuda/page', /Barracuda.Networks|Barracuda Web Application Firewall/i),
  named('bekchy/page', /Bekchy.{0,10}Access Denied|bekchy\.com\/report/i),
  named('bluedon/page', /bluedon web application firewall/i),
  named('bulletproof-security/page', /\bbpsMessage\b/),
  named('bunkerweb/page', /\bBunkerWeb\b/i),
  named('cachewall/page', /security by cachewall|403 naughty.{0,10}not nice/i),
  named('cdnns/page', /cdnnswaf application gateway/i),
  named(
    'cerber/page',
    /your request looks suspicious or similar to automated|are not allowed to proceed.{0,400}automated requests from spam/is,
  ),
  named('chuangyu/page', /(?:www|help)\.365cyd\.com/i),
  named(
    'cloudbric/page',
    /<title>Cloudbric|blocked by Cloudbric|contact Cloudbric Support|cloudbric\.zendesk\.com/i,
  ),
  named('cloudfloor/page', /CloudfloorDNS.{0,6}Web Application Firewall|www\.cloudfloordns\.com\/contact/i),
  named('cloud-protector/page', /cloudprotector\.com\/|Cloud Protector.{0,40}Rohde/i),
  named('comodo/page', /Protected by COMODO WAF/i),
  named('crawlprotect/page', /<title>crawlprotect|protected by crawlprotect/i),
  named('distil/page', /distilnetworks\.com\/images\/anomaly|distilCaptchaForm|distilCallbackGuard/i),
  named(
    'dotdefender/page',
    /dotdefender blocked your request|Applicure is the leading provider|dotDefender/i,
  ),
  named('dynamicweb/page', /by dynamic check(?:.{0,10}module)?/i),
  named('eisoo/page', /eisoo-firewall-block\.css|www\.eisoo\.com/i),
  named('godaddy/page', /GoDaddy (?:security|website firewall)/i),
  named(
    'greywizard/page',
    /<(?:title|h\d)>Grey ?Wizard|contact the website owner or Grey ?Wizard|grey-?wizard\.com|We.ve detected attempted attack or non standard traffic/i,
  ),
  named('huawei-cloud/page', /hwclouds\.com|hws_security@|HuaweiCloudWAF/i),
  named('indusguard/page', /secured against online attacks\. Your request was blocked/i),
  named('isa-server/page', /server denied the specified uniform resource locator/i),
  named('janusec/page', /janusec application gateway/i),
  named('jiasule/page', /notice-jiasule|static\.jiasule\.com/i),
  named('knownsec/page', /\/ks[-_]waf[-_]error\.png/i),
  named('malcare/page', /firewall.{0,15}powered.by.{0,15}malcare|blocked because of malicious activities/i),
  named(
    'mod-security/page',
    /rules of the mod.security.module|mod.security.rules triggered|Protected by Mod.?Security|\/modsecurity[-_]errorpage\/|modsecurity iis/i,
  ),
  named('naxsi/page', /blocked by naxsi|naxsi blocked information/i),
  named(
    'nemesida/page',
    /nemesida(?:-security)?\.com|nwaf@|Suspicious activity detected.{0,10}Access to the site is blocked/i,
    {
      status: [222, ...REFUSALS],
    },
  ),
  named(
    'netscaler/page',
    /(?:NS Transaction|AppFW Session) id|Violation Category.{0,5}APPFW_|Citrix\|NetScaler/i,
  ),
  named('newdefend/page', /www\.newdefend\.com\/feedback|\/nd-block\//i),
  named('nexusguard/page', /Powered by Nexusguard|nexusguard\.com\/wafpage\//i),
  named('ninjafirewall/page', /<title>NinjaFirewall|For security reasons?,? it was blocked and logged/i),
  named('palo-alto/page', /virus.spyware blocked|Palo Alto Next Generation Security Platform/i),
  named('penta-waf/page', /Penta.?Waf\/[0-9.]+/i),
  named(
    'perimeterx/page',
    /www\.perimeterx\.(?:com|net)\/whywasiblocked|denied because we believe you are using automation tools/i,
  ),
  named(
    'pksec/page',
    /pk.?Security.?Module|this could be a potential hack attack|safety critical (?:call|request) was (?:detected|discovered) and blocked/i,
  ),
  named('qcloud/page', /腾讯云Web应用防火墙|waf\.tencent-?cloud\.com|Tencent Cloud WAF/i),
  named(
    'radware/app-wall',
    /CloudWebSec\.radware\.com|<title>Unauthorized Request Blocked|because we have detected unauthorized activity/i,
  ),
  named('rsfirewall/page', /com_rsfirewall_/i),
  named('safe3/page', /Safe3waf\/[0-9.]+/i),
  named('safedog/page', /safedogsite\/broswer_logo\.jpg|404\.safedog\.cn/i),
  named('secupress/page', /<(?:title|h\d)>SecuPress/i),
  named('secure-iis/page', /SecureIIS|www\.eeye\.com\/Secure-?IIS/i),
  named(
    'securesphere/page',
    /The incident ID is.{0,400}Contact support for additional information|This page can't be displayed\. Contact support/is,
  ),
  named('senginx/page', /SENGINX-ROBOT-MITIGATION/i),
  named('haproxy/denied', /request forbidden by administrative rules/i),
  named(
    'shield-security/page',
    /You were blocked by the Shield|remaining transgression\(s\) against this site/i,
  ),
  named('siteground/restricted', /access is restricted due to a security rule/i),
  named('siteguard/page', /Powered by SiteGuard|server refuse to browse the page/i),
  named(
    'sitelock/page',
    /SiteLock will remember you|sitelock[_-]shield[_-](?:logo|badge)|SiteLock incident ID/i,
  ),
  named('sonicwall/page', /nsa_banner|<(?:title|h\d)>Web Site Blocked/i),
  named(
    'sophos/page',
    /Powered by.?(?:Sophos)? UTM Web Protection|Access to the requested URL was blocked|Inbound Anomaly Score exceeded/i,
  ),
  named('squid/page', /Access control configuration prevents your request/i),
  named('stackpath/page', /You performed an action that triggered the service and blocked your request/i),
  named('uewaf/page', /\/uewaf_deny_pages\/|\buewaf\b/i),
  named('urlscan/page', /A custom filter or module.{0,4}such as URLScan|Rejected[-_]By[_-]UrlScan/i, {
    status: [404, ...REFUSALS],
  }),
  named('varnish/waf', /Request rejected by xVarnish-WAF/i),
  named('viettel/page', /Access Denied.{0,10}Viettel WAF|Viettel WAF System|cloudrity\.com\.vn/i),
  named('virusdie/page', /cdn\.virusdie\.(?:ru|com)\/splash\/firewallstop|copy.{0,10}Virusdie\.(?:ru|com)/i),
  named('watchguard/page', /Request denied by WatchGuard Firewall|WatchGuard Technologies/i),
  named(
    'webarx/page',
    /WebARX.{0,10}Web Application Firewall|www\.webarxsecurity\.com|plugins\/webarx\/includes/i,
  ),
  named(
    'webknight/page',
    /WebKnight Application Firewall|aqtronix\.com\/WebKnight|AQTRONIX.{0,10}WebKnight/i,
    {
      status: [404, ...REFUSALS],
    },
  ),
  named('webseal/page', /WebSEAL server received an invalid HTTP request|This is a WebSEAL error message/i),
  named('webtotem/page', /current request was blocked.{0,12}WebTotem/i),
  named('wordfence/page', /broke one of (?:the )?Wordfence (?:advanced )?blocking rules/i),
  named('wpmudev/page', /Whoops, this request has been blocked|This request has been deemed suspicious/i),
  named('wts/page', /<(?:title|h\d)>WTS-WAF/i),
  named('xuanwudun/page', /admin\.dbappwaf\.cn/i),
  named('yundun/page', /Blocked by YUNDUN|yundun\.com\/(?:yd[-_]http[_-]error|static\/js\/fingerprint)/i),
  named('yunsuo/page', /class=["']?yunsuologo/i),
  named('zenedge/page', /\/__zenedge\//i),
  named(
    'zscaler/page',
    /Internet Security by ZScaler|zscloud\.net\/img_logo|Zscaler to protect you from internet threats/i,
  ),
  {
    // Sent with 202 and a captcha, too.
    id: 'siteground/robot',
    ...verdict('captcha', 'fingerprint', 0.95),
    when: {
      status: [200, 202, ...REFUSALS],
      text: /Our system thinks you might be a robot!/i,
      maxTextLength: 600,
      maxLinks: 4,
    },
  },
  {
    id: 'bitninja/check',
    ...verdict('captcha', 'ip', 0.95),
    when: {
      status: [200, ...REFUSALS],
      html: /Security check by BitNinja|<title>[^<]{0,60}BitNinja|Visitor anti-robot validation/i,
      maxTextLength: 800,
      maxLinks: 6,
    },
  },
  {
    id: 'shieldon/captcha',
    ...verdict('captcha', 'fingerprint', 0.95),
    when: {
      status: [200, ...REFUSALS],
      html: /shieldon[_-]captcha|name=["']?shieldon/i,
      maxTextLength: 400,
      maxLinks: 3,
    },
  },
];
