import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { DataSource } from 'typeorm';
import { lockAccount } from '../../identity/account-changes.js';
import { ONE_TIME_WORD_LENGTH_MAX, OneTimeWords } from '../../identity/one-time-words.js';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { AppError } from '../../platform/errors/app-error.js';
import { IsPlainText } from '../../platform/text.js';
import { PasskeyAnswerDto } from '../device-answers.dto.js';
import { Passkeys } from '../passkeys.js';
import { codeHash } from '../recovery-codes.js';
import { codeRefused } from '../refusals.js';
import { wayInWord } from '../way-in.js';

/** One of the two. */
export class ProveAgainDto {
  /** What the device answered. */
  @ApiPropertyOptional({ type: PasskeyAnswerDto })
  @IsOptional()
  @ValidateNested()
  @Type(() => PasskeyAnswerDto)
  @IsObject({ message: 'The answer of your passkey cannot be read.', context: { code: 'INVALID_PASSKEY' } })
  answer?: PasskeyAnswerDto;

  /** In place of a passkey that is not at hand, each works once; or the word that the command line gave. */
  @IsOptional()
  @IsPlainText(
    { min: 1, max: ONE_TIME_WORD_LENGTH_MAX },
    { message: 'This recovery code cannot be read.', context: { code: 'INVALID_CODE' } },
  )
  recoveryCode?: string;
}

/** Proves the session's member once more, by a passkey or a recovery code. */
export class ProveAgain extends Command<void> {
  constructor(
    readonly member: SignedInMember,
    readonly proof: ProveAgainDto,
  ) {
    super();
  }
}

const USE_CODE = 'delete from recovery_codes where account_id = $1 and code_hash = $2 returning 1';

@CommandHandler(ProveAgain)
export class ProveAgainHandler implements ICommandHandler<ProveAgain> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passkeys: Passkeys,
    private readonly proofs: FreshProofs,
    private readonly words: OneTimeWords,
  ) {}

  /**
   * @throws AppError 403 `PASSKEY_REFUSED` or `CODE_REFUSED`, 400 neither or both were sent, 401 the session ended in
   * the meantime
   */
  async execute({ member, proof: { answer, recoveryCode } }: ProveAgain): Promise<void> {
    // Null counts as absent.
    if (answer && !recoveryCode) return this.proveByPasskey(member, answer);
    if (!answer && recoveryCode) return this.proveByCode(member, recoveryCode);
    throw oneOfTwo();
  }

  private async proveByPasskey(member: SignedInMember, answer: PasskeyAnswerDto): Promise<void> {
    const proven = await this.passkeys.verify(answer, { purpose: 'prove', holder: member.sessionId }, member.id);
    await this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, member);
      await this.passkeys.use(manager, proven);
      await this.proofs.record(manager, member.sessionId);
    });
  }

  private async proveByCode(member: SignedInMember, code: string): Promise<void> {
    const isCode = await this.dataSource.transaction(async (manager) => {
      await lockAccount(manager, member);
      const [used]: [unknown[], number] = await manager.query(USE_CODE, [member.id, codeHash(code)]);
      if (used.length > 0) await this.proofs.record(manager, member.sessionId);
      return used.length > 0;
    });
    if (isCode) return;
    const proven = await this.words.redeem(wayInWord(member.id), code, async (client) => {
      await this.proofs.record(client, member.sessionId);
      return true;
    });
    if (proven === undefined) throw codeRefused();
  }
}

const oneOfTwo = (): AppError =>
  new AppError(400, 'PROOF_MISSING', 'Please send either the answer of a passkey or a recovery code.');
