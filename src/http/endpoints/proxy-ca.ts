import { failure } from '../../domain/failure.ts';
import { endpoint } from '../core/endpoint.ts';
import { Refusal } from '../core/refusal.ts';
import { problem, text } from '../core/responses.ts';

const NO_PROXY_PORT = failure('request.not_found', 'The operator has not set `SLUICE_PROXY_PORT`.');

export const PROXY_CA = [
  endpoint({
    method: 'get',
    path: '/api/v1/proxy-ca.pem',
    operationId: 'getProxyCa',
    summary: 'Get the certificate of the proxy port',
    description:
      'The certificate authority that signs what the proxy port shows to clients of https sites. Clients must trust it.',
    access: 'public',
    ownResponsesOnly: true,
    responses: {
      200: text('The certificate as PEM.', 'application/x-pem-file'),
      404: problem('There is no proxy port: `request.not_found`.'),
    },
    handler: ({ reply }, { proxyCa }) => {
      if (proxyCa === null) throw new Refusal([NO_PROXY_PORT]);
      return reply.header('content-type', 'application/x-pem-file').send(proxyCa);
    },
  }),
];
