import { bare } from '../a-page.ts';
import type { Example, Examples } from './example.ts';

const WAITING = '<h1>Thank you for your patience</h1><p>This page lets you in by itself.</p>';
const TICKETS = '<h1>Tickets</h1><p>On sale from nine. Ask at the desk if you are early.</p>';

/** A waiting page with the markup, and a served page with what the vendor's script leaves there. */
const markup = (waiting: string, served: string): Example => ({
  for: { body: bare('Tickets', WAITING + waiting) },
  against: { body: bare('Tickets', TICKETS + served) },
});

export const QUEUE_EXAMPLES: Examples = {
  'queue/queue-it': markup(
    '<span id="MainPart_lbUsersInLineAheadOfYou">812</span>',
    '<script src="https://static.queue-it.net/script/queueclient.min.js"></script>',
  ),
  'queue/queue-it-host': {
    for: {
      final: 'https://shop.queue-it.net/?c=shop&e=sale&t=https%3A%2F%2Fsite.example%2Fa%2Fpage',
      body: bare('Tickets', WAITING),
    },
    against: { final: 'https://site.example/queue-it.net/', body: bare('Tickets', TICKETS) },
  },
  'queue/cloudflare': markup(
    '<script src="/cdn-cgi/waitingroom/w.js"></script>',
    '<script src="/cdn-cgi/scripts/email-decode.min.js"></script>',
  ),
  'queue/akamai': markup(
    '<script>document.cookie="akavpwr_sale=1"</script>',
    '<script src="/akam/13/2d5b"></script>',
  ),
  'queue/aws': markup(
    '<script src="/waiting-room/api/assign_queue_num"></script>',
    '<a href="/rooms">Our waiting room</a>',
  ),
  'queue/crowdhandler': markup(
    '<script src="https://wait.crowdhandler.com/x.js"></script>',
    '<script src="/crowdhandler.js"></script>',
  ),
  'queue/queue-fair': markup(
    '<script src="https://files.queue-fair.net/page.js"></script>',
    '<script src="https://files.queue-fair.net/client.js"></script>',
  ),
  'queue/netfunnel': markup(
    '<div id="NetFunnel_Loading_Popup" class="NetFunnelWait"></div>',
    '<p>NetFunnel</p>',
  ),
  'queue/imperva': markup(
    '<img src="/_Incapsula_Resource?SWKMTFSR=1&waitingroom=2">',
    '<script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>',
  ),
  'queue/netacea': markup('<div class="netacea-waiting"></div>', '<!-- netacea -->'),
  'queue/fastly': markup('<meta name="waiting_room_token" content="1">', '<p>The waiting room has tea.</p>'),
  'queue/shieldon': {
    for: { body: bare('x', '<div class="status-user-info"></div><p>Please line up</p>') },
    against: { body: bare('x', '<p>Please line up at the desk.</p>') },
  },
  'queue/title': {
    for: { status: 503, body: bare('Waiting Room', '<p>It will be your turn soon.</p>') },
    against: {
      body: bare('Waiting room chairs', '<p>Six chairs in ash wood, 49.00 each. Wait for the sale.</p>'),
    },
  },
  'queue/text': {
    for: {
      body: bare(
        'Sale',
        '<h1>You are now in line</h1><p>When it is your turn, you will have ten minutes.</p>',
      ),
    },
    against: {
      body: bare(
        'Blood test',
        '<p>Take a number. People ahead of the desk stand in line; you are in good hands.</p>',
      ),
    },
  },
};
