import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';

/** A password or PIN that is being replaced, and by whom. */
export interface SecretChange {
  readonly accountId: string;
  /** `recovery`: somebody without the password. `member`: from within a session, by the current password. */
  readonly by: 'recovery' | 'admin' | 'member';
  readonly kind: 'password' | 'pin';
  /** The member's own, on which they changed it. */
  readonly deviceId?: string;
}

/** What ended with the old secret, for the answer. */
export interface EndedWithSecret {
  /** Names of the applications that lost their consent. */
  readonly applications: readonly string[];
}

export type SecretChangeListener = (manager: EntityManager, change: SecretChange) => Promise<EndedWithSecret | void>;

/**
 * Areas that revoke something when a password or PIN changes register here. A listener runs in the transaction that
 * stores the new secret, with the account locked: both happen or neither does.
 */
@Injectable()
export class SecretChanges {
  private readonly listeners: SecretChangeListener[] = [];

  onChange(listener: SecretChangeListener): void {
    this.listeners.push(listener);
  }

  /** Runs every listener in turn: they share one connection. */
  async tell(manager: EntityManager, change: SecretChange): Promise<EndedWithSecret> {
    const applications: string[] = [];
    for (const listener of this.listeners)
      applications.push(...((await listener(manager, change))?.applications ?? []));
    return { applications };
  }
}
