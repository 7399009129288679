import { Injectable } from '@nestjs/common';
import { DEVICE_LIMIT_TEXT } from '@app/domain';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AppError, notFound, unauthenticated } from '../platform/errors/app-error.js';
import { invalidCredentials } from './credentials.js';
import { Account, Device } from './entities.js';
import { IdentityChanges } from './identity-changes.js';
import { DEVICES_MAX, USER_AGENT_MAX } from './limits.js';
import { SecurityNotices } from './security-notices.js';
import { Sessions } from './sessions.js';
import { newToken, tokenHash } from './random-token.js';

/** The browser that signs in. */
export interface Browser {
  /** From its own cookie, if it has signed in here before. */
  readonly deviceToken: string | undefined;
  readonly userAgent: string;
}

/** The content of a browser's cookies. */
export interface SignedInBrowser {
  readonly sessionToken: string;
  readonly deviceToken: string;
}

const MOVE_TOKEN = 'update devices set token_hash = $2 where token_hash = $1';

interface Entered {
  readonly signedIn: SignedInBrowser;
  readonly added: Device | undefined;
}

/** Devices: browsers that signed in to an account, at most ten (rule accounts-17). */
@Injectable()
export class Devices {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly changes: IdentityChanges,
    private readonly notices: SecurityNotices,
  ) {}

  /**
   * Starts a session on this browser's device, which is made when the account does not know it.
   * @param proven the account as it was when its password was proved
   * @throws AppError 403 `DEVICE_LIMIT` the account has ten others, 401 its password was changed since
   */
  signIn(proven: Account, browser: Browser): Promise<SignedInBrowser> {
    return this.dataSource.transaction((manager) => this.signInWithin(manager, proven, browser));
  }

  /** The same in the caller's transaction. */
  async signInWithin(manager: EntityManager, proven: Account, browser: Browser): Promise<SignedInBrowser> {
    const { signedIn, added } = await this.enter(manager, proven, browser);
    if (added) {
      const { id: deviceId, userAgent } = added;
      await this.notices.tell(proven.id, { kind: 'new_device', deviceId, userAgent }, manager);
    }
    return signedIn;
  }

  /** The same for an account that the caller's transaction makes: its first device is no news to anybody. */
  async enterFirst(manager: EntityManager, proven: Account, browser: Browser): Promise<SignedInBrowser> {
    return (await this.enter(manager, proven, browser)).signedIn;
  }

  /** An account's devices, newest first. */
  list(accountId: string): Promise<Device[]> {
    return this.dataSource
      .getRepository(Device)
      .find({ where: { accountId }, order: { createdAt: 'desc', id: 'desc' } });
  }

  /**
   * Removes a device and ends its sessions.
   * @throws AppError 404 the account has no such device
   */
  async remove(accountId: string, deviceId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Signing in takes the same lock: a session that is just being made on this device is there by now, and ends with it.
      await manager.findOne(Account, { where: { id: accountId }, lock: { mode: 'pessimistic_write' } });
      const { affected } = await manager.delete(Device, { id: deviceId, accountId });
      if (!affected) throw notFound('This device');
    });
    await this.changes.publish({ kind: 'device', deviceId });
  }

  /** `added` is the device, where the account did not know it. */
  private async enter(manager: EntityManager, proven: Account, browser: Browser): Promise<Entered> {
    const accountId = proven.id;
    // The lock makes ten the limit for sign-ins at the same moment too, and puts a change of password before or after.
    const account = await manager.findOne(Account, { where: { id: accountId }, lock: { mode: 'pessimistic_write' } });
    if (!account || account.closedAt) throw unauthenticated();
    if (account.passwordHash !== proven.passwordHash) throw invalidCredentials();
    const { deviceToken: given } = browser;
    const known = given && (await manager.findOneBy(Device, { accountId, tokenHash: tokenHash(given) }));
    if (given && known) {
      const sessionToken = await this.sessions.start(manager, accountId, known.id);
      return { signedIn: { deviceToken: given, sessionToken }, added: undefined };
    }
    // Never what the client sent: somebody else may have put it there, and would be known to this account ever after.
    const deviceToken = newToken();
    const added = await this.add(manager, accountId, deviceToken, browser.userAgent);
    // The browser has one cookie for all accounts that know it.
    if (given) await manager.query(MOVE_TOKEN, [tokenHash(given), tokenHash(deviceToken)]);
    const sessionToken = await this.sessions.start(manager, accountId, added.id);
    return { signedIn: { deviceToken, sessionToken }, added };
  }

  private async add(manager: EntityManager, accountId: string, token: string, userAgent: string): Promise<Device> {
    if ((await manager.countBy(Device, { accountId })) >= DEVICES_MAX) throw deviceLimit();
    const device = manager.create(Device, {
      id: uuidv7(),
      accountId,
      tokenHash: tokenHash(token),
      userAgent: userAgent.slice(0, USER_AGENT_MAX),
      createdAt: new Date(),
    });
    await manager.insert(Device, device);
    return device;
  }
}

const deviceLimit = (): AppError =>
  new AppError(403, 'DEVICE_LIMIT', `${DEVICE_LIMIT_TEXT}. Please remove a device to sign in from this one.`, {
    extra: { requiresDeviceManagement: true },
  });
