import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { MessageResponse } from '../identity/message.dto.js';
import { NeedsFreshProof, NeedsSession } from '../platform/auth/access.js';
import { CurrentUser, type SignedInMember } from '../platform/auth/member.js';
import { IdParam } from '../platform/id-param.js';
import {
  AddedPasskeyResponse,
  AddPasskey,
  AddPasskeyDto,
  BeginPasskey,
  BeginPasskeyDto,
} from './commands/add-passkey.js';
import { MakeRecoveryCodes, RemovePasskey, RenamePasskey, RenamePasskeyDto } from './commands/change-passkeys.js';
import { ProveAgain, ProveAgainDto } from './commands/prove-again.js';
import { Passkeys } from './passkeys.js';
import { ListPasskeys, PasskeysResponse } from './queries/list-passkeys.js';
import { RecoveryCodesResponse } from './recovery-codes.dto.js';

const OPTIONS = { schema: { type: 'object', additionalProperties: true } } as const;

/** A member's own passkeys, and fresh proofs by them. */
@NeedsSession()
@ApiTags('Identity: passkeys')
@Controller('api/auth')
export class PasskeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly passkeys: Passkeys,
  ) {}

  /** The member's passkeys. */
  @Get('passkeys')
  @Header('cache-control', 'no-store')
  list(@CurrentUser() { id }: SignedInMember): Promise<PasskeysResponse> {
    return this.queries.execute(new ListPasskeys(id));
  }

  /** Proves the password (403 `WRONG_PASSWORD`), and answers what the browser makes a passkey by. */
  @Post('passkeys/options')
  @HttpCode(200)
  @NeedsFreshProof()
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ ...OPTIONS, description: '`PublicKeyCredentialCreationOptionsJSON` of WebAuthn.' })
  begin(
    @CurrentUser() member: SignedInMember,
    @Body() { password }: BeginPasskeyDto,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return this.commands.execute(new BeginPasskey(member, password));
  }

  /** Keeps the passkey that the browser has made. */
  @Post('passkeys')
  @NeedsFreshProof()
  @Header('cache-control', 'no-store')
  add(@CurrentUser() member: SignedInMember, @Body() passkey: AddPasskeyDto): Promise<AddedPasskeyResponse> {
    return this.commands.execute(new AddPasskey(member, passkey));
  }

  /** Names a passkey. */
  @Patch('passkeys/:id')
  async rename(
    @CurrentUser() member: SignedInMember,
    @IdParam('id', 'This passkey') id: string,
    @Body() { name }: RenamePasskeyDto,
  ): Promise<MessageResponse> {
    await this.commands.execute(new RenamePasskey(member, id, name));
    return { message: 'The passkey has been renamed.' };
  }

  /** Removes a passkey; with the last one go the recovery codes. */
  @Delete('passkeys/:id')
  @NeedsFreshProof()
  async remove(
    @CurrentUser() member: SignedInMember,
    @IdParam('id', 'This passkey') id: string,
  ): Promise<MessageResponse> {
    await this.commands.execute(new RemovePasskey(member, id));
    return { message: 'The passkey has been removed.' };
  }

  /** Makes new recovery codes, which are answered this once; the ones before work no longer. */
  @Post('recovery-codes')
  @NeedsFreshProof()
  @Header('cache-control', 'no-store')
  async makeCodes(@CurrentUser() member: SignedInMember): Promise<RecoveryCodesResponse> {
    return { recoveryCodes: await this.commands.execute(new MakeRecoveryCodes(member)) };
  }

  /** What the browser asks for a fresh proof by. */
  @Post('fresh-proof/options')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  @ApiOkResponse({ ...OPTIONS, description: '`PublicKeyCredentialRequestOptionsJSON` of WebAuthn.' })
  async proofOptions(@CurrentUser() { id, sessionId }: SignedInMember): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const own = await this.passkeys.of(id);
    return this.passkeys.requestOptions({ purpose: 'prove', holder: sessionId }, own);
  }

  /** Proves the member of this session anew, for ten minutes, by a passkey or a recovery code. */
  @Post('fresh-proof')
  @HttpCode(200)
  async prove(@CurrentUser() member: SignedInMember, @Body() proof: ProveAgainDto): Promise<MessageResponse> {
    await this.commands.execute(new ProveAgain(member, proof));
    return { message: 'Thank you. You will not be asked again for ten minutes.' };
  }
}
