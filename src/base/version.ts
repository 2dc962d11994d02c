import packageJson from '../../package.json' with { type: 'json' };

/** The version of this program, from package.json. */
export const VERSION: string = packageJson.version;

/** The default `User-Agent` for targets. */
export const USER_AGENT = `Sluice/${VERSION}`;
