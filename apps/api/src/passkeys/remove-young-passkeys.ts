import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { voidWords } from '../identity/one-time-words.js';
import { type SecretChange, SecretChanges } from '../identity/secret-changes.js';
import { SecurityNotices } from '../identity/security-notices.js';
import { YOUNG_PASSKEY_DAYS } from './limits.js';
import { removeCodes } from './recovery-codes.js';
import { wayInWord } from './way-in.js';

const REMOVE_YOUNG = `
  delete from passkeys where account_id = $1 and created_at > now() - $2 * interval '1 day' returning name`;
const LEFT = 'select name from passkeys where account_id = $1 order by created_at, id';

/**
 * Removes from a recovered account what an intruder may have added: the passkeys of the last days, the recovery codes,
 * and the operator's one-time word. Older passkeys stay, and the member is told which ones. An admin's reset counts as
 * a recovery.
 */
@Injectable()
export class RemoveYoungPasskeys {
  constructor(
    changes: SecretChanges,
    private readonly notices: SecurityNotices,
  ) {
    changes.onChange((manager, change) => this.afterChange(manager, change));
  }

  private async afterChange(manager: EntityManager, { accountId, by }: SecretChange): Promise<void> {
    switch (by) {
      case 'member':
        return;
      case 'recovery':
      case 'admin':
        await this.afterRecovery(manager, accountId);
    }
  }

  private async afterRecovery(manager: EntityManager, accountId: string): Promise<void> {
    await removeCodes(manager, accountId);
    await voidWords(manager, wayInWord(accountId));
    const [young]: [{ name: string }[], number] = await manager.query(REMOVE_YOUNG, [accountId, YOUNG_PASSKEY_DAYS]);
    const old: { name: string }[] = await manager.query(LEFT, [accountId]);
    if (young.length + old.length === 0) return;
    const [removed, left] = [namesOf(young), namesOf(old)];
    await this.notices.tell(accountId, { kind: 'passkeys_after_recovery', removed, left }, manager);
  }
}

const namesOf = (rows: readonly { readonly name: string }[]): string[] => rows.map(({ name }) => name);
