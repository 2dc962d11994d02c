import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/**
 * Whether a certificate is for this host, by its subject alternative names alone (RFC 9525 §2, as browsers): Node by
 * itself would take the common name where there is none.
 */
export function checkIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  return checkServerIdentity(host, { ...certificate, subject: { ...certificate.subject, CN: '' } });
}
