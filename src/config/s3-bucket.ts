import { parseIpRange } from '../base/ip-range.ts';
import type { Config } from './config.ts';

/** The bucket of `SLUICE_S3_*`; null: there is none. */
export function s3Bucket(config: Config) {
  const { s3Endpoint, s3Bucket: bucket, s3AccessKeyId, s3SecretAccessKey } = config;
  if (s3Endpoint === null || bucket === null || s3AccessKeyId === null || s3SecretAccessKey === null)
    return null;
  const hostname = new URL(s3Endpoint).hostname.replace(/[[\]]/g, '');
  return {
    endpoint: s3Endpoint,
    bucket,
    region: config.s3Region,
    accessKeyId: s3AccessKeyId,
    secretAccessKey: s3SecretAccessKey,
    prefix: config.s3Prefix,
    // Addresses and localhost have no names below them.
    pathStyle: config.s3ForcePathStyle || hostname === 'localhost' || parseIpRange(hostname) !== null,
  };
}
