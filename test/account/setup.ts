import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AccountResult } from '../../src/account/account-actions.ts';
import { type Accounts, createAccounts } from '../../src/account/accounts.ts';
import type { OpenIdOptions } from '../../src/account/open-id-sign-in.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import type { Principal } from '../../src/domain/account.ts';
import type { AuditEvent } from '../../src/domain/audit.ts';
import { createSealer, encryptionKey } from '../../src/domain/sealing.ts';
import type { Store } from '../../src/ports/store.ts';
import { inProcess } from '../helpers/in-process.ts';

/** A clock that goes with the real one until it is moved. */
export class MovedClock {
  offset = 0;
  now = (): number => Date.now() + this.offset;
  monotonic = (): number => performance.now() + this.offset;
  moveTo(time: number): void {
    this.offset = time - Date.now();
  }
}

export interface House {
  readonly file: string;
  readonly store: Store;
  readonly accounts: Accounts;
  readonly clock: MovedClock;
  readonly audit: AuditEvent[];
  /** One more process, so to speak, on the same file. */
  another(): Promise<{ readonly accounts: Accounts; readonly store: Store }>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** @param currency null: nothing is priced */
export async function openHouse(
  currency: string | null = null,
  openId: OpenIdOptions | null = null,
): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-account-'));
  const file = join(folder, 'sluice.db');
  const clock = new MovedClock();
  const audit: AuditEvent[] = [];
  const opened: { accounts: Accounts; store: Store }[] = [];
  const another = async () => {
    const store = await openSqliteStore({ file, durability: 'normal' });
    const onAudit = (event: AuditEvent) => void audit.push(event);
    const accounts = await createAccounts({
      store: store.accounts,
      audit: store.audit,
      clock,
      defaultConcurrency: 50,
      passwordCost: 10,
      onAudit,
      sealer: async () => createSealer([encryptionKey(new Uint8Array(32))]),
      currency: () => currency,
      openId,
      values: inProcess(clock).values,
      counters: null,
    });
    opened.push({ accounts, store });
    return { accounts, store };
  };
  return {
    file,
    ...(await another()),
    clock,
    audit,
    another,
    async [Symbol.asyncDispose]() {
      for (const { accounts, store } of opened) {
        // A test may have closed the store under it.
        await accounts.close().catch(() => {});
        await store.close();
      }
      rmSync(folder, { recursive: true });
    },
  };
}

/** The value of something that must have worked. */
export function made<T>(managed: AccountResult<T>): T {
  if (managed.failures !== null) assert.fail(JSON.stringify(managed.failures));
  return managed.value;
}

/** The failure codes and pointers of something that must have been refused. */
export function refusalsOf(managed: AccountResult<unknown>): string[] {
  return (managed.failures ?? []).map(({ code, pointer }) =>
    pointer === undefined ? code : `${code} ${pointer}`,
  );
}

/** The principal of a key that must be good. */
export function principalOf(accounts: Accounts, key: string): Principal {
  const found = accounts.authenticate(`Api-Key ${key}`);
  return found.principal ?? assert.fail(found.failure.code);
}

export const codeOf = (accounts: Accounts, key: string): string | null =>
  accounts.authenticate(`Api-Key ${key}`).failure?.code ?? null;
