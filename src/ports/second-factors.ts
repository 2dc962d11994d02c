import type { AuditEvent } from '../domain/audit.ts';

/** The authenticator app of a user. */
export interface SecondFactorRow {
  readonly userId: string;
  /** Sealed by the purpose `totp` for the user. */
  readonly sealed: Uint8Array;
  readonly createdAt: number;
  /** ms since the epoch; null: not confirmed by a code yet, so sign-in does not ask for it. */
  readonly confirmedAt: number | null;
}

/** A part of `AccountStore`, with its guarantees. */
export interface SecondFactorStore {
  secondFactors(): Promise<readonly SecondFactorRow[]>;
  /** Replaces one that is not confirmed. @returns false: the user has one that is confirmed */
  putSecondFactor(row: SecondFactorRow): Promise<boolean>;
  /**
   * Confirms it by a code of the step `step`, and stores the recovery codes.
   * @returns false: there is none that is not confirmed
   */
  confirmSecondFactor(
    confirmed: {
      readonly userId: string;
      readonly at: number;
      readonly step: number;
      readonly recoveryHashes: readonly Uint8Array[];
    },
    audit: AuditEvent,
  ): Promise<boolean>;
  /** Uses up this step and those before it. @returns false: a code of this step or of a later one was used */
  useTotpStep(userId: string, step: number): Promise<boolean>;
  /** @returns false: there is no such code, or it was used */
  useRecoveryCode(userId: string, hash: Uint8Array, audit: AuditEvent): Promise<boolean>;
  recoveryCodesLeft(userId: string): Promise<number>;
  /** @returns false: there is none */
  deleteSecondFactor(userId: string, audit: AuditEvent): Promise<boolean>;
}
