import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { lockAccount } from '../../identity/account-changes.js';
import { IdentityChanges } from '../../identity/identity-changes.js';
import { SecurityNotices } from '../../identity/security-notices.js';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { Passkeys } from '../passkeys.js';
import { PasskeyNameField } from '../passkey-name.js';
import { removeCodes, replaceCodes } from '../recovery-codes.js';
import { noPasskey, passkeyNotFound } from '../refusals.js';

export class RenamePasskeyDto {
  @PasskeyNameField()
  name: string;
}

export class RenamePasskey extends Command<void> {
  constructor(
    readonly member: SignedInMember,
    readonly passkeyId: string,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RenamePasskey)
export class RenamePasskeyHandler implements ICommandHandler<RenamePasskey> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
  ) {}

  /** @throws AppError 404 the member has no such passkey */
  async execute({ member, passkeyId, name }: RenamePasskey): Promise<void> {
    const { rpId } = this.passkeys.place();
    const [rows]: [unknown[], number] = await this.dataSource.query(
      'update passkeys set name = $4 where id = $1 and account_id = $2 and rp_id = $3 returning id',
      [passkeyId, member.id, rpId, name],
    );
    if (rows.length === 0) throw passkeyNotFound();
  }
}

export class RemovePasskey extends Command<void> {
  constructor(
    readonly member: SignedInMember,
    readonly passkeyId: string,
  ) {
    super();
  }
}

@CommandHandler(RemovePasskey)
export class RemovePasskeyHandler implements ICommandHandler<RemovePasskey> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
    private readonly proofs: FreshProofs,
    private readonly notices: SecurityNotices,
    private readonly changes: IdentityChanges,
  ) {}

  /**
   * Removing the last passkey also removes the recovery codes, which stand in for passkeys.
   * @throws AppError 404 the member has no such passkey, 401 the session ended in the meantime
   */
  async execute({ member, passkeyId }: RemovePasskey): Promise<void> {
    const { rpId } = this.passkeys.place();
    await this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, member);
      const [removed]: [{ name: string }[], number] = await manager.query(
        'delete from passkeys where id = $1 and account_id = $2 and rp_id = $3 returning name',
        [passkeyId, member.id, rpId],
      );
      const name = removed[0]?.name;
      if (name === undefined) throw passkeyNotFound();
      const left: unknown[] = await manager.query('select from passkeys where account_id = $1 limit 1', [member.id]);
      if (left.length === 0) await removeCodes(manager, member.id);
      await this.proofs.forgetOthers(manager, member);
      await this.notices.tell(member.id, { kind: 'passkey_removed', name }, manager);
    });
    await this.changes.publish({ kind: 'account', accountId: member.id });
  }
}

/** Replaces all recovery codes; returns the new ones. */
export class MakeRecoveryCodes extends Command<string[]> {
  constructor(readonly member: SignedInMember) {
    super();
  }
}

@CommandHandler(MakeRecoveryCodes)
export class MakeRecoveryCodesHandler implements ICommandHandler<MakeRecoveryCodes> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
  ) {}

  /** @throws AppError 409 `NO_PASSKEY`, 401 the session ended in the meantime */
  async execute({ member }: MakeRecoveryCodes): Promise<string[]> {
    if ((await this.passkeys.of(member.id)).length === 0) throw noPasskey();
    return this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, member);
      return replaceCodes(manager, member.id);
    });
  }
}
