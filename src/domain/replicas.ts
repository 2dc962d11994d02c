/** What a process of the service does: requests without browsers (`api`); browsers, jobs, webhooks and monitors (`worker`); or all. */
export type ReplicaRole = 'all' | 'api' | 'worker';
