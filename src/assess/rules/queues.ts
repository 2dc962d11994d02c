import { type Rule, type RuleConditions, verdict } from '../rule.ts';
import { SHOP_WORDS } from './phrases.ts';

/** A page that only lets its reader wait until it is his turn. It lets him in by itself, mostly by script. */
const waits = (id: string, when: RuleConditions): Rule => ({
  id: `queue/${id}`,
  ...verdict('challenge', 'js', 0.93),
  when: { status: [200, 202, 403, 429, 503], maxTextLength: 1500, maxLinks: 8, maxFields: 2, ...when },
});

/**
 * Waiting rooms. Served pages load the scripts of such services, too, so markup counts only where the waiting page alone has it.
 * Sources: the vendors' documentation of their pages, and of the texts that they come with.
 */
export const QUEUE_RULES: readonly Rule[] = [
  waits('queue-it', {
    html: /(?:MainPart_)?lb(?:UsersInLineAheadOfYou|QueueNumber|WhichIsIn|ExpectedServiceTime)|id=["']?(?:MainPart_h1|queueittoken|MainPart_div\w{1,40})\b|queue-it\.net\/(?:softblock|afterevent|\?c=)/i,
  }),
  waits('queue-it-host', { finalUrl: /^https?:\/\/[^/?#]{1,200}\.queue-it\.net\//i }),
  waits('cloudflare', { html: /\/cdn-cgi\/waitingroom|__cfwaitingroom|cf-?waitingroom|cfWaitingRoom/i }),
  waits('akamai', { html: /akavpwr|akam[^"'<>]{0,40}waiting-?room|\bakavpau_|vp-?waiting-?room/i }),
  waits('aws', {
    html: /aws-?virtual-?waiting-?room|virtual-waiting-room-on-aws|waiting-room[^"'<>]{0,40}\/(?:assign_queue_num|queue_num|serving_num)/i,
  }),
  waits('crowdhandler', {
    html: /(?:wait|cdn|lite)\.crowdhandler\.com|crowdhandler[-_](?:waiting|queue|lite-room)/i,
    maxTextLength: 600,
  }),
  waits('queue-fair', {
    html: /(?:\w{1,40}\.)?queue-fair\.(?:net|com)\/(?!adapter|client)/i,
    maxTextLength: 600,
  }),
  waits('netfunnel', { html: /NetFunnel(?:_|\.|-)?(?:Wait|Loader|Skin|goForm|Start)/i, maxTextLength: 600 }),
  waits('imperva', {
    html: /_Incapsula_Resource\?[^"'<>]{0,100}waitingroom|incapsula[^"'<>]{0,60}waiting-?room|imperva[^"'<>]{0,60}waiting-?room/i,
  }),
  waits('netacea', { html: /netacea[^"'<>]{0,60}(?:waiting|queue)/i }),
  waits('fastly', {
    html: /waiting[_-]?room[_-]?(?:cookie|token)|fastly[^"'<>]{0,60}waiting-?room/i,
    maxTextLength: 600,
  }),
  waits('shieldon', {
    html: /status-user-info/i,
    text: /please line up|limiting the number of people online/i,
  }),
  waits('title', {
    title:
      /^(?:(?:virtual |online )?(?:waiting room|queue|line)|please wait in line|you are (?:now )?in (?:a |the )?(?:virtual )?(?:line|queue)|.{1,60} [-–|] (?:waiting room|queue)|waiting room [-–|:] .{1,60}|(?:virtueller )?warteraum|warteschlange|salle d['’]attente(?: virtuelle)?|file d['’]attente|sala de espera(?: virtual)?|fila virtual|sala d['’]attesa|wachtkamer|wachtrij|poczekalnia|kolejka|зал ожидания|очередь|待合室|待機室|等候室|排队)(?:\.{3}|…|[.!])?$/i,
    text: /\byour (?:turn|place|position|number|wait)|\byou(?: will|['’]ll| are| have|['’]re)\b|automatically|refresh|reload|estimated|ahead of|do not close|(?:ihr|ihre|sie|automatisch|aktualisier)\b|(?:votre|vous|automatiquement)\b|(?:su|tu) (?:turno|lugar)|automáticamente|automaticamente|automatisch|automatycznie|автоматически|очеред|順番|混雑|排队|等待|等候|대기/i,
    textNot: SHOP_WORDS,
    maxTextLength: 800,
  }),
  waits('text', {
    text: /\byou(?: are|'re|’re) (?:now |currently )?(?:(?:waiting )?in (?:a |the |our |an? (?:online|virtual) )?(?:virtual )?(?:line|queue|waiting room)|number [\d,.]{1,9} in (?:the )?(?:line|queue)|being held in a queue)\b|\b(?:your (?:number|place|position) in (?:the )?(?:line|queue)|(?:number of )?(?:users|people|customers|visitors) (?:in (?:the )?(?:line|queue) )?(?:ahead of|in front of|before) you|when it is your turn,? you will|your estimated wait(?:ing)? time (?:is|:)|estimated wait time:|you have been placed in (?:a|the) (?:queue|line|waiting room)|high (?:demand|traffic|volumes?).{0,120}\b(?:queue|waiting room|wait in line)\b)|sie (?:sind|befinden sich|stehen) (?:jetzt |nun |derzeit )?in (?:der|einer) (?:virtuellen )?warte(?:schlange|raum)|ihre? (?:position|platz|nummer) in der warteschlange|vous êtes (?:maintenant |actuellement )?(?:dans (?:la|une) (?:file|salle) d['’]attente|en file d['’]attente)|votre (?:position|place|numéro) dans la file|(?:está|estás|usted está) (?:ahora )?en (?:la|una) (?:fila|cola|sala de espera)|tu (?:lugar|posición|número) en la (?:fila|cola)|você está (?:agora )?(?:na|em uma) fila|(?:sei|siete|ora è) (?:ora )?in (?:coda|fila)|u (?:staat|bent|zit) (?:nu |momenteel )?in de (?:(?:wacht)?rij|wachtkamer)|jesteś (?:teraz )?w (?:kolejce|poczekalni)|(?:du|ni) (?:står|är|er|har) (?:nu |nå )?(?:i|plats i|en plads i) (?:kö|kø|køen|kön)|jste ve? (?:frontě|čekárně)|sırada(?:sınız| bekliyorsunuz)|вы (?:находитесь |стоите |сейчас )?в очереди|順番(?:が来るまで|に)[^。]{0,20}お待ち|(?:現在|ただいま)[^。]{0,30}(?:混雑|混み合).{0,60}(?:お待ち|順番)|您?(?:正在|已)(?:进入)?排队|排队(?:人数|中,|等候)|前面(?:还)?有\s?\d{1,9}\s?人|현재 대기|대기 ?(?:순번|인원|번호)|접속 ?대기/i,
    textNot: SHOP_WORDS,
    maxTextLength: 700,
    maxLinks: 5,
  }),
];
