import { baseUrl, flag, folderPrefix, matching, optionalVariable, secretText, variable } from './parsers.ts';

/** Of the bucket for large contents. */
export const S3_VARIABLES = {
  s3Endpoint: optionalVariable({
    name: 'SLUICE_S3_ENDPOINT',
    doc: 'Base URL of an S3 service, such as `https://s3.eu-central-1.amazonaws.com`. Contents over 256 KiB, screenshots and files are stored there, instead of in the data folder. It is called directly: the address policy and the proxies of scrapes do not apply. See [operation](operation.md#large-contents-in-s3).',
    parse: baseUrl,
  }),
  s3Bucket: optionalVariable({
    name: 'SLUICE_S3_BUCKET',
    doc: 'The bucket. It must exist.',
    parse: matching(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, 'the name of a bucket such as my-contents'),
  }),
  s3Region: variable({
    name: 'SLUICE_S3_REGION',
    fallback: 'us-east-1',
    doc: 'Region of the bucket. Services without regions take the default.',
    parse: matching(/^[A-Za-z0-9-]{1,64}$/, 'a region such as eu-central-1'),
  }),
  s3AccessKeyId: optionalVariable({
    name: 'SLUICE_S3_ACCESS_KEY_ID',
    doc: 'Access key. It needs `s3:GetObject`, `s3:PutObject`, `s3:DeleteObject`, `s3:AbortMultipartUpload` and `s3:ListBucket`.',
    secret: true,
    noFile: true,
    parse: secretText(1, 200, /^[\x21-\x7e]+$/, 'visible ASCII characters'),
  }),
  s3SecretAccessKey: optionalVariable({
    name: 'SLUICE_S3_SECRET_ACCESS_KEY',
    doc: 'Secret of the access key.',
    secret: true,
    parse: secretText(1, 500, /^[\x21-\x7e]+$/, 'visible ASCII characters'),
  }),
  s3Prefix: variable({
    name: 'SLUICE_S3_PREFIX',
    fallback: '',
    doc: 'Folder in the bucket, such as `sluice/`.',
    parse: folderPrefix,
  }),
  s3ForcePathStyle: variable({
    name: 'SLUICE_S3_FORCE_PATH_STYLE',
    fallback: false,
    doc: 'The bucket is in the path of URLs, not in the host name: `https://host/bucket/…`. Always so if the endpoint is an IP address or `localhost`.',
    parse: flag,
  }),
};
