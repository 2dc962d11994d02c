import { BOT_MANAGER_EXAMPLES } from './bot-managers.ts';
import { EDGE_EXAMPLES } from './edges.ts';
import type { Examples } from './example.ts';
import { FIREWALL_EXAMPLES } from './firewalls.ts';
import { HOST_EXAMPLES } from './hosts.ts';
import { OTHER_LANGUAGE_EXAMPLES, PHRASE_EXAMPLES } from './phrases.ts';
import { QUEUE_EXAMPLES } from './queues.ts';
import { SITE_EXAMPLES } from './sites.ts';
import { WALL_EXAMPLES } from './walls.ts';

export const EXAMPLES: Examples = {
  ...EDGE_EXAMPLES,
  ...BOT_MANAGER_EXAMPLES,
  ...HOST_EXAMPLES,
  ...FIREWALL_EXAMPLES,
  ...QUEUE_EXAMPLES,
  ...SITE_EXAMPLES,
  ...WALL_EXAMPLES,
  ...PHRASE_EXAMPLES,
  ...OTHER_LANGUAGE_EXAMPLES,
};
