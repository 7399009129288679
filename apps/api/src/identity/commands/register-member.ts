import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager, QueryFailedError } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { type Config, InjectConfig } from '../../platform/config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { errorCode } from '../../platform/errors/error-code.js';
import { networkOf } from '../../platform/http/network.js';
import { IsPublicName } from '../../platform/names.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.js';
import { emailKey, searchKey } from '../../platform/text.js';
import {
  DisplayNameField,
  EmailField,
  MESSAGES,
  NewPasswordField,
  NewPinField,
  TermsConsent,
} from '../credentials.dto.js';
import { type Browser, Devices, type SignedInBrowser } from '../devices.js';
import { Account } from '../entities.js';
import { isAdminAtOnce } from '../first-admin.js';
import { mailboxKey } from '../mailbox-key.js';
import { OutgoingMails } from '../mail/outgoing-mails.js';
import { refuseOwnWords } from '../new-secrets.js';
import { SecretHashing } from '../secret-hashing.js';

export class RegisterDto extends TermsConsent {
  @IsPublicName('INVALID_DISPLAY_NAME')
  @DisplayNameField(MESSAGES.required)
  displayName: string;

  @EmailField(MESSAGES.required)
  email: string;

  /** At least 8 characters. */
  @NewPasswordField(MESSAGES.required)
  password: string;

  /** 4 to 6 digits, for recovery. */
  @NewPinField(MESSAGES.required)
  pin: string;
}

export interface Registration {
  readonly displayName: string;
  readonly email: string;
  readonly password: string;
  readonly pin: string;
  readonly tcVersion: string;
}

export interface Registered {
  readonly account: Account;
  readonly browser: SignedInBrowser;
}

/** Makes an account and signs its browser in (rule accounts-1). */
export class RegisterMember extends Command<Registered> {
  constructor(
    readonly registration: Registration,
    readonly browser: Browser,
    readonly from: { readonly ip: string; readonly isCounted: boolean },
  ) {
    super();
  }
}

@CommandHandler(RegisterMember)
export class RegisterMemberHandler implements ICommandHandler<RegisterMember> {
  constructor(
    private readonly dataSource: DataSource,
    private readonly hashing: SecretHashing,
    private readonly devices: Devices,
    private readonly limits: RateLimits,
    private readonly mails: OutgoingMails,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** @throws AppError 400 `PASSWORD_PERSONAL`, 409 `EMAIL_TAKEN`, 403 `EMAIL_BLOCKED`, 429 too many from this address */
  async execute({ registration, browser, from }: RegisterMember): Promise<Registered> {
    const { ip: address, isCounted } = from;
    if (isCounted) await this.limits.registrations.take(networkOf(address));
    refuseOwnWords(registration.password, registration);
    await this.refuseUnusable(emailKey(registration.email));
    const account = newAccount({
      ...registration,
      passwordHash: await this.hashing.hash(registration.password, { address }),
      pinHash: await this.hashing.hash(registration.pin, { address }),
      // Anywhere else it takes a word that only the server gives.
      adminEmail: isAdminAtOnce(this.config) ? this.config.adminEmail : undefined,
    });
    return this.dataSource.transaction(async (manager) => {
      await insertAccount(manager, account);
      await this.mails.verification(manager, account);
      return { account, browser: await this.devices.enterFirst(manager, account, browser) };
    });
  }

  /** Before the costly hashing; the unique index has the last word. */
  private async refuseUnusable(key: string): Promise<void> {
    const [found]: { taken: boolean; blocked: boolean }[] = await this.dataSource.query(
      `select exists (select from accounts where email_key = $1) as taken,
              exists (select from blocked_emails where email_key in ($1, $2)) as blocked`,
      [key, mailboxKey(key)],
    );
    if (found?.blocked) throw new AppError(403, 'EMAIL_BLOCKED', 'This email address cannot be used to register.');
    if (found?.taken) throw emailTaken();
  }
}

export interface NewAccount {
  readonly displayName: string;
  readonly email: string;
  readonly passwordHash: string;
  readonly pinHash: string;
  readonly tcVersion: string;
  /** Whoever registers with it becomes the first admin. */
  readonly adminEmail: string | undefined;
}

function newAccount({ displayName, email, passwordHash, pinHash, tcVersion, adminEmail }: NewAccount): Account {
  const now = new Date();
  const key = emailKey(email);
  return Object.assign(new Account(), {
    id: uuidv7(),
    email: email.trim().normalize('NFC'),
    emailKey: key,
    emailVerifiedAt: null,
    displayName: displayName.trim(),
    nameKey: searchKey(displayName),
    passwordHash,
    pinHash,
    isAdmin: key === adminEmail,
    profileImageUrl: null,
    profileCardThumbnailUrl: null,
    profileCardContentUrl: null,
    profileCardContentType: null,
    tcVersion,
    tcAcceptedAt: now,
    createdAt: now,
    closedAt: null,
  });
}

/** @throws AppError 409 the e-mail address has an account */
async function insertAccount(manager: EntityManager, account: Account): Promise<void> {
  try {
    await manager.insert(Account, account);
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
}

const UNIQUE_VIOLATION = '23505';

const isUniqueViolation = (error: unknown): boolean => {
  if (!(error instanceof QueryFailedError)) return false;
  return errorCode(error.driverError) === UNIQUE_VIOLATION;
};

const emailTaken = (): AppError => new AppError(409, 'EMAIL_TAKEN', 'An account with this email already exists.');
