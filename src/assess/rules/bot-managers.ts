import { type Rule, verdict } from '../rule.ts';

/**
 * Services that detect bots. Their scripts are also part of the pages that a site really serves ("served pages" below), so no
 * rule is based on these scripts alone.
 */
export const BOT_MANAGER_RULES: readonly Rule[] = [
  {
    id: 'datadome/x-dd-b',
    ...verdict('captcha', 'fingerprint', 0.98),
    when: { status: [401, 403, 429], header: ['x-dd-b', /^[12]$/] },
  },
  {
    // `t=bv`: the IP address is banned, and solving the captcha does not help.
    id: 'datadome/banned',
    ...verdict('block', 'ip', 0.97),
    when: {
      html: /geo\.captcha-delivery\.com[^"'<>\s]{0,1000}[?&]t=bv|['"]t['"]\s{0,3}:\s{0,3}['"]bv['"][^}]{0,300}captcha-delivery/,
      maxTextLength: 1500,
    },
  },
  {
    id: 'datadome/captcha-page',
    ...verdict('captcha', 'fingerprint', 0.96),
    when: { html: /(?:geo|ct|interstitial)\.captcha-delivery\.com/, maxTextLength: 400, maxLinks: 3 },
  },
  {
    id: 'human/px-captcha',
    ...verdict('captcha', 'fingerprint', 0.96),
    when: {
      html: /id="px-captcha"|captcha\.px-c(?:dn|loud)\.net|\/captcha\/captcha\.js\?[^"'<>\s]{0,300}a=c/,
      maxFields: 1,
      maxLinks: 6,
    },
  },
  {
    id: 'human/robot-or-human',
    ...verdict('captcha', 'fingerprint', 0.95),
    when: {
      title: /^Robot or human\?$/i,
      text: /(?:activate and|press (?:and|&)|click and)? ?hold|(?:confirm|prove|verify) that you/i,
      maxTextLength: 400,
    },
  },
  {
    // The JSON response to scripts that request data.
    id: 'human/block-script',
    ...verdict('captcha', 'fingerprint', 0.97),
    when: {
      status: [200, 401, 403, 412, 429, 435],
      html: /^\s{0,9}\{(?=[^{}]{0,3000}"appId"\s{0,3}:\s{0,3}"PX)[^{}]{0,3000}"blockScript"\s{0,3}:/,
      maxTextLength: 3000,
    },
  },
  {
    id: 'kasada/x-kpsdk-ct',
    ...verdict('challenge', 'js', 0.97),
    when: { status: [403, 429], header: ['x-kpsdk-ct', /./] },
  },
  {
    // Not p.js of the same folder, which served pages load.
    id: 'kasada/ips',
    ...verdict('challenge', 'js', 0.95),
    when: {
      html: /KPSDK\.scriptStart|\/149e9513-[0-9a-f-]{20,40}\/[0-9a-f-]{4,40}\/ips\.js/,
      maxTextLength: 100,
      maxLinks: 1,
    },
  },
  {
    // Two hashes separated by a comma. Served pages load the same path with a single hash.
    id: 'imperva/challenge-page',
    ...verdict('challenge', 'js', 0.95),
    when: {
      html: /_Incapsula_Resource\?SWJIYLWA=[0-9a-f]{32},[0-9a-f]{32}/,
      maxTextLength: 400,
      maxLinks: 2,
    },
  },
  {
    id: 'imperva/incident-frame',
    ...verdict('block', null, 0.96),
    when: { html: /<iframe[^>]{1,300}_Incapsula_Resource\?/, maxTextLength: 300, maxLinks: 2 },
  },
  {
    id: 'imperva/incident',
    ...verdict('block', null, 0.97),
    when: { html: /Incapsula incident ID:|Request unsuccessful\. Incapsula/i, maxTextLength: 600 },
  },
  {
    id: 'f5/rejected',
    ...verdict('block', null, 0.95),
    when: {
      text: /(?<!["“„«‘'])The requested URL was rejected\. Please consult with your administrator\W{1,9}your support id/i,
      maxTextLength: 600,
      maxLinks: 3,
    },
  },
  {
    // Served pages also have scripts of /TSPD/, but no support id in `noscript`.
    id: 'f5/challenge-page',
    ...verdict('challenge', 'js', 0.93),
    when: { html: /\/TSPD\/|window\["bobcmn"\]/, noscript: /support id is/i, maxTextLength: 60, maxLinks: 1 },
  },
  {
    id: 'aliyun/punish',
    ...verdict('captcha', 'fingerprint', 0.95),
    when: { html: /x5secdata|punish\?x5/, maxTextLength: 400, maxLinks: 3 },
  },
  {
    id: 'tencent/captcha-page',
    ...verdict('captcha', 'fingerprint', 0.9),
    when: {
      html: /TencentCaptcha|turing\.captcha/,
      text: /^$|captcha|verif|slide|robot|human|验证|驗證|安全|滑/i,
      maxTextLength: 200,
      maxLinks: 2,
      maxFields: 0,
    },
  },
  {
    // Documented by the vendor: set if a captcha is sent instead of the page.
    id: 'yandex/x-yandex-captcha',
    ...verdict('captcha', 'fingerprint', 0.98),
    when: { header: ['x-yandex-captcha', /./] },
  },
  {
    id: 'yandex/captcha-page',
    ...verdict('captcha', 'fingerprint', 0.95),
    when: { html: /\/checkcaptcha\?|CheckboxCaptcha|AdvancedCaptcha/, maxTextLength: 800, maxLinks: 8 },
  },
  {
    id: 'radware/captcha-page',
    ...verdict('captcha', 'fingerprint', 0.96),
    when: {
      title: /^(?:Radware (?:Bot Manager )?Captcha(?: Page)?|ShieldSquare (?:Captcha|Block))$/i,
      maxTextLength: 1500,
      maxLinks: 6,
    },
  },
  {
    id: 'radware/validate',
    ...verdict('captcha', 'fingerprint', 0.97),
    when: { finalUrl: /^https?:\/\/(?:validate|captcha)\.perfdrive\.com\// },
  },
  {
    id: 'baidu/captcha-page',
    ...verdict('captcha', 'ip', 0.95),
    when: { title: /^百度安全验证$/, maxTextLength: 400 },
  },
];
