import about from '../../package.json' with { type: 'json' };

/** Of this program, as in package.json. */
export const VERSION: string = about.version;

/** What it says of itself to targets. */
export const USER_AGENT = `Sluice/${VERSION}`;
