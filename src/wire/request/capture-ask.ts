import { urlGlobProblem } from '../../base/url-glob.ts';
import type { CaptureFilter } from '../../domain/browser-options.ts';
import { type Problems, wrong } from '../schema/problems.ts';
import type { CaptureOptions } from './browser-options-schema.ts';

/** Which exchanges of the page are to be told. */
export function readCapture(given: CaptureOptions, problems: Problems): readonly CaptureFilter[] {
  return given.map(({ url, method, resource_type: resourceType = null, body = false }, at) => {
    const problem = urlGlobProblem(url);
    if (problem !== null)
      wrong(problems, `/scraper_options/capture/${at}/url`, `is not a valid glob: ${problem}`);
    return { url, method: method?.toUpperCase() ?? null, resourceType, body };
  });
}
