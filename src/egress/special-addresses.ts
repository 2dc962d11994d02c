/**
 * Tables of special addresses. Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190),
 * the IANA IPv6 address space (only 2000::/3 is allocated as global unicast, RFC 4291 §2.4), and the documentation of
 * cloud providers. Where the registries and common practice differ, the address counts as not public.
 */

/** Outside these ranges no IPv6 address is public. IPv4 has no such list. */
export const PUBLIC_V6: readonly string[] = [
  '2000::/3',
  // Next to the NAT64 prefix. It is not allocated and not routed, so permitting it is harmless; common classifiers call it
  // public.
  '64:ff9c::/32',
];

/** Ranges that are not public, with the reason. */
export const NON_PUBLIC: readonly (readonly [cidr: string, reason: string])[] = [
  ['0.0.0.0/8', 'this network, RFC 791 §3.2'],
  ['10.0.0.0/8', 'private, RFC 1918'],
  ['100.64.0.0/10', 'shared address space of carriers, RFC 6598'],
  ['127.0.0.0/8', 'loopback, RFC 1122 §3.2.1.3'],
  ['169.254.0.0/16', 'link-local, RFC 3927'],
  ['172.16.0.0/12', 'private, RFC 1918'],
  ['192.0.0.0/24', 'IETF protocol assignments, RFC 6890 §2.1'],
  ['192.0.2.0/24', 'documentation TEST-NET-1, RFC 5737'],
  ['192.31.196.0/24', 'AS112 anycast, RFC 7535'],
  ['192.52.193.0/24', 'AMT anycast, RFC 7450'],
  ['192.88.99.0/24', '6to4 relay anycast, deprecated, RFC 7526'],
  ['192.168.0.0/16', 'private, RFC 1918'],
  ['192.175.48.0/24', 'AS112 direct delegation, RFC 7534'],
  ['198.18.0.0/15', 'benchmarking, RFC 2544'],
  ['198.51.100.0/24', 'documentation TEST-NET-2, RFC 5737'],
  ['203.0.113.0/24', 'documentation TEST-NET-3, RFC 5737'],
  ['224.0.0.0/4', 'multicast, RFC 5771'],
  ['240.0.0.0/4', 'reserved, with the limited broadcast, RFC 1112 §4, RFC 8190'],
  // Of IPv6 only ranges within `PUBLIC_V6`: everything else is not public anyway.
  ['2001::/23', 'IETF protocol assignments: Teredo, benchmarking, ORCHID, DETs and others, RFC 2928'],
  ['2001:db8::/32', 'documentation, RFC 3849'],
  ['2002::/16', '6to4: leads to the IPv4 address inside, RFC 3056'],
  ['2620:4f:8000::/48', 'AS112 direct delegation, RFC 7534'],
  ['3ffe::/16', '6bone, given back, RFC 3701'],
  ['3fff::/20', 'documentation, RFC 9637'],
];

/** Metadata services of clouds, which give out credentials and settings of the machine. */
export const METADATA_ADDRESSES: readonly (readonly [address: string, cloud: string])[] = [
  ['169.254.169.254', 'most clouds'],
  ['169.254.169.253', 'AWS, name server'],
  ['169.254.169.252', 'GKE, metadata server of the node'],
  ['169.254.170.2', 'AWS ECS, credentials of the task'],
  ['169.254.170.23', 'AWS EKS, pod identity'],
  ['169.254.0.23', 'Tencent Cloud'],
  ['169.254.42.42', 'Scaleway'],
  ['100.100.100.200', 'Alibaba Cloud'],
  ['192.0.0.192', 'Oracle Cloud'],
  // A public address.
  ['168.63.129.16', 'Azure, wire server'],
  ['fd00:ec2::254', 'AWS'],
  ['fd00:ec2::253', 'AWS, name server'],
  ['fd00:ec2::23', 'AWS EKS, pod identity'],
  ['fd20:ce::254', 'Google Cloud'],
  ['fd00:c1::a9fe:a9fe', 'Oracle Cloud'],
  ['fd00:42::42', 'Scaleway'],
  ['fe80::a9fe:a9fe', 'OpenStack'],
];
