import { toNova } from '../wallet/nova-amount.js';
import type { LoggedCall } from './application-calls.js';
import type { ApplicationSecret } from './application-secrets.js';
import type { ConsentingMember } from './consenting-members.js';
import type { ApplicationCallDto, ConsentingMemberDto, SecretDto } from './credential.dto.js';

export const toSecretDto = ({
  id,
  name,
  createdAt,
  lastUsedAt,
}: ApplicationSecret): Pick<SecretDto, keyof SecretDto> => ({
  id,
  name,
  createdAt: createdAt?.toISOString() ?? null,
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});

export const toMemberDto = ({ userId, scopes, since, dailyLimit }: ConsentingMember): ConsentingMemberDto => ({
  userId,
  scopes: [...scopes],
  since: since.toISOString(),
  dailyLimit: dailyLimit === null ? null : toNova(dailyLimit),
});

export const toCallDto = (call: LoggedCall): ApplicationCallDto => ({ ...call, at: call.at.toISOString() });
